import { until } from '../vscode/until';
import type { VSCodeHost, VSCodeWindow } from '../vscode/window';
import { inWindow, type Subject } from './subject';

/** VS Code's own numbers for one activation, ms. */
export interface Activation {
  loadCode: number;
  callActivate: number;
  finishActivate: number;
  total: number;
}

/** Reads the table of activations in the text of the startup performance report. */
export function readActivation(report: string, id: string): Activation | undefined {
  const cells = report
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find((row) => row[1] === id && ['true', 'false'].includes(row[2] ?? ''));
  const [loadCode, callActivate, finishActivate] = (cells ?? []).slice(3, 6).map(Number);
  if (loadCode === undefined || callActivate === undefined || finishActivate === undefined) return undefined;
  return { loadCode, callActivate, finishActivate, total: loadCode + callActivate + finishActivate };
}

async function activationIn(window: VSCodeWindow, id: string): Promise<Activation> {
  const { page } = window;
  await window.runCommand('Developer: Startup Performance');
  const lines = page.locator('.editor-instance .view-lines').first();
  await lines.waitFor({ timeout: 30_000 });
  return until(`the activation of ${id} in the startup performance report`, async () => {
    await lines.click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+C');
    return readActivation(await page.evaluate(() => navigator.clipboard.readText()), id);
  });
}

/** One activation of each extension in each of so many rounds, every one in a window of its own. */
export async function measureActivation(
  subjects: readonly { subject: Subject; host: VSCodeHost }[],
  rounds: number,
  temporary: string,
): Promise<Activation[][]> {
  const results: Activation[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { subject, host }] of subjects.entries()) {
      const activation = await inWindow(host, subject, { temporary }, (window) =>
        activationIn(window, subject.id),
      );
      results[index]?.push(activation);
    }
  }
  return results;
}
