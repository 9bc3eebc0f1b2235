// Starts VS Code with Parley from the sources in it, the chat panel in view.
//   npm start [-- [--agent 'COMMAND LINE'] [--folder FOLDER] [--screenshot FILE.png] [--exit]]
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runMain } from './cli.mjs';
import { SetupError, step } from './progress.mjs';
import { ensureBuild, ensureDependencies, hasDisplay, repository } from './setup.mjs';

const here = join(repository, 'test', 'vscode');

/** Import a module of this folder; tsx is there only after the set-up. */
async function importTypeScript(file) {
  const { tsImport } = await import('tsx/esm/api');
  return tsImport(file, import.meta.url);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        agent: { type: 'string' },
        folder: { type: 'string' },
        screenshot: { type: 'string' },
        exit: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    const usage = "npm start -- [--agent 'COMMAND LINE'] [--folder FOLDER] [--screenshot FILE.png] [--exit]";
    throw new SetupError('The options are not understood.', error.message, `Use: ${usage}`);
  }
}

/** The desktop VS Code of the person, where one can be shown. */
function findDesktopCode() {
  if (!hasDisplay() || process.env.PARLEY_VSCODE === 'server') return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Open the person's own VS Code, with settings of its own, and wait until its window is closed. */
async function startDesktopCode(program, folder, settings, temporary) {
  const { defaultSettings } = await importTypeScript('./vscodeWindow.ts');
  const user = join(temporary, 'user');
  mkdirSync(join(user, 'User'), { recursive: true });
  writeFileSync(
    join(user, 'User', 'settings.json'),
    JSON.stringify({ ...defaultSettings, ...settings }, null, 2),
  );
  const args = [
    ...['--new-window', '--wait', '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'],
    ...[`--user-data-dir=${user}`, `--extensions-dir=${join(temporary, 'extensions')}`],
    ...[`--extensionDevelopmentPath=${repository}`, `--extensionDevelopmentPath=${join(here, 'opener')}`],
    folder,
  ];
  const child = spawn(program, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  console.log(`Parley opens in ${program}. Close its window, or press Ctrl+C here, to stop.`);
  await new Promise((done, failed) => {
    child.on('error', failed);
    child.on('exit', done);
  });
}

/** Resolves at the first Ctrl+C, so that there is time to clean up; the second one ends at once. */
function stopAsked() {
  let asked = false;
  return new Promise((done) => {
    const onSignal = () => {
      if (asked) process.exit(130);
      asked = true;
      done();
    };
    for (const name of ['SIGINT', 'SIGTERM']) process.on(name, onSignal);
  });
}

/** Wait until the agent is connected, or asks to sign in. */
async function agentReady(window) {
  const chat = await window.chat(60_000);
  const panel = chat.locator('[data-parley="panel"]');
  const settled = ['ready', 'auth', 'exited'].map(
    (state) => `[data-parley="panel"][data-connection="${state}"]`,
  );
  await chat.waitForSelector(settled.join(', '), { timeout: 90_000 }).catch(() => undefined); // judged below
  const state = await panel.getAttribute('data-connection');
  if (state === 'ready') return;
  if (state === 'auth') return console.log('  The agent asks to sign in: choose a method in the chat panel.');
  const next = 'Try the command line of the agent in a terminal; "Parley: Diagnose Agent" tells more.';
  const seen = (await panel.innerText()).replace(/\s*\n\s*/g, ' ').slice(0, 500);
  throw new SetupError(
    'The agent did not get ready.',
    `Its connection is "${state}". The panel says: ${seen}`,
    next,
  );
}

/** Open a window that this program drives, and see that the panel gets ready. */
async function startDrivenCode(folder, settings, options) {
  const { launchVSCode } = await importTypeScript('./window.ts');
  const stopping = stopAsked();
  const headed = hasDisplay();
  const host = await launchVSCode({ version: 'newest', extension: { kind: 'source' }, opener: true, headed });
  try {
    const window = await host.openWindow({ folder, settings });
    await step('waiting for the agent', () => agentReady(window));
    if (options.screenshot) await window.screenshot(resolve(options.screenshot));
    console.log(`Parley is ready: ${window.address ?? 'in the window of VS Code'} (workspace ${folder})`);
    if (options.exit) return;
    console.log('Press Ctrl+C to stop.');
    const closed = new Promise((done) => window.page.once('close', done));
    await Promise.race(headed ? [stopping, closed] : [stopping]);
  } finally {
    await host.stop();
  }
}

await runMain(async () => {
  const options = readOptions();
  await ensureDependencies();
  await ensureBuild();
  const temporary = mkdtempSync(join(tmpdir(), 'parley-start-'));
  const folder = options.folder ? resolve(options.folder) : join(temporary, 'tea-shop');
  if (!options.folder) cpSync(join(here, 'sample'), folder, { recursive: true });
  const settings = options.agent
    ? {
        'parley.agents': { Custom: { command: options.agent, shell: true } },
        'parley.defaultAgent': 'Custom',
      }
    : {};
  try {
    const desktop = options.exit || options.screenshot ? undefined : findDesktopCode();
    if (desktop) await startDesktopCode(desktop, folder, settings, temporary);
    else await startDrivenCode(folder, settings, options);
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});
