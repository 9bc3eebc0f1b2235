import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath } from '@vscode/test-electron';
import { _electron as electron, type ElectronApplication, type Frame, type Page } from 'playwright-core';
import { endWithUs } from './children';
import { findChat, nameHelper, runPaletteCommand, workbenchReady } from './pageDriver';
import { run, step } from './progress.mjs';
import { cacheFolder } from './setup.mjs';
import { defaultSettings, type VSCodeHost, type VSCodeWindow, type WindowOptions } from './vscodeWindow';

/** A desktop VS Code to run, and the extension to load. */
export interface DesktopOptions {
  /** `stable` or an exact version. */
  vscode: string;
  path: string;
  fromPackage: boolean;
  opener?: boolean;
}

const openerFolder = join(import.meta.dirname, 'opener');
const callerFolder = join(import.meta.dirname, 'caller');
const modelsFolder = join(import.meta.dirname, 'models');

/** The environment without what a VS Code that started us would hand on to its child. */
function cleanEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !name.startsWith('VSCODE_') && !name.startsWith('ELECTRON_'),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...extra };
}

/** Download a desktop VS Code (kept in the cache) and get it ready to open windows. */
export async function launchDesktop(options: DesktopOptions): Promise<VSCodeHost> {
  const cachePath = join(cacheFolder(), 'vscode-desktop');
  mkdirSync(cachePath, { recursive: true });
  const executable = await step(`getting VS Code ${options.vscode}`, () =>
    downloadAndUnzipVSCode({ version: options.vscode, cachePath, timeout: 60_000 }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'parley-vscode-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const host = new DesktopHost(options, executable, folder);
  await host.start();
  return host;
}

class DesktopHost implements VSCodeHost {
  readonly kind = 'desktop';
  private readonly windows = new Set<DesktopWindow>();
  private count = 0;

  constructor(
    private readonly options: DesktopOptions,
    private readonly executable: string,
    private readonly folder: string,
  ) {}

  async start(): Promise<void> {
    const template = join(this.folder, 'extensions');
    mkdirSync(template);
    if (!this.options.fromPackage) return;
    const [command, ...rest] = resolveCliArgsFromVSCodeExecutablePath(this.executable, {
      reuseMachineInstall: true,
    });
    if (!command) throw new Error('This VS Code has no command line program.');
    const folders = ['--extensions-dir', template, '--user-data-dir', join(this.folder, 'install')];
    const args = [...rest, ...folders, '--install-extension', this.options.path, '--force'];
    await run(command, args, { env: cleanEnvironment() });
  }

  async openWindow(options: WindowOptions): Promise<VSCodeWindow> {
    const data = join(this.folder, `window-${++this.count}`);
    const user = join(data, 'user', 'User');
    mkdirSync(user, { recursive: true });
    cpSync(join(this.folder, 'extensions'), join(data, 'extensions'), { recursive: true });
    const trust = options.workspaceTrust ? { 'security.workspace.trust.enabled': true } : {};
    const size = { 'window.newWindowDimensions': 'default', 'window.restoreWindows': 'none' };
    const settings = { ...defaultSettings, ...size, ...trust, ...options.settings };
    writeFileSync(join(user, 'settings.json'), JSON.stringify(settings, null, 2));
    const app = await electron.launch({
      executablePath: this.executable,
      args: this.argsFor(options, data),
      env: cleanEnvironment({ ...options.env, ...(options.calls ? { PARLEY_CALLS: options.calls } : {}) }),
      timeout: 60_000,
    });
    endWithUs(app.process());
    await app.context().addInitScript(nameHelper);
    const page = await app.firstWindow();
    const window = new DesktopWindow(app, page, data, () => this.windows.delete(window));
    this.windows.add(window);
    await app.evaluate(resize, [options.width ?? 1400, options.height ?? 900] as [number, number]);
    await workbenchReady(page);
    return window;
  }

  private argsFor(options: WindowOptions, data: string): string[] {
    const development = this.options.fromPackage ? [] : [this.options.path];
    if (this.options.opener) development.push(openerFolder);
    if (options.calls !== undefined) development.push(callerFolder);
    if (options.models) development.push(modelsFolder);
    return [
      options.folder,
      ...development.map((path) => `--extensionDevelopmentPath=${path}`),
      `--user-data-dir=${join(data, 'user')}`,
      `--extensions-dir=${join(data, 'extensions')}`,
      ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
      ...['--skip-welcome', '--skip-release-notes', '--disable-updates', '--disable-telemetry'],
      ...['--disable-crash-reporter', '--password-store=basic', '--use-inmemory-secretstorage'],
      ...(process.platform === 'linux' ? ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] : []),
    ];
  }

  async stop(): Promise<void> {
    await Promise.all([...this.windows].map((window) => window.close()));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** What `resize` uses of Electron's module. */
interface Electron {
  BrowserWindow: { getAllWindows(): { setContentSize(width: number, height: number): void }[] };
}

const resize = ({ BrowserWindow }: Electron, [width, height]: [number, number]): void =>
  BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);

class DesktopWindow implements VSCodeWindow {
  readonly address = undefined;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly app: ElectronApplication,
    readonly page: Page,
    readonly dataFolder: string,
    private readonly onClosed: () => void,
  ) {}

  chat(timeout?: number): Promise<Frame> {
    return findChat(this.page, timeout);
  }

  async openChat(): Promise<Frame> {
    await this.runCommand('Parley: Open Chat');
    return this.chat();
  }

  runCommand(title: string, timeout?: number): Promise<void> {
    return runPaletteCommand(this.page, title, timeout);
  }

  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: 60_000 });
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await workbenchReady(this.page);
  }

  async screenshot(file: string): Promise<void> {
    await this.page.screenshot({ path: file });
  }

  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private async end(): Promise<void> {
    const child = this.app.process();
    const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await this.app.close().catch(() => undefined); // it may have gone by itself
    clearTimeout(force);
    rmSync(this.dataFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    this.onClosed();
  }
}
