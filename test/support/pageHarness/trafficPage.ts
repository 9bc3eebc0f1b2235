import { chromium as browserType, type Browser, type Page } from 'playwright-core';
import type { TrafficToHost } from '../../../src/core/traffic/trafficProtocol';
import { chromium, pageEntries, serve } from './serve.mjs';

/** The traffic page in its harness. */
export class TrafficPageDriver {
  /** Errors that no one caught, and what the content security policy refused. */
  readonly problems: string[] = [];

  constructor(readonly page: Page) {
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security')) this.problems.push(message.text());
    });
  }

  /** What the page has told the extension, by its kinds. */
  async sent(): Promise<TrafficToHost[]> {
    return this.page.evaluate<TrafficToHost[]>('window.harness.sent');
  }

  /** Texts of the rows that are drawn. */
  async rows(): Promise<string[]> {
    const texts = await this.page.getByRole('option').and(this.page.locator('.traffic-row')).allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' '));
  }

  /** True where something is wider than the window. */
  scrollsSideways(): Promise<boolean> {
    return this.page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
  }
}

/** A browser for traffic pages. */
export class TrafficHarness {
  private constructor(
    private readonly server: { url: string; close(): void },
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<TrafficHarness> {
    const server = await serve(pageEntries);
    try {
      return new TrafficHarness(server, await browserType.launch(chromium));
    } catch (error) {
      server.close();
      throw error;
    }
  }

  async open(scene: string, how: { width?: number; theme?: string } = {}): Promise<TrafficPageDriver> {
    const page = await this.browser.newPage({ viewport: { width: how.width ?? 900, height: 700 } });
    const driver = new TrafficPageDriver(page);
    const query = `scene=${scene}&theme=${how.theme ?? 'dark'}`;
    await page.goto(`${this.server.url}/test/support/pageHarness/traffic.html?${query}`);
    await page.locator('.traffic-page').waitFor();
    return driver;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }
}
