import { chromium as browserType, type Browser, type Page } from 'playwright-core';
import type { DiagnoseToHost } from '../../../src/core/diagnostics/diagnoseProtocol';
import { chromium, pageEntries, serve } from './serve.mjs';

/** The diagnostics page in its harness. */
export class DiagnosePageDriver {
  /** Errors that no one caught, and what the content security policy refused. */
  readonly problems: string[] = [];

  constructor(readonly page: Page) {
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security')) this.problems.push(message.text());
    });
  }

  /** What the person asked for, in its order. */
  async pressed(): Promise<string[]> {
    const sent = await this.page.evaluate<DiagnoseToHost[]>('window.harness.sent');
    return sent.flatMap((message) => (message.type === 'act' ? [message.action] : []));
  }

  /** Shows the report of another scene, as after a change. */
  async show(scene: string): Promise<void> {
    await this.page.evaluate(`window.harness.show(${JSON.stringify(scene)})`);
  }

  /** Gives the next press an error. */
  async refuseNext(reason: string): Promise<void> {
    await this.page.evaluate(`window.harness.refuse = ${JSON.stringify(reason)}`);
  }

  /** The text of a section. */
  async section(id: string): Promise<string> {
    const text = await this.page.locator(`[data-section="${id}"]`).innerText();
    return text.replaceAll(/\s+/g, ' ');
  }

  /** True where something is wider than the window. */
  scrollsSideways(): Promise<boolean> {
    return this.page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
  }
}

/** A browser for diagnostics pages. */
export class DiagnoseHarness {
  private constructor(
    private readonly server: { url: string; close(): void },
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<DiagnoseHarness> {
    const server = await serve(pageEntries);
    try {
      return new DiagnoseHarness(server, await browserType.launch(chromium));
    } catch (error) {
      server.close();
      throw error;
    }
  }

  async open(
    scene: string,
    how: { width?: number; theme?: string; lang?: string } = {},
  ): Promise<DiagnosePageDriver> {
    const page = await this.browser.newPage({ viewport: { width: how.width ?? 800, height: 1000 } });
    const driver = new DiagnosePageDriver(page);
    const query = new URLSearchParams({ scene, theme: how.theme ?? 'dark', lang: how.lang ?? 'en' });
    await page.goto(`${this.server.url}/test/support/pageHarness/diagnose.html?${query.toString()}`);
    await page.locator('[data-section="editor"]').waitFor();
    return driver;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }
}
