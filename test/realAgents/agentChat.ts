import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { asObject, type JsonObject } from '../../src/core/json';
import { ChatDriver } from '../e2e/support/chatDriver';
import { until } from '../vscode/until';
import type { PreparedAgent } from './prepare';
import type { Recipe } from './recipes';

/** Files of the workspace at the begin of each scenario. */
export const files = {
  'hello.txt': 'first line\nsecond line\nthird line\n',
  'notes/todo.md': '- one\n',
};

/** What came of a prompt: the stop reason, or `error` or `sign-in` where it did not end as a turn; and how often it was asked. */
export interface Outcome {
  stop: string;
  asked: number;
}

export type Answer = 'allow' | 'reject' | 'none';

/** Longest time for a turn, ms: agents are slow to start on a busy machine. */
const turnTime = 120_000;

/** A real agent in a real window, used as a person does. */
export class AgentChat {
  private constructor(
    readonly chat: ChatDriver,
    readonly name: string,
    readonly recipe: Recipe,
  ) {}

  /** Opens a window with the agent; it need not be ready yet. */
  static async open(name: string, recipe: Recipe, { agent }: PreparedAgent): Promise<AgentChat> {
    // Some agents open a port, of which VS Code would tell on top of the chat.
    const settings = { 'parley.permission.prompt': 'card', 'remote.autoForwardPorts': false };
    const chat = await ChatDriver.open({ files, agents: { [name]: agent }, connection: 'any', settings });
    return new AgentChat(chat, name, recipe);
  }

  path(file: string): string {
    return join(this.chat.folder, file);
  }

  read(file: string): string | undefined {
    return existsSync(this.path(file)) ? readFileSync(this.path(file), 'utf8') : undefined;
  }

  /** What makes the scripted model call a tool. */
  tool(intent: string, { path, ...rest }: Record<string, unknown>): string {
    const description = this.recipe.asksUnlessTrusted ? {} : { description: `${intent} something` };
    const place = typeof path === 'string' ? { path: this.path(path) } : {};
    return `[[tool:${intent} ${JSON.stringify({ ...place, ...rest, ...description })}]]`;
  }

  get cards(): Locator {
    return this.chat.frame.locator('[data-tool-call-id][data-status]');
  }

  /** States of the cards from top to bottom. */
  statuses(): Promise<string[]> {
    return this.cards.evaluateAll((cards) =>
      cards.map((card) => (card as unknown as { dataset: Record<string, string> }).dataset['status'] ?? ''),
    );
  }

  /** Waits for the agent to be ready, or to want a sign-in. */
  async connected(): Promise<string> {
    return until(
      'the agent to be ready',
      async () => {
        const status = await this.chat.panel.getAttribute('data-connection');
        if (status === 'ready' || status === 'auth') return status;
        await this.expectNoError();
        return undefined;
      },
      200_000,
    );
  }

