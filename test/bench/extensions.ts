import { build, type BuildOptions } from 'esbuild';
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../vscode/setup.mjs';

const here = join(repository, 'test', 'bench');
const common: BuildOptions = { bundle: true, minify: true, logLevel: 'silent' };
const pageTarget: BuildOptions = { ...common, platform: 'browser', target: 'chrome128', format: 'iife' };

/** Copies Parley as it has been built, so that a build during a run does not change what is measured. */
export function copyParley(into: string): string {
  for (const name of ['package.json', 'package.nls.json', 'l10n', 'media', 'dist']) {
    cpSync(join(repository, name), join(into, name), { recursive: true });
  }
  return into;
}

/** Builds a control extension in the way that Parley is built. */
export async function buildControl(name: 'emptyExtension' | 'naiveExtension', into: string): Promise<string> {
  mkdirSync(into, { recursive: true });
  await build({
    ...common,
    entryPoints: [join(here, name, 'extension.ts')],
    outfile: join(into, 'extension.js'),
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
  });
  copyFileSync(join(here, name, 'package.json'), join(into, 'package.json'));
  copyFileSync(join(repository, 'media', 'icon.svg'), join(into, 'icon.svg'));
  if (name === 'emptyExtension') return into;
  await build({
    ...pageTarget,
    entryPoints: [join(here, name, 'page.ts')],
    outfile: join(into, 'page.js'),
  });
  copyFileSync(join(repository, 'media', 'chat.css'), join(into, 'chat.css'));
  return into;
}

/** The script that watches a page's frames, to be evaluated in it. */
export async function buildRecorder(): Promise<string> {
  const { outputFiles } = await build({
    ...pageTarget,
    entryPoints: [join(here, 'page', 'recorder.ts')],
    write: false,
  });
  return outputFiles?.[0]?.text ?? '';
}
