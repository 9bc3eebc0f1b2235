// Bundles the extension, its worker, the pages and the built-in agent into dist/, copies what cannot be bundled, and
// lists the licences of both.
//   node .esbuild.mjs [--production] [--watch]
import { context } from 'esbuild';
import { agentBuild } from './src/agent/agentBuild.mjs';
import { diagramParts, lazyParts } from './src/webview/markdown/drawn/lazyBuild.mjs';
import { embeddedApart, grammarFiles } from './src/host/highlight/grammarBuild.mjs';
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

/** The ripgrep of the platform that builds, in a folder of the platform's name: elsewhere the agent searches by itself (see agent/access/ripgrep.ts). */
const ripgrepFolder = `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}`;
const copyRipgrep = () => {
  rmSync('dist/ripgrep', { recursive: true, force: true });
  if (!existsSync(ripgrepFolder)) return;
  cpSync(`${ripgrepFolder}/bin`, `dist/ripgrep/${process.platform}-${process.arch}`, { recursive: true });
  cpSync(`${ripgrepFolder}/LICENSE`, 'dist/ripgrep/LICENSE');
};

const copyHighlighterEngine = () => {
  mkdirSync('dist/highlight', { recursive: true });
  cpSync('node_modules/shiki/dist/onig.wasm', 'dist/highlight/onig.wasm');
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

/** Packages that are published without a licence file, and where their terms are: those of another package of the same authors. */
const termsElsewhere = { '@ai-sdk/provider-utils': 'node_modules/@ai-sdk/provider/LICENSE' };

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
  if (texts.length === 0 && termsElsewhere[name]) texts.push(readText(termsElsewhere[name]));
  if (texts.length === 0) console.warn(`✘ [WARNING] ${name} has no licence file`);
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
};

/** Software inside a file that is no package of its own: the regular expressions of the highlighter. */
const onigurumaNotice = () => {
  const terms = readText('node_modules/entities/LICENSE').replace(/^.*?(?=Redistribution)/s, '');
  const copyright = 'Copyright (c) 2002-2021  K.Kosako  <kkosako0@gmail.com>\nAll rights reserved.';
  return ['Oniguruma, in highlight/onig.wasm (BSD-2-Clause)', copyright, terms].join('\n\n');
};

/** ripgrep itself and what is linked into it; the package that it comes in tells only of itself. */
const ripgrepNotices = () => {
  if (!existsSync(ripgrepFolder)) return [];
  const mit = readText('node_modules/preact/LICENSE').replace(/^.*?(?=Permission is)/s, '');
  const bsd = readText('node_modules/d3-ease/LICENSE').replace(/^.*?(?=Redistribution and)/s, '');
  return [
    ['ripgrep, in ripgrep (Unlicense OR MIT)', 'Copyright (c) 2015 Andrew Gallant', mit].join('\n\n'),
    [
      'PCRE2, in ripgrep (BSD-3-Clause)',
      'Copyright (c) 1997-2007 University of Cambridge\nCopyright (c) 2007-2024 Philip Hazel\nCopyright (c) 2010-2024 Zoltan Herczeg\nAll rights reserved.',
      bsd,
    ].join('\n\n'),
  ];
};

const writeNotices = (metafiles) => {
  const copied = ['node_modules/node-pty', 'node_modules/@vscode/codicons', ripgrepFolder];
  const folders = new Set(
    [...copied, ...metafiles.flatMap(bundledPackages)].filter((folder) => existsSync(folder)),
  );
  const intro = 'Parley contains the following software of others, under the licences given with each.';
  const notices = [...[...folders].map(noticeOf), onigurumaNotice(), ...ripgrepNotices()].sort();
  const text = [intro, ...notices].join(`\n\n${'='.repeat(80)}\n\n`);
  writeFileSync('dist/THIRD_PARTY_NOTICES.txt', `${text}\n`);
};

mkdirSync('dist', { recursive: true });
copyNodePty();
copyRipgrep();
copyCodicons();
copyHighlighterEngine();
const node = { platform: 'node', target: 'node20', format: 'cjs' };
const page = {
  platform: 'browser',
  target: 'chrome128',
  format: 'iife',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};
