import { chromium as browserType, type Browser, type Page } from 'playwright-core';
import { chromium, pageEntries, serve } from './serve.mjs';

/** A page that has an editor tab of its own, in its harness. */
export class TabPageDriver {
  /** Errors that no one caught, and what the content security policy refused. */
  readonly problems: string[] = [];

  constructor(readonly page: Page) {
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security')) this.problems.push(message.text());
    });
  }

  /** True where something is wider than the window. */
  scrollsSideways(): Promise<boolean> {
    return this.page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
  }
}

/** Which page it is. */
export interface Tab<Driver extends TabPageDriver> {
  /** The file of the harness, in this folder. */
  html: string;
  driver: new (page: Page) => Driver;
  /** Selector of what is there once the page is drawn. */
  drawn: string;
  viewport: { width: number; height: number };
}

/** A browser for pages of a kind. */
export class TabHarness<Driver extends TabPageDriver> {
  private constructor(
    private readonly tab: Tab<Driver>,
    private readonly server: { url: string; close(): void },
    private readonly browser: Browser,
  ) {}

  static async start<Driver extends TabPageDriver>(tab: Tab<Driver>): Promise<TabHarness<Driver>> {
    const server = await serve(pageEntries);
    try {
      return new TabHarness(tab, server, await browserType.launch(chromium));
    } catch (error) {
      server.close();
      throw error;
    }
  }

  async open(scene: string, how: { width?: number; theme?: string; lang?: string } = {}): Promise<Driver> {
    const { html, driver: Driver, drawn, viewport } = this.tab;
    const { width = viewport.width, theme = 'dark', lang = 'en' } = how;
    const page = await this.browser.newPage({ viewport: { ...viewport, width } });
    const driver = new Driver(page);
    const query = new URLSearchParams({ scene, theme, lang }).toString();
    await page.goto(`${this.server.url}/test/support/pageHarness/${html}?${query}`);
    await page.locator(drawn).waitFor();
    return driver;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }
}
