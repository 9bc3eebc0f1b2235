import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { asObject, asString, type JsonObject } from '../../../src/core/json';
import { agentEnvironment } from './peer';
import { makeWorkspace } from './workspace';

/** A run of acpx that may still go on. */
interface Run {
  /** What it printed so far: the messages of both directions, or its own records. */
  messages: JsonObject[];
  /** Resolves when it ended; rejects where it printed something else than JSON or failed. */
  ended: Promise<JsonObject[]>;
  until: (condition: () => boolean) => Promise<void>;
}

const QUOTED = (path: string): string => (process.platform === 'win32' ? `"${path}"` : path);

/** acpx, an independent client, with a home of its own. Each of its prompts starts the agent anew and loads the session. */
class Acpx {
  readonly home = mkdtempSync(join(tmpdir(), 'parley-acpx-'));
  readonly cwd = makeWorkspace({ 'README.md': '# Hello\n' });

  constructor(private readonly policy: readonly string[] = ['--approve-all']) {}

  start(args: readonly string[], pace = 0): Run {
    const agent = `${QUOTED(process.execPath)} ${QUOTED(resolve('dist/agent.js'))}`;
    // The seconds for which acpx leaves a process running after a prompt; `end` ends it before.
    const options = ['--agent', agent, '--cwd', this.cwd, '--format', 'json', '--ttl', '30', ...this.policy];
    const { home } = this;
    const env = {
      ...agentEnvironment({ home: join(home, 'agent'), pace }),
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: join(home, 'config'),
    };
    const command = [resolve('node_modules/acpx/dist/cli.js'), ...options, ...args];
    const child = spawn(process.execPath, command, { env, cwd: this.cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const messages: JsonObject[] = [];
    let [rest, stderr] = ['', ''];
    let wake: () => void = () => undefined;
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      messages.push(...lines.filter((line) => line !== '').map((line) => asObject(JSON.parse(line))));
      wake();
    });
    const ended = once(child, 'close').then(([code]) => {
      assert.equal(code, 0, stderr);
      assert.equal(rest, '');
      return messages;
    });
    const until = async (condition: () => boolean): Promise<void> => {
      const over = ended.then(() => assert.fail('acpx ended before'));
      while (!condition()) await Promise.race([new Promise<void>((resolved) => (wake = resolved)), over]);
      over.catch(() => undefined);
    };
    return { messages, ended, until };
  }

  run(...args: string[]): Promise<JsonObject[]> {
    return this.start(args).ended;
  }

  /** Ends what acpx left running, and takes its files away. */
  async end(): Promise<void> {
    if (existsSync(join(this.home, '.acpx', 'sessions'))) await this.run('sessions', 'close');
    rmSync(this.home, { recursive: true, force: true });
  }
}

const methodsOf = (messages: readonly JsonObject[]): unknown[] =>
  messages.flatMap(({ method }) => (method === 'session/update' ? [] : (method ?? [])));

const textOf = (messages: readonly JsonObject[]): string =>
  messages
    .map(({ params }) => asObject(asObject(params)['update']))
    .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
    .map(({ content }) => asString(asObject(content)['text']) ?? '')
    .join('');

const stopReason = (messages: readonly JsonObject[]): unknown =>
  asObject(messages.at(-1)?.['result'])['stopReason'];

/** How each tool call ended, in the order of their ends. */
const endsOf = (messages: readonly JsonObject[]): unknown[] =>
  messages
    .map(({ params }) => asObject(asObject(params)['update']))
    .filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update')
    .flatMap(({ status }) => (status === 'completed' || status === 'failed' ? [status] : []));

describe('built-in agent, driven by acpx', () => {
  let acpx: Acpx;
  const begin = (...policy: string[]): Acpx => (acpx = policy.length > 0 ? new Acpx(policy) : new Acpx());
  afterEach(() => acpx.end());

  it('TC-3 runs a prompt with tools: reads and writes through the client, and runs a command in its terminal', async () => {
    begin();
    // acpx runs no shell: a command is the name of a program.
    const task = 'read README.md then replace "Hello" with "World" in README.md then run hostname';
    const messages = await acpx.run('exec', task);
    assert.equal(stopReason(messages), 'end_turn');
    assert.equal(readFileSync(join(acpx.cwd, 'README.md'), 'utf8'), '# World\n');
    assert.deepEqual(endsOf(messages), ['completed', 'completed', 'completed', 'completed']);
    assert.match(textOf(messages), /All 3 steps are done/);
    assert.deepEqual(
      [...new Set(methodsOf(messages))],
      [
        'initialize',
        'session/new',
        'session/prompt',
        'fs/read_text_file',
        'session/request_permission',
        'fs/write_text_file',
        'terminal/create',
        'terminal/wait_for_exit',
        'terminal/output',
        'terminal/release',
      ],
    );
  });

  it('changes nothing where acpx rejects it', async () => {
    begin('--approve-reads', '--non-interactive-permissions', 'deny');
    const child = acpx.start(['exec', 'replace "Hello" with "World" in README.md']);
    await child.ended.catch(() => undefined); // Its exit code tells of the rejection.
    assert.equal(stopReason(child.messages), 'end_turn');
    assert.deepEqual(endsOf(child.messages), ['failed']);
    assert.match(textOf(child.messages), /rejected/);
    assert.equal(readFileSync(join(acpx.cwd, 'README.md'), 'utf8'), '# Hello\n');
  });

  it('SE-7 SE-8 goes on with a session by loading it, with its mode', async () => {
    begin();
    await acpx.run('sessions', 'new');
    const first = await acpx.run('prompt', 'read README.md');
    assert.equal(stopReason(first), 'end_turn');
    const { sessionId } = asObject(first.find(({ method }) => method === 'session/prompt')?.['params']);
    await acpx.run('set-mode', 'plan');
    const second = await acpx.run('prompt', 'create made.txt with "x"');
    assert.equal(stopReason(second), 'end_turn');
    assert.equal(existsSync(join(acpx.cwd, 'made.txt')), false);
    const load = second.find(({ method }) => method === 'session/load');
    assert.equal(asObject(load?.['params'])['sessionId'], sessionId);
    const answer = second.find(({ id, method }) => method === undefined && id === load?.['id']);
    assert.equal(asObject(asObject(answer?.['result'])['modes'])['currentModeId'], 'plan');
    assert.deepEqual(methodsOf(second), ['initialize', 'session/load', 'session/prompt']);
  });

  it('CA-2 is cancelled in the middle of a stream by another acpx, and takes the next prompt', async () => {
    begin();
    await acpx.run('sessions', 'new');
    const counting = acpx.start(['prompt', 'count slowly to 1000'], 0.2);
    await counting.until(() => textOf(counting.messages).includes('3, '));
    const [cancel] = await acpx.run('cancel');
    assert.equal(cancel?.['cancelled'], true);
    assert.equal(stopReason(await counting.ended), 'cancelled');
    assert.doesNotMatch(textOf(counting.messages), /1000/);
    const next = await acpx.run('prompt', 'read README.md');
    assert.equal(stopReason(next), 'end_turn');
    assert.ok(methodsOf(next).includes('session/load'));
    assert.deepEqual(endsOf(next), ['completed']);
  });
});
