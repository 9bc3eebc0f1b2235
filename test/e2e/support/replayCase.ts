import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../vscode/until';
import type { ChatDriver } from './chatDriver';

const root = join(import.meta.dirname, '..', '..');
const scripts = join(root, 'fixtures', 'cases');

type LogLine = Record<string, unknown> & {
  user?: { do: string; text?: string; tool?: string; option?: string };
  check?: string;
  ok?: boolean;
};

/** A reported fault, played by the replay agent while the test does what a person does. */
export class ReplayCase {
  readonly log = join(mkdtempSync(join(tmpdir(), 'parley-case-')), 'out.jsonl');
  private readonly script: string;
  private done = 0;

  constructor(number: string) {
    const file = readdirSync(scripts).find((name) => name.startsWith(`${number}-`));
    this.script = join(scripts, file ?? assert.fail(`no case ${number}`));
  }

  /** The agent for the setting `parley.agents`. */
  get agent(): object {
    return {
      command: process.execPath,
      args: [join(root, 'agents', 'replayAgent.mjs'), this.script, '--log', this.log],
    };
  }

  lines(): LogLine[] {
    if (!existsSync(this.log)) return [];
    const lines = readFileSync(this.log, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as LogLine);
  }

  /** Does what the log asks of the person, until the script ends; `onUi` looks at the screen where the script says so. */
  async play(chat: ChatDriver): Promise<void> {
    await until(
      'the end of the script',
      async () => {
        const wanted = this.lines().slice(this.done);
        for (const line of wanted) {
          this.done++;
          if (line.user) await act(chat, line.user);
          if (line['scriptEnd'] || line['done'] !== undefined) return true;
        }
        return undefined;
      },
      60_000,
    );
  }

  /** Fails with the checks of the script that failed. */
  expectPassed(): void {
    const checks = this.lines().filter((line) => line.check !== undefined);
    const failed = checks.filter((line) => !line.ok);
    assert.deepEqual(failed, [], 'checks of the script');
    assert.ok(!this.lines().some((line) => line['stopped']), 'the script was played to its end');
  }
}

async function act(
  chat: ChatDriver,
  { do: what, text = '', tool, option = '' }: NonNullable<LogLine['user']>,
): Promise<void> {
  switch (what) {
    case 'prompt':
      await until('the composer to be free', async () =>
        (await chat.button('Send').isVisible()) ? true : undefined,
      );
      return chat.send(text);
    case 'promptAfterExit':
      await chat.waitConnection('exited');
      return chat.send(text);
    case 'stop':
      return chat.button('Stop').click();
    case 'choose':
      return chat.choose(option, tool);
    default:
      assert.fail(`unknown action ${what}`);
  }
}