const results = await Promise.allSettled([
  build({
    ...node,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    external: ['vscode'],
    // Large, and not needed before the first command or the first agent.
    plugins: [
      problemMatcher,
      fromFile('@xterm/headless', 'xterm.js'),
      fromFile('vscode-jsonrpc/node', 'jsonrpc.js'),
      fromFile('./composerWork', 'composer.js'),
      fromFile('./buildStart', 'start.js'),
      fromFile('./buildModels', 'models.js'),
      fromFile('./exportTranscript', 'transcript.js'),
      fromFile('./buildDiagnose', 'diagnose.js'),
      fromFile('./buildRegistry', 'registry.js'),
      fromFile('./buildCodeActions', 'codeActions.js'),
      fromFile('./askShell', 'askShell.js'),
      fromFile('./resolveCommand', 'resolveCommand.js'),
      fromFile('../agents/signInTerminal', 'signInTerminal.js'),
      fromFile('./buildTraffic', 'traffic.js'),
      fromFile('./vscodeMcp', 'mcp.js'),
    ],
    // The editor's loader takes require, not import(), in an extension.
    supported: { 'dynamic-import': false },
    // Its main file loads its parts in a way that can't be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  }),
  build({ ...node, entryPoints: ['@xterm/headless'], outfile: 'dist/xterm.js' }),
  build({ ...node, entryPoints: ['vscode-jsonrpc/node'], outfile: 'dist/jsonrpc.js' }),
  build({
    ...node,
    entryPoints: {
      composer: 'src/host/chat/composerWork.ts',
      start: 'src/host/agents/buildStart.ts',
      models: 'src/host/lm/buildModels.ts',
      transcript: 'src/host/exportTranscript.ts',
      diagnose: 'src/host/diagnose/buildDiagnose.ts',
      registry: 'src/host/registry/buildRegistry.ts',
      unpackWorker: 'src/host/registry/unpackWorker.ts',
      codeActions: 'src/host/chat/code/buildCodeActions.ts',
      askShell: 'src/acp/askShell.ts',
      resolveCommand: 'src/acp/resolveCommand.ts',
      signInTerminal: 'src/host/agents/signInTerminal.ts',
      traffic: 'src/host/traffic/buildTraffic.ts',
      mcp: 'src/host/mcp/vscodeMcp.ts',
    },
    outdir: 'dist',
    external: ['vscode'],
    // Its main file loads its parts in a way that can't be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  }),
  build({ ...node, entryPoints: ['src/host/review/diffWorker.ts'], outfile: 'dist/diffWorker.js' }),
  build({
    ...node,
    entryPoints: ['src/host/highlight/highlightWorker.ts'],
    outfile: 'dist/highlighter.js',
    // Its main file loads its parts in a way that can't be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  }),
  build({
    ...node,
    entryPoints: await grammarFiles(),
    outdir: 'dist/highlight',
    minify: true,
    sourcemap: false,
    // A module that was imported by another format is its default export.
    footer: { js: 'module.exports = module.exports.default;' },
    plugins: [problemMatcher, embeddedApart],
  }),
  build({ ...node, entryPoints: ['src/host/terminal/watchdogMain.ts'], outfile: 'dist/watchdog.js' }),
  build({ ...node, ...agentBuild, outdir: 'dist', plugins: [problemMatcher, ...agentBuild.plugins] }),
  build({ ...page, entryPoints: ['src/webview/main.tsx'], outfile: 'dist/webview.js' }),
  // Large, and loaded by the page when they are first needed.
  build({
    ...page,
    entryPoints: lazyParts,
    outdir: 'dist',
    minify: true,
    plugins: [problemMatcher, diagramParts],
  }),
  build({ ...page, entryPoints: ['src/webview/rules/main.tsx'], outfile: 'dist/rules.js' }),
  build({ ...page, entryPoints: ['src/webview/diagnose/main.tsx'], outfile: 'dist/diagnosePage.js' }),
  build({ ...page, entryPoints: ['src/webview/traffic/main.tsx'], outfile: 'dist/trafficPage.js' }),
]);
if (results.some((result) => result.status === 'rejected')) process.exitCode = 1;
else if (!watch) writeNotices(results.map((result) => result.value.metafile));
