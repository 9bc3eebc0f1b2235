import assert from 'node:assert/strict';
import type { Intent } from '../../../src/core/chat/protocol';
import { findChromium } from '../../vscode/setup.mjs';
import { until } from '../../vscode/until';
import { PageHarness, type ChatPage, type PageLook } from './chatPage';

/** Waits until a probe of the page is true. */
export const soon = (what: string, probe: () => Promise<boolean>): Promise<boolean> =>
  until(what, async () => (await probe()) || undefined, 15_000);

/** The page of the test that runs. */
export interface PageTest {
  open: (scene: string, script?: string, look?: PageLook) => Promise<ChatPage>;
  /** Waits for as many wishes of the page and compares them. */
  expectIntents: (...expected: Intent[]) => Promise<void>;
  /** Waits until what a selector finds has the focus. */
  expectFocus: (selector: string) => Promise<void>;
}

/** A suite of tests in the page's harness; skipped, and named so, where there is no Chromium. */
export function describePage(title: string, define: (test: PageTest) => void): void {
  const chromium = findChromium();
  const why = chromium ? '' : ' (skipped: there is no Chromium here; PARLEY_CHROMIUM can name one)';
  (chromium ? describe : describe.skip)(`${title}${why}`, function () {
    this.timeout(60_000);
    let harness: PageHarness | undefined;
    let chat: ChatPage | undefined;
    const current = (): ChatPage => {
      assert.ok(chat, 'No scene was opened.');
      return chat;
    };
    before(async () => {
      harness = await PageHarness.start();
    });
    afterEach(async () => {
      await chat?.page.close();
      assert.deepEqual(chat?.problems ?? [], []);
      chat = undefined;
    });
    after(() => harness?.close());
    define({
      open: async (scene, script, look) => {
        assert.ok(harness);
        await chat?.page.close();
        return (chat = await harness.open(scene, script, look));
      },
      expectIntents: async (...expected) => {
        const page = current();
        await soon(`${expected.length} wishes`, async () => (await page.intents()).length >= expected.length);
        assert.deepEqual(await page.intents(), expected);
      },
      expectFocus: (selector) =>
        current().page.locator(`${selector}:focus`).waitFor({ state: 'attached', timeout: 15_000 }),
    });
  });
}
