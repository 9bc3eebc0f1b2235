// Bundles the extension, the page and the built-in agent into dist/, copies what cannot be bundled, and lists
// the licences of both.
//   node .esbuild.mjs [--production] [--watch]
import { context } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

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
    metafile: true,
    plugins: [problemMatcher],
    ...options,
  });
  if (watch) return job.watch();
  try {
    return await job.rebuild();
  } finally {
    await job.dispose();
  }
};

/** Leaves a package out of a bundle, to be loaded from a file beside it when it is first needed. */
const fromFile = (name, file) => ({
  name: `${name} from ${file}`,
  setup(job) {
    job.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: `./${file}`, external: true }));
  },
});

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

/** The npm packages that give at least a byte to a bundle, as folders. */
const bundledPackages = (metafile) =>
  Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);

/** Copyright lines of packages under the MIT licence that are published without a licence file. */
const copyrights = {
  '@xterm/headless': `Copyright (c) 2017-2019, The xterm.js authors (https://github.com/xtermjs/xterm.js)
Copyright (c) 2014-2016, SourceLair Private Company (https://www.sourcelair.com)
Copyright (c) 2012-2013, Christopher Jeffrey (https://github.com/chjj/)`,
};

const readText = (file) =>
  readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trim();

/** Name, version and licence of a package, followed by the texts of its licence files. */
const noticeOf = (folder) => {
  const { name, version, license } = JSON.parse(readText(`${folder}/package.json`));
  const files = readdirSync(folder).filter((file) => /^licen[cs]e([-.]|$)/i.test(file));
  const texts = files.map((file) => readText(`${folder}/${file}`));
  if (texts.length === 0 && copyrights[name]) {
    texts.push(
      copyrights[name],
      readText('node_modules/preact/LICENSE').replace(/^.*?(?=Permission is)/s, ''),
    );
  }
  if (texts.length === 0) console.warn(`✘ [WARNING] ${name} has no licence file`);
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
};

const writeNotices = (metafiles) => {
  const copied = ['node_modules/node-pty', 'node_modules/@vscode/codicons'];
  const folders = new Set(
    [...copied, ...metafiles.flatMap(bundledPackages)].filter((folder) => existsSync(folder)),
  );
  const intro = 'Parley contains the following software of others, under the licences given with each.';
  const text = [intro, ...[...folders].map(noticeOf).sort()].join(`\n\n${'='.repeat(80)}\n\n`);
  writeFileSync('dist/THIRD_PARTY_NOTICES.txt', `${text}\n`);
};

mkdirSync('dist', { recursive: true });
copyNodePty();
copyCodicons();
const node = { platform: 'node', target: 'node20', format: 'cjs' };
const results = await Promise.allSettled([
  build({
    ...node,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    external: ['vscode'],
    // A terminal emulator is half of the code, and most windows never run a command.
    plugins: [problemMatcher, fromFile('@xterm/headless', 'xterm.js')],
    // The editor's loader takes require, not import(), in an extension.
    supported: { 'dynamic-import': false },
    // Its main file loads its parts in a way that can't be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  }),
  build({ ...node, entryPoints: ['@xterm/headless'], outfile: 'dist/xterm.js' }),
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
else if (!watch) writeNotices(results.map((result) => result.value.metafile));
