import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, SetupError, step } from './progress.mjs';

/** Top folder of the repository. */
export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The VS Code versions that the tests run on: code-server's release, and the VS Code in it. */
export const versions = {
  oldest: { server: '4.106.3', vscode: '1.106.3' },
  newest: { server: '4.139.1', vscode: '1.139.1' },
};

const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
const platform = `${process.platform}-${process.arch}`;

/** The folder that keeps VS Code and the real agents between runs and clones. */
export function cacheFolder() {
  if (process.env.PARLEY_CACHE) return resolve(process.env.PARLEY_CACHE);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'parley');
  if (process.platform === 'win32') {
    return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'parley');
  }
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'parley');
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const reason = (error) => (error instanceof Error ? error.message : String(error));

/** True when what package-lock.json asks for is what node_modules holds. */
function dependenciesAreCurrent() {
  const installed = join(repository, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const have = readJson(installed).packages;
  const want = Object.entries(readJson(join(repository, 'package-lock.json')).packages);
  return want.every(([name, entry]) => {
    if (name === '' || entry.link) return true;
    return have[name] ? have[name].version === entry.version : Boolean(entry.optional || entry.peer);
  });
}

/** Install the npm packages of the repository where they are missing or not those of package-lock.json. */
export async function ensureDependencies() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 11)) {
    throw new SetupError(
      'This needs a newer Node.js.',
      `This is Node.js ${process.versions.node}.`,
      'Install Node.js 20.11 or newer.',
    );
  }
  if (dependenciesAreCurrent()) return;
  try {
    await step('installing the npm packages', () => run('npm', ['ci', ...quiet], { cwd: repository }));
  } catch (error) {
    const next = 'Check the network and the registry that "npm config get registry" names, then start again.';
    throw new SetupError('The npm packages could not be installed.', reason(error), next);
  }
  await ensureNativePackages();
}

/** npm may hold back install scripts: esbuild and node-pty have to work without them, else they are rebuilt. */
async function ensureNativePackages() {
  const prebuilds = join(repository, 'node_modules', 'node-pty', 'prebuilds', platform);
  const helper = join(prebuilds, 'spawn-helper');
  if (existsSync(helper)) chmodSync(helper, 0o755);
  const works = (code) =>
    run(process.execPath, ['-e', code], { cwd: repository }).then(
      () => true,
      () => false,
    );
  const broken = [];
  if (!(await works("require('esbuild').transformSync('let a')"))) broken.push('esbuild');
  if (!(await works("require('node-pty')"))) broken.push('node-pty');
  if (broken.length === 0) return;
  try {
    await step(`building ${broken.join(' and ')}`, () =>
      run('npm', ['rebuild', ...broken, ...quiet], { cwd: repository }),
    );
  } catch (error) {
    const next = 'Install a C++ compiler, make and Python 3, then start again.';
    throw new SetupError(`${broken.join(' and ')} could not be built.`, reason(error), next);
  }
}

/**
 * Bundle the extension into dist/.
 * @param {{ production?: boolean }} [options]
 */
export async function ensureBuild({ production = false } = {}) {
  try {
    await step('building Parley', () =>
      run(process.execPath, ['.esbuild.mjs', ...(production ? ['--production'] : [])], {
        cwd: repository,
        timeout: 180_000,
      }),
    );
  } catch (error) {
    throw new SetupError(
      'Parley could not be built.',
      reason(error),
      'Correct the error above, then start again.',
    );
  }
}

/** Where Chrome is installed on desktops that keep it off the PATH. */
const installedChrome = () =>
  ({
    darwin: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)']]
      .filter(Boolean)
      .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
  })[process.platform] ?? [];

/** The Chromium (or Chrome) of this machine, or undefined. */
export function findChromium() {
  if (process.env.PARLEY_CHROMIUM) return process.env.PARLEY_CHROMIUM;
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...installedChrome()].find(
    (file) => existsSync(file),
  );
}

const onPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder && existsSync(join(folder, name)));

/**
 * Install the system packages that the VS Code server and its browser need.
 * @param {{ compiler?: boolean, shells?: boolean }} [options] compiler: also what builds the server's native modules; shells:
 * also those whose environment the tests read
 */
