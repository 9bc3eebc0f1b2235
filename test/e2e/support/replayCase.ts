import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { until } from '../../vscode/until';
import { act, actsLater, type CaseAction } from './caseActions';
import { lookOf } from './caseLooks';
import type { ChatDriver } from './chatDriver';
import { staysSo } from './staysSo';

const root = join(import.meta.dirname, '..', '..');
const scripts = join(root, 'fixtures', 'cases');

type LogLine = Record<string, unknown> & {
  user?: CaseAction;
  ui?: string;
  holdMs?: number;
  check?: string;
  ok?: boolean;
};

/** A step of a script, as far as a person has a part in it. */
export type ScriptStep = Pick<LogLine, 'user' | 'ui'>;

/** All scripts: name of the file → its steps. */
export function allScripts(): Map<string, ScriptStep[]> {
  const files = readdirSync(scripts).filter((name) => name.endsWith('.ndjson'));
  return new Map(
    files.sort().map((name) => {
      const lines = readFileSync(join(scripts, name), 'utf8').split('\n');
      const steps = lines.filter((line) => line.trim().startsWith('{'));
      return [name, steps.map((line) => JSON.parse(line) as ScriptStep)];
    }),
  );
}

/** A reported fault, played by the replay agent while the test does what a person does and looks at what a person sees. */
export class ReplayCase {
  private readonly folder = mkdtempSync(join(tmpdir(), 'parley-case-'));
  private readonly log = join(this.folder, 'out.jsonl');
  /** The agent goes on when this file has a line for each step that a person has a part in. */
  private readonly pace = join(this.folder, 'pace');
  private readonly script: string;
  private read = 0;

  constructor(number: string) {
    const file = readdirSync(scripts).find((name) => name.startsWith(`${number}-`));
    this.script = join(scripts, file ?? assert.fail(`no case ${number}`));
  }

  /** The agent for the setting `parley.agents`. */
  get agent(): object {
    const own = [join(root, 'agents', 'replayAgent.mjs'), this.script];
    return { command: process.execPath, args: [...own, '--log', this.log, '--paced', this.pace] };
  }

  lines(): LogLine[] {
    if (!existsSync(this.log)) return [];
    const lines = readFileSync(this.log, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as LogLine);
  }

  /** Does what the log asks of the person and looks at the screen where it says so, until the script ends. */
  async play(chat: ChatDriver): Promise<void> {
    for (;;) {
      const line = await until(
        `the next line of ${basename(this.log)}`,
        () => this.lines()[this.read],
        60_000,
      );
      this.read++;
      if (line['scriptEnd'] || line['done'] !== undefined) return;
      const { user } = line;
      if (user) await this.takePart(() => act(chat, user), actsLater(user));
      if (line.ui !== undefined) await this.takePart(() => look(chat, line));
    }
  }

  private async takePart(part: () => Promise<void>, later = false): Promise<void> {
    if (later) appendFileSync(this.pace, 'begun\n');
    await part();
    if (!later) appendFileSync(this.pace, 'done\n');
  }

  /** Fails with the checks of the script that failed. */
  expectPassed(): void {
    const checks = this.lines().filter((line) => line.check !== undefined);
    const failed = checks.filter((line) => !line.ok);
    assert.deepEqual(failed, [], 'checks of the script');
    assert.ok(!this.lines().some((line) => line['stopped']), 'the script was played to its end');
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function look(chat: ChatDriver, { ui = '', holdMs = 0 }: LogLine): Promise<void> {
  const { look: wanted, ...limit } = lookOf(ui);
  await staysSo(ui, () => wanted(chat), { holdMs, ...limit });
}
