import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Frame, type Page } from 'playwright-core';
import { endProcess, endWithUs } from './children';
import { findChat, nameHelper, runPaletteCommand, workbenchReady } from './pageDriver';
import { run } from './progress.mjs';
import { ensureDebianPackages, findChromium } from './setup.mjs';
import { until } from './until';
import { defaultSettings, type VSCodeHost, type VSCodeWindow, type WindowOptions } from './vscodeWindow';

/** A server to run: its Node.js and folder, and the extension to load. */
export interface ServerOptions {
  node: string;
  root: string;
  path: string;
  fromPackage: boolean;
  opener?: boolean;
  headed?: boolean;
}

/** Built-in extensions that tests see something of; each one more costs time in every window. */
const builtIns = [
  ...[
    'configuration-editing',
    'css',
    'diff',
    'git',
    'git-base',
    'html',
    'javascript',
    'json',
    'markdown-basics',
  ],
  ...[
    'media-preview',
    'python',
    'search-result',
    'shellscript',
    'theme-defaults',
    'theme-modern-icons',
    'theme-seti',
  ],
  ...['typescript-basics', 'yaml'],
];

const openerFolder = join(import.meta.dirname, 'opener');
const callerFolder = join(import.meta.dirname, 'caller');
const modelsFolder = join(import.meta.dirname, 'models');
const browserArgs = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

interface RunningServer {
  child: ChildProcess;
  port: number;
  log: () => string;
}

