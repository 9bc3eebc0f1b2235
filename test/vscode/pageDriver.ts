import type { Frame, Page } from 'playwright-core';
import { until, WaitedInVain } from './until';

const input = '.quick-input-widget .quick-input-box input';
const rows = '.quick-input-widget .quick-input-list .monaco-list-row';

/** Functions that esbuild has given names call this helper, which a page does not have: page.evaluate needs it. */
export const nameHelper = 'globalThis.__name ??= (target) => target;';

/** Wait until the workbench takes key presses. */
export async function workbenchReady(page: Page, timeout = 60_000): Promise<void> {
  await page.waitForSelector('.monaco-workbench .part.statusbar', { timeout });
}

async function isChat(frame: Frame): Promise<boolean> {
  try {
    return (await frame.locator('[data-parley="panel"]').count()) > 0;
  } catch {
    return false; // the frame went away or is not loaded yet
  }
}

/** The frame that holds the chat page: it is an iframe in an iframe, and a reload makes a new one. */
export function findChat(page: Page, timeout = 30_000): Promise<Frame> {
  return until(
    'the chat panel to be in view',
    async () => {
      const frames = page.frames().filter((frame) => frame.parentFrame() !== null && !frame.isDetached());
      const found = await Promise.all(frames.map(isChat));
      return frames.find((_, index) => found[index]);
    },
    timeout,
  );
}

interface Row {
  label: string;
  focused: boolean;
}

// As text, for this side of the test has no types of the page's world.
const readRowsInPage = `[...document.querySelectorAll(${JSON.stringify(rows)})].map((row) => ({
  label: row.querySelector('.monaco-icon-label .label-name')?.textContent ?? '',
  focused: row.classList.contains('focused'),
}))`;

/** After this time the rows of the palette are those of what was typed last. */
const settled = 700;

/** Type a command's title into the palette, wait until it is the chosen row, and take it. */
export async function runPaletteCommand(page: Page, title: string, timeout = 30_000): Promise<void> {
  const deadline = Date.now() + timeout;
  let seen: string[] = [];
  while (Date.now() < deadline) {
    await page.keyboard.press('F1');
    const box = page.locator(input);
    try {
      await box.fill(`>${title}`, { timeout: 3_000 });
    } catch (error) {
      seen = [`(the palette closed: ${String(error).split('\n')[0] ?? ''})`];
      continue; // Something else took the focus just then: a person would press F1 again.
    }
    const since = Date.now();
    const chosen = await until(
      `the command "${title}"`,
      async () => {
        const list = await page.evaluate<Row[]>(readRowsInPage);
        seen = list.map((row) => row.label);
        if (list.some((row) => row.focused && row.label === title)) return true;
        return list.length > 0 && Date.now() - since > settled ? false : undefined;
      },
      10_000,
    ).catch((error: unknown) => {
      if (error instanceof WaitedInVain) return false;
      throw error;
    });
    if (chosen) return page.keyboard.press('Enter');
    // The list is not brought up to date when an extension adds its commands: ask for a new one.
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'hidden', timeout: 10_000 });
  }
  throw new Error(
    `The palette has no command "${title}" after ${timeout / 1000} s; it shows: ${seen.join(' | ')}`,
  );
}
