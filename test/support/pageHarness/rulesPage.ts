import { chromium as browserType, type Browser, type Page } from 'playwright-core';
import type { RulesToHost } from '../../../src/core/permission/rulesProtocol';
import { chromium, pageEntries, serve } from './serve.mjs';

type Saved = Omit<RulesToHost & { type: 'save' }, 'id' | 'type'>;

/** The rules page in its harness. */
export class RulesPageDriver {
  /** Errors that no one caught, and what the content security policy refused. */
  readonly problems: string[] = [];

  constructor(readonly page: Page) {
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security')) this.problems.push(message.text());
    });
  }

  /** What the page has asked the extension to save. */
  async saved(): Promise<Saved[]> {
    const sent = await this.page.evaluate<RulesToHost[]>('window.harness.sent');
    return sent.flatMap((message) =>
      message.type === 'save' ? [{ scope: message.scope, before: message.before, rules: message.rules }] : [],
    );
  }

  /** Gives the next change an error. */
  async refuseNext(reason: string): Promise<void> {
    await this.page.evaluate(`window.harness.refuse = ${JSON.stringify(reason)}`);
  }

  /** True where something is wider than the window. */
  scrollsSideways(): Promise<boolean> {
    return this.page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
  }
}

/** A browser for rules pages. */
export class RulesHarness {
  private constructor(
    private readonly server: { url: string; close(): void },
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<RulesHarness> {
    const server = await serve(pageEntries);
    try {
      return new RulesHarness(server, await browserType.launch(chromium));
    } catch (error) {
      server.close();
      throw error;
    }
  }

  async open(scene: string, how: { width?: number; theme?: string } = {}): Promise<RulesPageDriver> {
    const page = await this.browser.newPage({ viewport: { width: how.width ?? 800, height: 1000 } });
    const driver = new RulesPageDriver(page);
    const query = `scene=${scene}&theme=${how.theme ?? 'dark'}`;
    await page.goto(`${this.server.url}/test/support/pageHarness/rules.html?${query}`);
    await page.locator('.rules-page').waitFor();
    return driver;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }
}
