import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { until } from '../vscode/until';
import { launchVSCode, type VSCodeHost, type VSCodeWindow, type WindowOptions } from '../vscode/window';

/** An extension to measure: Parley or a control. */
export interface Subject {
  /** Publisher and name. */
  id: string;
  /** The folder that holds it. */
  path: string;
  /** Title of the command that opens its view. */
  open: string;
  /** What is in the view's page when it is ready. */
  ready: string;
}

/** Time in which a window gets over its own start, ms. */
const settling = 3_000;

async function findFrame(page: Page, selector: string): Promise<Frame> {
  return until(
    `${selector} to be in view`,
    async () => {
      for (const frame of page.frames()) {
        const count = await frame
          .locator(selector)
          .count()
          .catch(() => 0); // a frame that is not loaded yet
        if (count > 0) return frame;
      }
      return undefined;
    },
    60_000,
  );
}

/** Starts a VS Code with this extension alone. */
export function launch(subject: Subject): Promise<VSCodeHost> {
  return launchVSCode({ version: 'newest', extension: { kind: 'source', path: subject.path } });
}

/** Opens a window on an empty folder, opens the view in it, does the work and closes the window. */
export async function inWindow<T>(
  host: VSCodeHost,
  subject: Subject,
  options: Omit<WindowOptions, 'folder'> & { temporary: string },
  work: (window: VSCodeWindow, frame: Frame) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(options.temporary, 'workspace-'));
  const window = await host.openWindow({ ...options, folder });
  try {
    await new Promise((resolve) => setTimeout(resolve, settling));
    await window.runCommand(subject.open);
    return await work(window, await findFrame(window.page, subject.ready));
  } finally {
    await window.close();
  }
}
