// Serves the page with its harness, built on the fly, on loopback.
import { build } from 'esbuild';
import { diagramParts, lazyParts } from '../../../src/webview/markdown/drawn/lazyBuild.mjs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../../vscode/setup.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.ttf': 'font/ttf' };

/** Where Chromium is, and how it is started for this. */
export const chromium = {
  executablePath: findChromium() ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

const options = {
  absWorkingDir: root,
  outdir: '/built',
  bundle: true,
  write: false,
  minify: true,
  platform: 'browser',
  target: 'chrome128',
  format: 'iife',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [diagramParts],
};

const lazyBuilds = new Map();

/** Parts of the page that are loaded when they are first needed are bundled then, once. */
async function buildLazy(path) {
  const name = /^\/built\/(\w+)\.js$/.exec(path)?.[1] ?? '';
  if (!Object.hasOwn(lazyParts, name)) return undefined;
  if (!lazyBuilds.has(name))
    lazyBuilds.set(name, build({ ...options, entryPoints: { [name]: lazyParts[name] } }));
  const { outputFiles } = await lazyBuilds.get(name);
  return outputFiles[0].contents;
}

/** Bundles the entries (name to file) in memory and serves them below `/built/`, beside the repository's files. */
export async function serve(entries) {
  const { outputFiles } = await build({
    ...options,
    entryPoints: entries,
  });
  const built = new Map(
    outputFiles.map((file) => [`/built/${file.path.split(/[\\/]/).at(-1)}`, file.contents]),
  );
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    try {
      const body = built.get(path) ?? (await buildLazy(path)) ?? (await readFile(join(root, path)));
      response
        .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        .end(body);
    } catch {
      response.writeHead(404).end(); // Not a file of the repository.
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** The entries of the page in its harness. */
export const pageEntries = {
  webview: 'src/webview/main.tsx',
  harness: 'test/support/pageHarness/harness.mjs',
  rules: 'src/webview/rules/main.tsx',
  rulesHarness: 'test/support/pageHarness/rulesHarness.mjs',
  diagnosePage: 'src/webview/diagnose/main.tsx',
  diagnoseHarness: 'test/support/pageHarness/diagnoseHarness.mjs',
  trafficPage: 'src/webview/traffic/main.tsx',
  trafficHarness: 'test/support/pageHarness/trafficHarness.mjs',
};