export async function ensureDebianPackages({ compiler = false, shells = false } = {}) {
  const missing = shells ? ['zsh', 'fish'].filter((name) => !onPath(name)) : [];
  if (!findChromium()) missing.push('chromium');
  if (!existsSync('/usr/share/fonts/truetype/dejavu')) missing.push('fonts-dejavu-core');
  if (!onPath('git')) missing.push('git');
  if (compiler) {
    if (!onPath('g++') || !onPath('make')) missing.push('g++', 'make');
    if (!onPath('python3')) missing.push('python3');
    if (!onPath('pkg-config')) missing.push('pkg-config');
  }
  if (missing.length === 0) return;
  const command = `apt-get update && apt-get install -y ${missing.join(' ')}`;
  if (!onPath('apt-get') || process.getuid?.() !== 0) {
    const needed = findChromium() && !compiler ? undefined : missing.join(', ');
    if (!needed) return;
    const next = onPath('apt-get')
      ? `Run: sudo sh -c '${command}'`
      : `Install ${needed} with your package manager.`;
    throw new SetupError('System packages are missing.', `Not found: ${needed}.`, next);
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await step(`installing ${missing.join(', ')}`, async () => {
      await run('apt-get', ['update', '-qq'], { env });
      await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env });
    });
  } catch (error) {
    throw new SetupError('System packages could not be installed.', reason(error), `Run: ${command}`);
  }
}

/**
 * Build something in a folder next to its place and move it there when it is whole, so that an interrupted
 * run leaves nothing that looks finished.
 */
