import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { sharedVSCode } from '../../vscode/fixture';
import { until } from '../../vscode/until';
import type { VSCodeWindow, WindowOptions } from '../../vscode/window';
import { asObject } from '../../../src/core/json';
import { WireTap } from '../../support/wireTap';

export interface ChatOptions extends Partial<WindowOptions> {
  /** Files of the workspace, path → text. */
  files?: Record<string, string>;
  /** Value of `parley.agents`; the first one is the default agent. */
  agents?: Record<string, object>;
  /** Names of the agents that are started as they are, without a tap that checks what Parley writes to them. */
  bare?: string[];
  /** The workspace file among `files` to open in place of their folder. */
  workspace?: string;
  /** State to wait for; by default `ready`, and none with `any`. */
  connection?: string;
}

/** Drives the chat in a real window as a person does: by what is on screen, by mouse and keyboard. */
export class ChatDriver {
  private constructor(
    readonly window: VSCodeWindow,
    readonly folder: string,
    public frame: Frame,
    readonly tap: WireTap,
  ) {}

  /** Opens a window on a folder of its own and the chat in it. */
  static async open({
    files = {},
    agents,
    connection = 'ready',
    bare,
    workspace = '',
    ...options
  }: ChatOptions = {}): Promise<ChatDriver> {
    const folder = mkdtempSync(join(tmpdir(), 'parley-e2e-'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const host = await sharedVSCode();
    const named = agents ? { 'parley.agents': agents, 'parley.defaultAgent': Object.keys(agents)[0] } : {};
    const settings: Record<string, unknown> = { ...named, ...options.settings };
    const tap = new WireTap();
    if (settings['parley.agents'])
      settings['parley.agents'] = tap.wrap(asObject(settings['parley.agents']), bare);
    const window = await host.openWindow({ folder: join(folder, workspace), ...options, settings });
    const driver = new ChatDriver(window, folder, await window.openChat(), tap);
    if (connection !== 'any') await driver.waitConnection(connection);
    return driver;
  }

  get page() {
    return this.window.page;
  }

  get panel(): Locator {
    return this.frame.locator('[data-parley="panel"]');
  }

  get composer(): Locator {
    return this.frame.locator('[data-parley="composer"]');
  }

  entries(kind?: string): Locator {
    return this.frame.locator(kind ? `[data-entry="${kind}"]` : '[data-entry]');
  }

  card(toolCallId: string): Locator {
    return this.frame.locator(`[data-tool-call-id="${toolCallId}"]`);
  }

  /** The open questions of a call; of any call without an id. */
  questions(toolCallId?: string): Locator {
    return this.frame.locator(
      toolCallId === undefined ? '[data-permission]' : `[data-permission-for="${toolCallId}"]`,
    );
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  async waitConnection(status: string, timeout = 45_000): Promise<void> {
    await this.frame.locator(`[data-parley="panel"][data-connection="${status}"]`).waitFor({ timeout });
  }

  async waitTurn(status: string, timeout = 60_000): Promise<void> {
    await this.frame.locator(`[data-parley="panel"][data-turn="${status}"]`).waitFor({ timeout });
  }

  /** Writes into the composer by key presses and sends with Enter. */
  async send(text: string): Promise<void> {
    await this.composer.click();
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press('Enter');
  }

  /** Sends a prompt and waits for the end of its turn; gives the stop reason. */
  async prompt(text: string, timeout = 60_000): Promise<string> {
    const before = await this.entries('end').count();
    await this.send(text);
    return this.nextEnd(before, timeout);
  }

  /** Waits until there are more than `before` ended turns; gives the stop reason of the last. */
  async nextEnd(before: number, timeout = 60_000): Promise<string> {
    await until(
      'the end of the turn',
      async () => ((await this.entries('end').count()) > before ? true : undefined),
      timeout,
    );
    return (await this.entries('end').last().getAttribute('data-stop-reason')) ?? '';
  }

  /** Text of everything that the agent said. */
  async said(): Promise<string> {
    return (await this.entries('agent').allInnerTexts()).join('\n');
  }

  /** Waits until the agent said something that matches. */
  async waitSaid(pattern: RegExp, timeout = 10_000): Promise<void> {
    await until(
      `the agent to say ${pattern}`,
      async () => (pattern.test(await this.said()) ? true : undefined),
      timeout,
    );
  }

  async waitText(text: string, timeout = 30_000): Promise<void> {
    await this.frame.locator('[data-parley="transcript"]').getByText(text).first().waitFor({ timeout });
  }

  /** Presses an option of a permission in its card; a press too soon after it appeared does not count, as for a person. */
  async choose(optionId: string, toolCallId?: string): Promise<void> {
    const option = this.questions(toolCallId).first().locator(`[data-option-id="${optionId}"]`);
    await option.waitFor();
    await until('the option to take a press', async () => {
      if ((await option.count()) === 0) return true;
      await option.click({ timeout: 2_000 }).catch(() => undefined);
      return (await option.count()) === 0 ? true : undefined;
    });
  }

  async waitStatus(toolCallId: string, status: string, timeout = 20_000): Promise<void> {
    await this.frame
      .locator(`[data-tool-call-id="${toolCallId}"][data-status="${status}"]`)
      .last()
      .waitFor({ timeout });
  }

  async expectNoBanner(): Promise<void> {
    assert.equal(await this.frame.locator('[data-parley="banner"]').count(), 0, 'no banner is shown');
  }

  /** Reloads the window and finds the chat again. */
  async reload(): Promise<void> {
    await this.window.reload();
    this.frame = await this.window.chat();
  }

  /** Closes the window; fails if a line that Parley wrote to an agent was not as the schema wants it. */
  async close(): Promise<void> {
    await this.window.close();
    rmSync(this.folder, { recursive: true, force: true });
    const problems = this.tap.problems();
    this.tap.dispose();
    assert.deepEqual(problems, [], 'lines of Parley by the schema');
  }
}

/** Opens a window before each test of a suite and closes it afterwards, with a picture where the test failed. */
export function useChat(options: () => ChatOptions | Promise<ChatOptions>): () => ChatDriver {
  let driver: ChatDriver | undefined;
  beforeEach(async function () {
    driver = await ChatDriver.open(await options());
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await picture(driver, this.currentTest.fullTitle());
    await driver?.close();
    driver = undefined;
  });
  return () => driver ?? assert.fail('no window is open');
}

/** Saves what the screen showed when a test failed. */
export async function picture(driver: ChatDriver | undefined, title: string): Promise<void> {
  const folder = process.env['PARLEY_PICTURES'] ?? join(tmpdir(), 'parley-pictures');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${title.replaceAll(/[^\w]+/g, '-').slice(0, 80)}.png`);
  await driver?.window.screenshot(file);
  console.log(`      picture: ${file}`);
}
