import { chromium as browserType, type Browser, type Locator, type Page } from 'playwright-core';
import type { Draft, HostToPage, Intent, PageToHost } from '../../../src/core/chat/protocol';
import type { SessionAction } from '../../../src/core/session/actions';
import { chromium, pageEntries, serve } from './serve.mjs';

/** ms after which a wait in the page fails: before mocha's own limit, since only this error tells what was waited for. */
const PATIENCE = 15_000;

// What runs in the page is text, for this side has no types of the page's world.
const log = `document.querySelector('[data-parley="transcript"]')`;

/** The kinds of theme that VS Code has. */
export const THEMES = ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const;

/** How a page is looked at. */
export interface PageLook {
  /** px. */
  width?: number;
  height?: number;
  theme?: (typeof THEMES)[number];
  /** The language of its texts: `zh-cn` has those of the Chinese bundle. */
  lang?: 'en' | 'zh-cn';
}

/** The chat page in its harness, as a person and as the extension see it. */
export class ChatPage {
  readonly composer: Locator;
  readonly transcript: Locator;
  /** Errors that no one caught, and what the content security policy refused. */
  readonly problems: string[] = [];

  constructor(readonly page: Page) {
    this.composer = page.locator('[data-parley="composer"]');
    this.transcript = page.locator('[data-parley="transcript"]');
    page.setDefaultTimeout(PATIENCE);
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security')) this.problems.push(message.text());
    });
  }

  /** What the page has asked the extension for. */
  async intents(): Promise<Intent[]> {
    const sent = await this.page.evaluate<PageToHost[]>('window.harness.sent');
    return sent.flatMap((message) => (message.type === 'intent' ? [message.intent] : []));
  }

  /** The drafts that the page has sent, by session. */
  async drafts(): Promise<Record<string, Draft>> {
    const sent = await this.page.evaluate<PageToHost[]>('window.harness.sent');
    return Object.fromEntries(
      sent.flatMap((message) => (message.type === 'draft' ? [[message.key, message.draft]] : [])),
    );
  }

  /** Tells the page something that is not about the session. */
  post(message: HostToPage): Promise<void> {
    return this.page.evaluate(`window.harness.post(${JSON.stringify(message)})`);
  }

  /** Shows another session, which begins as a scene. */
  show(key: string, scene: string): Promise<void> {
    return this.page.evaluate(`window.harness.show(${JSON.stringify(key)}, ${JSON.stringify(scene)})`);
  }

  /** Leaves the intents without a reply until `release`. */
  async hold(): Promise<void> {
    await this.page.evaluate('window.harness.hold = true');
  }

  /** Gives the intents that wait for a reply theirs. */
  release(error: string | null): Promise<void> {
    return this.page.evaluate(`window.harness.release(${JSON.stringify(error)})`);
  }

  /** Lets something happen in the session. */
  play(...actions: SessionAction[]): Promise<void> {
    return this.page.evaluate(`window.harness.play(${JSON.stringify(actions)})`);
  }

  /** Gives the next intent an error. */
  async refuseNext(reason: string): Promise<void> {
    await this.page.evaluate(`window.harness.refuse = ${JSON.stringify(reason)}`);
  }

  /** Resolves when all that is in the document by now is on screen, and has had the chance to move something. */
  async drawn(): Promise<void> {
    await this.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))',
    );
  }

  scrollTop(): Promise<number> {
    return this.page.evaluate<number>(`${log}.scrollTop`);
  }

  /** How far (px) the end of the conversation is below the view. */
  belowView(): Promise<number> {
    return this.page.evaluate<number>(`${log}.scrollHeight - ${log}.scrollTop - ${log}.clientHeight`);
  }

  async scrollToTop(): Promise<void> {
    await this.page.evaluate(`${log}.scrollTop = 0`);
  }

  /** True when scrolling up has come to its end, which is when the page keeps the place. */
  restsAbove(): Promise<boolean> {
    return this.page.evaluate<boolean>(`(() => {
      const place = JSON.parse(sessionStorage.getItem('saved'))?.sessions.at(-1)?.place;
      const entry = place && ${log}.querySelector('[data-entry-id="' + place.id + '"], [data-first-id="' + place.id + '"]');
      if (!entry) return false;
      const offset = entry.getBoundingClientRect().top - ${log}.getBoundingClientRect().top;
      return Math.abs(offset - place.offset) < 1;
    })()`);
  }
}

/** A browser for chat pages. */
export class PageHarness {
  private constructor(
    private readonly server: { url: string; close(): void },
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<PageHarness> {
    const server = await serve(pageEntries);
    try {
      return new PageHarness(server, await browserType.launch(chromium));
    } catch (error) {
      server.close();
      throw error;
    }
  }

  /** @param script runs in the page before anything else */
  async open(scene: string, script = '', look: PageLook = {}): Promise<ChatPage> {
    const { width = 380, height = 800, theme = 'dark', lang = 'en' } = look;
    const page = await this.browser.newPage({ viewport: { width, height } });
    const chat = new ChatPage(page);
    await page.addInitScript(script);
    const query = new URLSearchParams({ scene, theme, lang });
    await page.goto(`${this.server.url}/test/support/pageHarness/page.html?${query.toString()}`);
    await page.locator('[data-parley="panel"]:not([data-connection="none"])').waitFor();
    return chat;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }
}