  /** Begins a new session in the mode that asks, with the files as they were. */
  async fresh(): Promise<void> {
    const { chat } = this;
    await this.stopTurn();
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(this.path(file)), { recursive: true });
      writeFileSync(this.path(file), text);
    }
    for (const name of readdirSync(chat.folder)) {
      if (!Object.keys(files).some((file) => file.split('/')[0] === name))
        rmSync(this.path(name), { recursive: true, force: true });
    }
    if ((await chat.entries('user').count()) > 0) {
      await chat.button('New chat').first().click();
      await until('an empty chat', async () => (await chat.entries('user').count()) === 0 || undefined);
    }
    assert.equal(await this.connected(), 'ready');
    await this.atRest();
    const { mode } = this.recipe;
    if (mode !== undefined) await this.choose(await this.modePicker(), mode);
  }

  /** The id of the control with the modes. */
  private async modePicker(): Promise<string> {
    const picker = this.chat.frame.locator('[data-parley="config"] button[data-config-id]');
    return until('the modes to be offered', async () => {
      const ids = await picker.evaluateAll((found) =>
        found.map(
          (item) => (item as unknown as { dataset: Record<string, string> }).dataset['configId'] ?? '',
        ),
      );
      return ids.find((id) => /mode$/.test(id) && !id.includes('collaboration'));
    });
  }

  picker(id: string): Locator {
    return this.chat.frame.locator(`[data-parley="config"] [data-config-id=${JSON.stringify(id)}]`);
  }

  /** Chooses a value of one of the session's options, as a person does. */
  async choose(id: string, value: string): Promise<void> {
    const picker = this.picker(id);
    if ((await picker.getAttribute('data-config-value')) === value) return;
    await picker.click();
    await this.chat.frame.locator(`[role="option"][data-value=${JSON.stringify(value)}]`).click();
    await until(
      `the option ${id} to be ${value}`,
      async () => (await picker.getAttribute('data-config-value')) === value || undefined,
    );
  }

  /** Sends a prompt and answers what it asks. */
  async turn(prompt: string, answer: Answer = 'allow'): Promise<Outcome> {
    const before = await this.endings();
    await this.chat.send(prompt);
    return this.finish(before, answer);
  }

  private endings(): Promise<number> {
    return this.chat.frame.locator('[data-entry="end"], [data-entry="error"]').count();
  }

  /** Waits for the end of a turn that began when there were `before` endings. */
  async finish(before: number, answer: Answer = 'allow', time = turnTime): Promise<Outcome> {
    let asked = 0;
    const stop = await until(
      'the end of the turn',
      async () => {
        if (answer !== 'none' && (await this.answer(answer))) asked++;
        if ((await this.chat.panel.getAttribute('data-connection')) === 'auth') return 'sign-in';
        if ((await this.endings()) > before) return this.lastEnding();
        await this.expectNoError();
        return undefined;
      },
      time,
    );
    // The prompt that was refused waits for the sign-in.
    if (stop !== 'sign-in') await this.atRest();
    return { stop, asked };
  }

  private async lastEnding(): Promise<string> {
    const last = this.chat.frame.locator('[data-entry="end"], [data-entry="error"]').last();
    return (await last.getAttribute('data-stop-reason')) ?? 'error';
  }

  /** Answers an open question; false where there is none. */
  async answer(answer: 'allow' | 'reject'): Promise<boolean> {
    const card = this.chat.questions().first();
    if ((await card.count()) === 0) return false;
    const once = card.locator(`[data-option-kind="${answer}_once"]`).first();
    const option = (await once.count()) > 0 ? once : card.locator(`[data-option-kind^="${answer}"]`).first();
    const id = await card.getAttribute('data-permission');
    const same = this.chat.frame.locator(`[data-permission=${JSON.stringify(id)}]`);
    await until('the question to be answered', async () => {
      await option.click({ timeout: 2_000 }).catch(() => undefined);
      return (await same.count()) === 0 || undefined;
    });
    return true;
  }

  /** Throws what the chat says that is wrong with the agent. */
  private async expectNoError(): Promise<void> {
    const banner = this.chat.frame.locator('[data-parley="banner"][data-severity="error"]');
    if ((await banner.count()) > 0) throw new Error(`The chat says: ${await banner.innerText()}`);
  }

  /** Waits until no turn runs. */
  private async atRest(): Promise<void> {
    const resting = ['idle', 'failed'].map((status) => `[data-parley="panel"][data-turn="${status}"]`);
    await this.chat.frame.locator(resting.join(', ')).waitFor({ timeout: 60_000 });
  }

  /** Presses Stop where a turn runs, and waits for its end. */
  async stopTurn(): Promise<void> {
    const stop = this.chat.button('Stop');
    if ((await stop.count()) > 0) await stop.click({ timeout: 5_000 }).catch(() => undefined);
    await this.atRest();
  }

  /** A prompt works after what was done: nothing is stuck. */
  async worksOn(): Promise<void> {
    const word = this.recipe.ownWords ?? /NEXT-PROMPT-OK/;
    const { stop } = await this.turn('[[text:NEXT-PROMPT-OK]]');
    assert.equal(stop, 'end_turn', 'the next prompt');
    const answered = await this.chat.waitSaid(word, 5_000).then(
      () => true,
      () => false,
    );
    if (!answered) {
      await this.turn('[[text:NEXT-PROMPT-OK]]');
      await this.chat.waitSaid(word);
    }
    const left = (await this.statuses()).filter((status) => /pending|in_progress|waiting/.test(status));
    assert.deepEqual(left, [], 'calls that still seem to run');
    await this.chat.expectNoBanner();
    assert.ok(answered, 'The next prompt ended without a word; the one after it worked.');
  }

  /** Everything that the page shows in its transcript, with all cards open. */
  async shown(): Promise<string> {
    const closed = this.chat.frame.locator('[data-entry="tool"] [aria-expanded="false"]');
    await until('the cards to be open', async () => {
      if ((await closed.count()) === 0) return true;
      await closed
        .first()
        .click({ timeout: 2_000 })
        .catch(() => undefined);
      return undefined;
    });
    return this.chat.frame.locator('[data-parley="transcript"]').innerText();
  }

  /** Waits until the transcript shows something. */
  async waitShown(pattern: RegExp, time = 5_000): Promise<void> {
    await until(
      `the chat to show ${pattern}`,
      async () => pattern.test(await this.shown()) || undefined,
      time,
    );
  }

  /** Messages of a side, from the oldest process on. */
  messages(side: 'agent' | 'client'): JsonObject[] {
    return this.chat.tap.lines(side).flatMap((lines) => lines.flatMap(parsed));
  }

  /** The updates that the agent sent for a session. */
  updates(kind: string): JsonObject[] {
    return this.messages('agent')
      .filter(({ method }) => method === 'session/update')
      .map(({ params }) => asObject(asObject(params)['update']))
      .filter(({ sessionUpdate }) => sessionUpdate === kind);
  }

  /** Lines of Parley's log that tell of an error. */
  logErrors(): string[] {
    const folder = this.chat.window.dataFolder;
    if (!existsSync(folder)) return [];
    const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const lines = (name: string, wanted: RegExp): string[] =>
      logs
        .filter((file) => file.endsWith(name))
        .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
        .filter((line) => wanted.test(line));
    return [...lines('Parley.log', /\[error\]/), ...lines('exthost.log', /\[error\].*parley/i)];
  }
}

/** An agent may print what it likes. */
function parsed(line: string): JsonObject[] {
  try {
    return [asObject(JSON.parse(line))];
  } catch {
    return [];
  }
}