async function installInto(folder, isComplete, work) {
  if (isComplete(folder)) return folder;
  const temporary = `${folder}.new-${process.pid}`;
  const parent = dirname(folder);
  mkdirSync(parent, { recursive: true });
  removeLeftovers(folder);
  mkdirSync(temporary);
  writeFileSync(join(temporary, 'package.json'), '{"private":true}\n');
  try {
    await work(temporary);
    if (isComplete(folder)) return folder;
    await rm(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
    return folder;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Remove what interrupted runs left behind, but not what a running one is building. */
function removeLeftovers(folder) {
  for (const name of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), name);
    if (!path.startsWith(`${folder}.new-`)) continue;
    try {
      process.kill(Number(path.slice(`${folder}.new-`.length)), 0);
    } catch {
      rmSync(path, { recursive: true, force: true }); // its process is gone
    }
  }
}

/**
 * Get the Node.js that VS Code's server and some agents run on.
 * @returns {Promise<string>} its folder, with `bin/node` in it
 */
export async function ensureNode24() {
  const name = `node-${platform}`;
  const folder = await installInto(
    join(cacheFolder(), 'node24'),
    (at) => existsSync(join(at, 'node_modules', name, 'bin', 'node')),
    (at) => step('getting Node.js 24', () => run('npm', ['install', `${name}@24`, ...quiet], { cwd: at })),
  );
  return join(folder, 'node_modules', name);
}

/**
 * Get a real VS Code server with its workbench into the cache (first time: about a minute).
 * @param {string} version of code-server
 * @returns {Promise<{ node: string, root: string }>} root: folder of the VS Code server
 */
export async function ensureServer(version) {
  const inside = join('node_modules', 'code-server', 'lib', 'vscode');
  const folder = join(cacheFolder(), `code-server-${version}`);
  const isComplete = (at) =>
    existsSync(join(at, inside, 'out', 'server-main.js')) && existsSync(join(at, inside, 'node_modules'));
  if (!['linux', 'darwin'].includes(process.platform)) {
    const next = 'Allow the download of VS Code (PARLEY_VSCODE=desktop), or run the tests on Linux.';
    throw new SetupError(
      `There is no VS Code server for ${platform}.`,
      'It is made for Linux and macOS.',
      next,
    );
  }
  try {
    const node = await ensureNode24();
    if (!isComplete(folder)) {
      if (process.platform === 'linux') await ensureDebianPackages({ compiler: true });
      await installInto(folder, isComplete, (at) =>
        step(`getting VS Code (server ${version})`, () => installServer(at, join(at, inside), version, node)),
      );
    }
    return { node: join(node, 'bin', 'node'), root: join(folder, inside) };
  } catch (error) {
    if (error instanceof SetupError) throw error;
    const next =
      'Check the network and the compiler named above, then start again; nothing half-made is kept.';
    throw new SetupError(`VS Code (server ${version}) could not be installed.`, reason(error), next);
  }
}

/** Install the package without its own script: that one wants one Node.js version and sources from elsewhere. */
async function installServer(at, root, version, node) {
  const env = {
    ...process.env,
    PATH: join(node, 'bin') + delimiter + process.env.PATH,
    npm_config_nodedir: node,
  };
  const npm = (args, cwd) => run('npm', [...args, ...quiet, '--engine-strict=false'], { cwd, env });
  const extras = ['@vscode/ripgrep-universal@1.18.0', '@parcel/watcher@2.5.6'];
  await npm(['install', '--ignore-scripts', `code-server@${version}`, ...extras], at);
  for (const file of ['package.json', 'npm-shrinkwrap.json']) dropGitPackages(join(root, file));
  await npm(['install', '--omit=dev', '--ignore-scripts'], root);
  const native = [
    'node-pty',
    '@vscode/spdlog',
    'native-watchdog',
    '@vscode/native-watchdog',
    '@vscode/sqlite3',
  ];
  const present = native.filter((name) => existsSync(join(root, 'node_modules', name)));
  await npm(['rebuild', ...present], root);
  const search = join(root, 'node_modules', '@vscode', 'ripgrep');
  if (existsSync(search)) {
    await cp(join(at, 'node_modules/@vscode/ripgrep-universal/bin', platform), join(search, 'bin'), {
      recursive: true,
    });
  }
}

/** What comes from a git server there comes from the outer folder here, where it is an ordinary package. */
function dropGitPackages(file) {
  const manifest = readJson(file);
  for (const entry of [manifest, ...Object.values(manifest.packages ?? {})]) {
    for (const group of [entry.dependencies, entry.devDependencies]) {
      for (const name of Object.keys(group ?? {}))
        if (/^[^@/]+\/[^/]+#/.test(group[name])) delete group[name];
    }
  }
  for (const [path, entry] of Object.entries(manifest.packages ?? {})) {
    if (entry.resolved?.startsWith('git')) delete manifest.packages[path];
  }
  writeFileSync(file, JSON.stringify(manifest, null, 2));
}

/**
 * Get a real ACP agent into the cache, each version into a folder of its own.
 * @param {string} name
 * @param {string[]} packages with their versions; the first one is the agent
 * @param {string} program its file below `node_modules`
 * @returns {Promise<string>} the folder that holds `node_modules`
 */
export async function ensureAgent(name, packages, program) {
  const at = packages[0].lastIndexOf('@');
  const version = packages[0].slice(at + 1);
  const manifest = join('node_modules', packages[0].slice(0, at), 'package.json');
  const isComplete = (folder) =>
    existsSync(join(folder, 'node_modules', program)) &&
    existsSync(join(folder, manifest)) &&
    readJson(join(folder, manifest)).version === version;
  try {
    return await installInto(join(cacheFolder(), 'agents', `${name}-${version}`), isComplete, (temporary) =>
      step(`getting the agent ${packages.join(' and ')}`, () =>
        run('npm', ['install', ...packages, ...quiet, '--engine-strict=false'], { cwd: temporary }),
      ),
    );
  } catch (error) {
    throw new SetupError(
      `The agent ${name} could not be installed.`,
      reason(error),
      'Check the network, then start again.',
    );
  }
}

/** True when the service that @vscode/test-electron downloads from answers within three seconds. */
async function canDownloadVSCode() {
  try {
    const url = 'https://update.code.visualstudio.com/api/releases/stable';
    const answer = await fetch(url, { signal: AbortSignal.timeout(3000) });
    return answer.ok && Array.isArray(await answer.json());
  } catch {
    return false; // offline, or held back by a proxy
  }
}

/** True when a window can be shown. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * Which VS Code to test in: the desktop one where it can be had and shown, else the server with a browser.
 * @returns {Promise<{ kind: 'server' | 'desktop', why: string }>}
 */
export async function chooseVSCode() {
  const asked = process.env.PARLEY_VSCODE;
  if (asked === 'server' || asked === 'desktop') return { kind: asked, why: 'PARLEY_VSCODE asks for it' };
  if (asked) {
    throw new SetupError(
      `PARLEY_VSCODE is "${asked}".`,
      'Only two values are known.',
      'Set it to "server" or "desktop".',
    );
  }
  if (!hasDisplay()) return { kind: 'server', why: 'there is no display' };
  if (await canDownloadVSCode()) return { kind: 'desktop', why: 'VS Code can be downloaded' };
  return { kind: 'server', why: 'VS Code cannot be downloaded here' };
}
