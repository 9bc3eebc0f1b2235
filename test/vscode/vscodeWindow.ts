import type { Frame, Page } from 'playwright-core';

/** Which VS Code, and which Parley in it. */
export interface LaunchOptions {
  version: 'oldest' | 'newest';
  /** From the folder of the sources (built before), or from a package. */
  extension: { kind: 'source'; path?: string } | { kind: 'vsix'; path: string };
  /** Also load the helper that brings the chat panel into view at the start. */
  opener?: boolean;
  /** Show the window. */
  headed?: boolean;
}

/** What one window shows and how. */
export interface WindowOptions {
  /** A folder, or a workspace file (`.code-workspace`). */
  folder: string;
  /** User settings of this window only, on top of the defaults for tests. */
  settings?: Record<string, unknown>;
  width?: number;
  height?: number;
  /** Environment of the extension host, on top of this process's. */
  env?: Record<string, string>;
  /** Turn workspace trust on: the folder is then not trusted. */
  workspaceTrust?: boolean;
  /** Load the helper that runs commands as another extension does; it takes its orders from files in this folder. */
  calls?: string;
  /** Load the helper that brings language models of its own. */
  models?: boolean;
}

/** A running VS Code that opens windows. */
export interface VSCodeHost {
  readonly kind: 'server' | 'desktop';
  openWindow(options: WindowOptions): Promise<VSCodeWindow>;
  stop(): Promise<void>;
}

/** One VS Code window with an extension host of its own. */
export interface VSCodeWindow {
  readonly page: Page;
  /** Where a browser can open the window too (server only). */
  readonly address: string | undefined;
  /** Folder with the settings and logs of this window; gone after `close`. */
  readonly dataFolder: string;
  /** The frame of the chat page. Ask again after a reload. */
  chat(timeout?: number): Promise<Frame>;
  /** Open the chat with its command and give its frame. */
  openChat(): Promise<Frame>;
  /** Run a command by its title in the palette, such as "Parley: Open Chat". */
  runCommand(title: string, timeout?: number): Promise<void>;
  reload(): Promise<void>;
  screenshot(file: string): Promise<void>;
  /** Close the window as a person does; resolves when its extension host is gone. */
  close(): Promise<void>;
}

/** User settings of every window: nothing that pops up, downloads or reports. */
export const defaultSettings: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'extensions.webWorker': false,
  'files.autoSave': 'off',
  'git.autofetch': false,
  'git.autorefresh': false,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'terminal.integrated.gpuAcceleration': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'window.confirmBeforeClose': 'never',
  'window.newWindowDimensions': 'inherit',
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};
