import type { Frame } from 'playwright-core';
import { until } from '../vscode/until';
import type { VSCodeHost } from '../vscode/window';
import { buildRecorder } from './extensions';
import type { Recording } from './page/recorder';
import { lastWords } from './sample.mjs';
import { inWindow, type Subject } from './subject';

/** A page that shows a streamed message, and how to ask for one. */
export interface StreamSubject extends Subject {
  /** Where the message is in the page. */
  message: string;
  /** Where Enter is pressed. */
  input: string;
  /** Text that is written there before. */
  prompt: string;
  settings?: Record<string, unknown>;
  env?: Record<string, string>;
}

/** One streamed message, ms. */
export interface Streamed {
  complete: boolean;
  /** From Enter to the last word; where it did not come, the time that was waited. */
  fromEnter: number;
  /** From the agent's first chunk to the last word. */
  fromFirstChunk: number;
  longestGap: number;
  frames: number;
  headings: number;
  /** Chunks that were drawn one by one, where the page counts them. */
  drawn: number | undefined;
}

async function waitForEnd(frame: Frame, limit: number): Promise<Streamed> {
  const read = (): Promise<Partial<Recording>> => frame.evaluate(() => window.recorder.recording);
  const deadline = Date.now() + limit;
  const begun = async () => ((await read()).begun === undefined ? undefined : true);
  await until('the beginning of the message to be on screen', begun, 60_000).catch(async (error: unknown) => {
    const seen = await frame.locator('body').innerText();
    throw new Error(`${String(error)} The page shows: ${seen.slice(0, 500)}`);
  });
  let recording = await read();
  while (recording.shown === undefined && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    recording = await read();
  }
  const counters = frame.locator('[data-chunks]');
  const counted = await counters.evaluateAll((found) => found[0]?.getAttribute('data-chunks'));
  const {
    sent = 0,
    begun: first = sent,
    shown = Date.now(),
    longestGap = 0,
    frames = 0,
    headings = 0,
  } = recording;
  return {
    complete: recording.shown !== undefined,
    fromEnter: shown - sent,
    fromFirstChunk: shown - first,
    longestGap,
    frames,
    headings,
    drawn: counted ? Number(counted) : undefined,
  };
}

/** Streams one message into a page in a window of its own, and waits for its end up to `limit` ms. */
export async function measureStreaming(
  host: VSCodeHost,
  subject: StreamSubject,
  limit: number,
  temporary: string,
): Promise<Streamed> {
  const recorder = await buildRecorder();
  const { settings = {}, env = {} } = subject;
  return inWindow(host, subject, { temporary, settings, env }, async ({ page }, frame) => {
    await frame.evaluate(recorder);
    await frame.evaluate(([selector, words]) => window.recorder.start(selector, words), [
      subject.message,
      lastWords,
    ] as const);
    await frame.locator(subject.input).click();
    if (subject.prompt) await page.keyboard.insertText(subject.prompt);
    await page.keyboard.press('Enter');
    await until('Enter to reach the page', async () =>
      (await frame.evaluate(() => window.recorder.recording.sent)) === undefined ? undefined : true,
    );
    return waitForEnd(frame, limit);
  });
}
