import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaunchPlan } from '../../src/acp/agentProcess';
import { asObject, type JsonObject } from '../../src/core/json';
import { planFor } from './fakeAgents';

/** One line of a script; test/agents/replayAgent.mjs has the list of what it can be. */
export type Step = JsonObject;

const message = (fields: JsonObject): Step => ({ send: { jsonrpc: '2.0', ...fields } });

/** Waits for a call of the client; `as` names its id for the answer. */
export const expectCall = (method: string, as?: string, fields: JsonObject = {}): Step => ({
  expect: method,
  ...(as === undefined ? {} : { as }),
  ...fields,
});
export const update = (payload: JsonObject, sessionId = '$SESSION'): Step =>
  message({ method: 'session/update', params: { sessionId, update: payload } });
export const request = (id: number | string, method: string, params: JsonObject): Step =>
  message({ id, method, params });
/** Waits for the client's answer to a request and looks at it. */
export const answered = (id: number | string, check: JsonObject): Step => ({ expectResponse: id, check });
export const answer = (as: string, result: JsonObject): Step => message({ id: `$ID:${as}`, result });
export const refuse = (as: string, code: number, text: string, data?: unknown): Step =>
  message({
    id: `$ID:${as}`,
    error: { code, message: text, ...(data === undefined ? {} : { data }) },
  });
export const end = (as: string, stopReason = 'end_turn'): Step => answer(as, { stopReason });
export const preset = (method: string, result: JsonObject): Step => ({ default: method, result });

export const OPTIONS = [
  { optionId: 'opt-once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'opt-no', name: 'Reject', kind: 'reject_once' },
];

export const askFor = (id: number | string, toolCallId: string, sessionId = '$SESSION'): Step =>
  request(id, 'session/request_permission', { sessionId, toolCall: { toolCallId }, options: OPTIONS });

const folder = mkdtempSync(join(tmpdir(), 'parley-replay-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** One run of the replay agent, with a log of what passed. */
export class Replay {
  readonly plan: LaunchPlan;
  private readonly file: string;

  constructor(...steps: Step[]) {
    const script = join(folder, `${++count}.ndjson`);
    this.file = join(folder, `${count}.log`);
    writeFileSync(script, steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
    const plan = planFor('replayAgent', script, '--log', this.file);
    // Without the options of the test runner, which would load its compiler into the agent as well.
    this.plan = { ...plan, env: { ...process.env, NODE_OPTIONS: '' } };
  }

  private get entries(): JsonObject[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => asObject(JSON.parse(line)));
  }

  /** What the client wrote, in the order of the wire. */
  get fromClient(): JsonObject[] {
    return this.entries.filter((entry) => 'in' in entry).map((entry) => asObject(entry['in']));
  }

  get fromAgent(): JsonObject[] {
    return this.entries
      .filter((entry) => 'out' in entry)
      .flatMap((entry) => (Array.isArray(entry['out']) ? (entry['out'] as unknown[]) : [entry['out']]))
      .map(asObject);
  }

  /** The client's messages by name: the method, or `answer ID`. */
  get calls(): string[] {
    return this.fromClient.map(({ method, id }) =>
      typeof method === 'string' ? method : `answer ${JSON.stringify(id)}`,
    );
  }

  /** The parameters of the client's calls of a method. */
  paramsOf(method: string): JsonObject[] {
    return this.fromClient.filter((sent) => sent['method'] === method).map(({ params }) => asObject(params));
  }

  /** Checks of the script that failed. */
  get failures(): JsonObject[] {
    return this.entries.filter((entry) => entry['ok'] === false);
  }

  /** True if every step was played. */
  get finished(): boolean {
    return (
      this.entries.some((entry) => entry['scriptEnd'] || entry['done'] === true) &&
      !this.entries.some((entry) => 'stopped' in entry)
    );
  }
}
