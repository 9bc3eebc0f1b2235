// Bundles the extension, the page and the built-in agent into dist/, and copies what cannot be bundled.
//   node .esbuild.mjs [--production] [--watch]
import { context } from 'esbuild';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** Prints errors in the form that the `$esbuild-watch` problem matcher reads. */
const problemMatcher = {
  name: 'problem-matcher',
  setup(build) {
    build.onStart(() => {
      if (watch) console.log('[watch] build started');
    });
    build.onEnd((result) => {
      for (const { text, location } of result.errors) {
        console.error(`✘ [ERROR] ${text}`);
        if (location) console.error(`    ${location.file}:${location.line}:${location.column}:`);
      }
      if (watch) console.log('[watch] build finished');
    });
  },
};

/** @param {import('esbuild').BuildOptions} options */
const build = async (options) => {
  const job = await context({
    bundle: true,
    minify: production,
    sourcemap: production ? false : 'linked',
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [problemMatcher],
    ...options,
  });
  if (watch) return job.watch();
  try {
    await job.rebuild();
  } finally {
    await job.dispose();
  }
};

/** node-pty holds native code, so its folder is shipped as it is and loaded by path (see host/terminal/ptySpawner.ts). */
const copyNodePty = () => {
  const from = 'node_modules/node-pty';
  if (!existsSync(from)) return;
  rmSync('dist/node-pty', { recursive: true, force: true });
  mkdirSync('dist/node-pty', { recursive: true });
  for (const part of ['lib', 'prebuilds', 'package.json', 'LICENSE']) {
    cpSync(`${from}/${part}`, `dist/node-pty/${part}`, {
      recursive: true,
      filter: (file) => !/\.(test\.js|pdb|map)$/.test(file),
    });
  }
};

const copyCodicons = () => {
  const from = 'node_modules/@vscode/codicons/dist';
  mkdirSync('dist/codicons', { recursive: true });
  for (const file of ['codicon.css', 'codicon.ttf']) cpSync(`${from}/${file}`, `dist/codicons/${file}`);
  cpSync('node_modules/@vscode/codicons/LICENSE', 'dist/codicons/LICENSE');
};

mkdirSync('dist', { recursive: true });
copyNodePty();
copyCodicons();
const node = { platform: 'node', target: 'node20', format: 'cjs' };
const results = await Promise.allSettled([
  build({ ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode'] }),
  build({ ...node, entryPoints: ['src/agent/main.ts'], outfile: 'dist/agent.js' }),
  build({
    entryPoints: ['src/webview/main.tsx'],
    outfile: 'dist/webview.js',
    platform: 'browser',
    target: 'chrome128',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  }),
]);
if (results.some((result) => result.status === 'rejected')) process.exitCode = 1;