/** The VS Code server with Chromium. Each window has a server, settings and storage of its own. */
export async function launchServer(options: ServerOptions): Promise<VSCodeHost> {
  if (process.platform === 'linux') await ensureDebianPackages();
  const folder = mkdtempSync(join(tmpdir(), 'parley-vscode-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const host = new ServerHost(options, folder);
  await host.start();
  return host;
}

class ServerHost implements VSCodeHost {
  readonly kind = 'server';
  private readonly windows = new Set<ServerWindow>();
  /** Ports of closed windows: the same address again lets the browser use what it has compiled. */
  private readonly freePorts: number[] = [];
  private browser: BrowserContext | undefined;
  private count = 0;

  constructor(
    private readonly options: ServerOptions,
    private readonly folder: string,
  ) {}

  async start(): Promise<void> {
    const { options, folder } = this;
    mkdirSync(join(folder, 'builtins'));
    mkdirSync(join(folder, 'extensions'));
    for (const name of builtIns) {
      const from = join(options.root, 'extensions', name);
      if (existsSync(from)) symlinkSync(from, join(folder, 'builtins', name));
    }
    if (options.opener) cpSync(openerFolder, join(folder, 'builtins', 'parley-opener'), { recursive: true });
    // Not as an extension under development: the workbench would then want its smoke-test mode, which shows no toasts.
    if (!options.fromPackage) symlinkSync(options.path, join(folder, 'extensions', 'parley.parley-0.0.0'));
    await Promise.all([this.startBrowser(), options.fromPackage ? this.installPackage() : undefined]);
  }

  private async startBrowser(): Promise<void> {
    const headless = !this.options.headed;
    this.browser = await chromium.launchPersistentContext(join(this.folder, 'browser'), {
      executablePath: findChromium() ?? 'chromium',
      headless,
      args: browserArgs,
      viewport: null,
      permissions: ['clipboard-read', 'clipboard-write'],
      handleSIGINT: false,
    });
    await this.browser.addInitScript(nameHelper);
  }

  private async installPackage(): Promise<void> {
    const data = join(this.folder, 'install');
    await run(this.options.node, [
      ...this.serverArgs(data),
      '--install-extension',
      this.options.path,
      '--force',
    ]);
    rmSync(data, { recursive: true, force: true });
  }

  private serverArgs(data: string, builtInsFolder = join(this.folder, 'builtins')): string[] {
    const { options, folder } = this;
    return [
      join(options.root, 'out', 'server-main.js'),
      ...['--server-data-dir', data, '--extensions-dir', join(folder, 'extensions')],
      ...['--builtin-extensions-dir', builtInsFolder],
      ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    ];
  }

  /** The built-in extensions and the helpers of a window; those that all windows share where it has none. */
  private builtInsFor(folder: string, { calls, models }: WindowOptions): string | undefined {
    if (calls === undefined && !models) return undefined;
    mkdirSync(folder, { recursive: true });
    const shared = join(this.folder, 'builtins');
    for (const name of readdirSync(shared)) symlinkSync(join(shared, name), join(folder, name));
    if (calls !== undefined) symlinkSync(callerFolder, join(folder, 'parley-caller'));
    if (models) symlinkSync(modelsFolder, join(folder, 'parley-models'));
    return folder;
  }

  private async startServer(data: string, window: WindowOptions): Promise<RunningServer> {
    const { calls } = window;
    const args = [
      ...this.serverArgs(data, this.builtInsFor(join(data, 'builtins'), window)),
      ...['--host', '127.0.0.1', '--port', String(this.freePorts.pop() ?? 0)],
      ...['--without-connection-token', '--reconnection-grace-time', '2', '--enable-remote-auto-shutdown'],
      ...(window.workspaceTrust ? [] : ['--disable-workspace-trust']),
    ];
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      ...window.env,
      ...(calls ? { PARLEY_CALLS: calls } : {}),
    };
    const child = spawn(this.options.node, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    endWithUs(child);
    let log = '';
    const keep = (chunk: Buffer): void => void (log = (log + chunk.toString()).slice(-100_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => keep(Buffer.from(String(error))));
    const port = await until('the VS Code server to listen', () => {
      if (child.exitCode !== null || child.pid === undefined)
        throw new Error(`The VS Code server ended.\n${log}`);
      const found = /agent listening on (\d+)/.exec(log)?.[1];
      return found && log.includes('Extension host agent started') ? Number(found) : undefined;
    });
    return { child, port, log: () => log };
  }

  async openWindow(options: WindowOptions): Promise<VSCodeWindow> {
    const context = this.browser;
    if (!context) throw new Error('This VS Code has been stopped.');
    const data = join(this.folder, `window-${++this.count}`);
    const trust = options.workspaceTrust ? { 'security.workspace.trust.enabled': true } : {};
    const settings = JSON.stringify({ ...defaultSettings, ...trust, ...options.settings }, null, 2);
    // A remote window takes settings of the scope "machine" from the machine's file alone.
    for (const scope of ['User', 'Machine']) {
      mkdirSync(join(data, 'data', scope), { recursive: true });
      writeFileSync(join(data, 'data', scope, 'settings.json'), settings);
    }
    const server = await this.startServer(data, options);
    const kind = options.folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
    const address = `http://127.0.0.1:${server.port}/?${new URLSearchParams({ [kind]: options.folder }).toString()}`;
    const page = await context.newPage();
    // The browser asks before it leaves a page with unsaved files; no other dialog of the browser is expected.
    page.on(
      'dialog',
      (dialog) => void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()),
    );
    const window = new ServerWindow(page, address, { ...server, data }, async () => {
      await stopWorkers(context, new URL(address).origin).catch(() => undefined); // the browser may have gone
      this.windows.delete(window);
      this.freePorts.push(server.port);
    });
    this.windows.add(window);
    try {
      // A window begins without what an earlier one on the same address has stored.
      await clearStorage(page, `http://127.0.0.1:${server.port}`, everything);
      if (!this.options.headed || options.width) {
        await page.setViewportSize({ width: options.width ?? 1400, height: options.height ?? 900 });
      }
      await page.goto(address);
      await workbenchReady(page);
    } catch (error) {
      const report = `${String(error)}\n${window.logs()}`;
      await window.close();
      throw new Error(`The VS Code window did not open. ${report}`, { cause: error });
    }
    return window;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.windows].map((window) => window.close()));
    await this.browser?.close();
    this.browser = undefined;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

const workers = 'service_workers,cache_storage';
const everything = `cookies,indexeddb,local_storage,websql,file_systems,${workers}`;

async function clearStorage(page: Page, origin: string, storageTypes: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await session.detach();
}

interface WorkerVersions {
  versions: { versionId: string; scriptURL: string; runningStatus: string }[];
}

/**
 * Ends the service workers of an origin. A worker that is watched, as all are here, never ends by itself, and keeps the process of the
 * page that began it: some 200 MB for each window that had a webview.
 */
async function stopWorkers(context: BrowserContext, origin: string): Promise<void> {
  const [page] = context.pages();
  if (!page) return;
  const session = await context.newCDPSession(page);
  const stops: Promise<unknown>[] = [];
  session.on('ServiceWorker.workerVersionUpdated', ({ versions }: WorkerVersions) => {
    for (const { versionId, scriptURL, runningStatus } of versions) {
      if (!scriptURL.startsWith(`${origin}/`) || runningStatus !== 'running') continue;
      // One that ends meanwhile, or with the browser, has what is wanted.
      stops.push(session.send('ServiceWorker.stopWorker', { versionId }).catch(() => undefined));
    }
  });
  await session.send('ServiceWorker.enable'); // tells of those that there are before it is answered
  await Promise.all(stops);
  await session.detach();
}

class ServerWindow implements VSCodeWindow {
  private closing: Promise<void> | undefined;

  constructor(
    readonly page: Page,
    readonly address: string,
    private readonly server: RunningServer & { data: string },
    private readonly onClosed: () => Promise<void>,
  ) {}

  get dataFolder(): string {
    return this.server.data;
  }

  /** What the server and the extension host have logged, for the report of a failure. */
  logs(): string {
    const root = join(this.dataFolder, 'data', 'logs');
    const files = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
    const parts = files
      .filter((file) => file.endsWith('exthost.log'))
      .map((file) => `--- ${file}\n${tail(readFileSync(join(root, file), 'utf8'))}`);
    return [`--- server\n${tail(this.server.log())}`, ...parts].join('\n');
  }

  async chat(timeout?: number): Promise<Frame> {
    try {
      return await findChat(this.page, timeout);
    } catch (error) {
      throw new Error(`${String(error)}\n${this.logs()}`, { cause: error });
    }
  }

  async openChat(): Promise<Frame> {
    await this.runCommand('Parley: Open Chat');
    return this.chat();
  }

  runCommand(title: string, timeout?: number): Promise<void> {
    return runPaletteCommand(this.page, title, timeout);
  }

  async reload(): Promise<void> {
    // A webview that finds its service worker running waits seconds for the check whether there is a newer one.
    await clearStorage(this.page, new URL(this.address).origin, workers);
    await this.page.reload();
    await workbenchReady(this.page);
  }

  async screenshot(file: string): Promise<void> {
    await this.page.screenshot({ path: file });
  }

  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private async end(): Promise<void> {
    if (!this.page.isClosed()) await this.page.close({ runBeforeUnload: false });
    await this.extensionHostsGone().catch(() => undefined); // the end of the server takes a stuck one along
    await endProcess(this.server.child);
    rmSync(this.dataFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    await this.onClosed();
  }

  private extensionHostsGone(): Promise<true> {
    return until(
      'the extension host to end',
      () => {
        const log = this.server.log();
        const started = log.match(/> Launched Extension Host Process/g)?.length ?? 0;
        const ended = log.match(/> Extension Host Process exited/g)?.length ?? 0;
        return ended >= started || this.server.child.exitCode !== null ? true : undefined;
      },
      10_000,
    );
  }
}

const tail = (text: string): string => text.trim().split('\n').slice(-30).join('\n');
