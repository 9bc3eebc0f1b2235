import { launchDesktop } from './desktopHost';
import { launchServer } from './serverHost';
import { chooseVSCode, ensureServer, repository, versions } from './setup.mjs';
import type { LaunchOptions, VSCodeHost } from './vscodeWindow';

export type { LaunchOptions, VSCodeHost, VSCodeWindow, WindowOptions } from './vscodeWindow';

/** Start a VS Code: the desktop one where it can be had, else the server with a browser. */
export async function launchVSCode(options: LaunchOptions): Promise<VSCodeHost> {
  const choice = await chooseVSCode();
  const version = versions[options.version];
  const extension = options.extension.path ?? repository;
  const launch = { ...options, path: extension, fromPackage: options.extension.kind === 'vsix' };
  if (choice.kind === 'desktop') {
    try {
      return await launchDesktop({
        ...launch,
        vscode: options.version === 'newest' ? 'stable' : version.vscode,
      });
    } catch (error) {
      if (process.env['PARLEY_VSCODE'] === 'desktop' || process.platform === 'win32') throw error;
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
      console.log(`The desktop VS Code is not to be had (${why}); the VS Code server takes its place.`);
    }
  }
  return launchServer({ ...launch, ...(await ensureServer(version.server)) });
}
