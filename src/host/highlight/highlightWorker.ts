// Colours code for the pages in a thread of its own; see highlighter.ts.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { LanguageRegistration } from 'shiki/core';
import { grammars } from '../../core/highlight/languages';
import { Colorer } from './colorer';
import { themeColors, type DefaultThemes } from './themeColors';
import type { FromHighlighter, ToHighlighter } from './workerMessages';

const folder = join(__dirname, 'highlight');

const defaults: DefaultThemes = {
  dark: () => import('shiki/themes/dark-plus.mjs'),
  light: () => import('shiki/themes/light-plus.mjs'),
  hcDark: () => import('shiki/themes/github-dark-high-contrast.mjs'),
  hcLight: () => import('shiki/themes/github-light-high-contrast.mjs'),
};

// The grammars are loaded by path, each when it is first needed.
const load = createRequire(__filename);

const colorer = new Colorer({
  wasm: () => readFile(join(folder, 'onig.wasm')),
  grammar: (name) => {
    if (!grammars.includes(name)) return Promise.resolve(undefined);
    return Promise.resolve(load(join(folder, `${name}.js`)) as LanguageRegistration[]);
  },
});

async function take(asked: ToHighlighter): Promise<void> {
  if (asked.type === 'theme') {
    const { foreground, rules } = await themeColors(asked.theme, defaults);
    colorer.setTheme(foreground, rules);
    return;
  }
  const { id, key, request } = asked;
  const message: FromHighlighter = await colorer.highlight(key, request).then(
    (answer) => ({ id, answer }),
    (error: unknown) => ({
      id,
      answer: { type: 'noTokens', block: request.block, why: 'plain' },
      problem: `${request.grammar}: ${String(error)}`,
    }),
  );
  parentPort?.postMessage(message);
}

// One after the other: a block goes on where it was.
let work: Promise<void> = Promise.resolve();
parentPort?.on('message', (message: ToHighlighter) => {
  work = work.then(() => take(message));
});
