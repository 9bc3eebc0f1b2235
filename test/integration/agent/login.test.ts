import assert from 'node:assert/strict';
import { spawn as spawnProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn as spawnTerminal } from 'node-pty';
import { asList, asObject, type JsonObject } from '../../../src/core/json';
import { until } from '../../vscode/until';
import { agentEnvironment, bundledAgent, Peer, type PeerOptions } from './peer';
import { KEY } from './scriptedModel';
import { makeWorkspace } from './workspace';

const TERMINAL = { auth: { terminal: true } };
const cwd = makeWorkspace({});

function modelsOf(answer: JsonObject): { current: unknown; all: unknown[] } {
  const option = asList(answer['configOptions'])
    .map(asObject)
    .find(({ id }) => id === 'model');
  return {
    current: option?.['currentValue'],
    all: asList(option?.['options']).map((choice) => asObject(choice)['value']),
  };
}

describe('built-in agent, sign-in', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'parley-login-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const file = (name: string): string => join(home, name);
  const start = async (options: PeerOptions = {}): Promise<Peer> => Peer.start({ home, ...options });

  /** Runs a command of the agent with lines as its input. */
  async function run(args: readonly string[], input = ''): Promise<{ code: number | null; output: string }> {
    const child = spawnProcess(process.execPath, [await bundledAgent(), ...args], {
      env: agentEnvironment({ home }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }

  it('AU-12 offers a terminal to a client that has one, but not to Parley, which asks itself', async () => {
    const offered = async (options: PeerOptions): Promise<unknown> => {
      const peer = await start(options);
      const { authMethods } = await peer.initialize();
      await peer.end();
      return authMethods;
    };
    const [method] = asList(await offered({ capabilities: TERMINAL })).map(asObject);
    assert.deepEqual([method?.['type'], method?.['id'], method?.['args']], ['terminal', 'model', ['login']]);
    assert.deepEqual(await offered({}), []);
    assert.deepEqual(await offered({ capabilities: TERMINAL, env: { PARLEY_AGENT_HOST: 'parley' } }), []);
  });

  it('AU-2 AU-4 signs in: new sessions have the model, and the person is told when there is none', async () => {
    const peer = await start({ capabilities: TERMINAL });
    await peer.initialize();
    const open = (): Promise<JsonObject> => peer.request('session/new', { cwd, mcpServers: [] });
    assert.deepEqual(modelsOf(await open()).all, ['offline']);
    assert.equal(await peer.codeOf('authenticate', { methodId: 'model' }), -32000);
    assert.equal(await peer.codeOf('authenticate', { methodId: 'other' }), -32602);
    const { code, output } = await run(['login'], `2\n\nclaude-one, claude-two\n${KEY}\n`);
    assert.equal(code, 0, output);
    assert.deepEqual(await peer.request('authenticate', { methodId: 'model' }), {});
    assert.deepEqual(modelsOf(await open()), {
      current: 'anthropic/claude-one',
      all: ['anthropic/claude-one', 'anthropic/claude-two', 'offline'],
    });
    assert.equal((await run(['logout'])).code, 0);
    assert.deepEqual(
      readdirSync(home).filter((name) => name !== 'sessions'),
      [],
    );
    // Also without "authenticate", which a sign-in in a terminal does not need (AU-3).
    assert.deepEqual(modelsOf(await open()), { current: 'offline', all: ['offline'] });
    await peer.end();
    assert.ok(!peer.lines.some((line) => line.includes(KEY)));
  });

  it('asks in a terminal, where the key is not shown, and keeps both for the person alone (not on Windows, which has no file modes)', async function () {
    if (process.platform === 'win32') this.skip();
    const agent = await bundledAgent();
    const terminal = spawnTerminal(process.execPath, [agent, 'login'], {
      env: agentEnvironment({ home }),
      cols: 200,
    });
    let shown = '';
    terminal.onData((text) => (shown += text));
    const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
    const answer = async (question: string, text: string): Promise<void> => {
      await until(`the question ${question}`, () => shown.includes(question) || undefined);
      shown = '';
      terminal.write(`${text}\r`);
    };
    await answer('Provider', '7');
    await answer('from 1 to 3', 'openai-compatible');
    await answer('Endpoint [http://127.0.0.1:11434/v1]', 'not a URL');
    await answer('Model', 'one');
    await answer('API key', '');
    await answer('is no URL', 'http://127.0.0.1:1234');
    await answer('Model', 'one');
    await answer('API key', KEY);
    assert.equal(await ended, 0);
    assert.match(shown, /Set up: one of openai-compatible\./);
    assert.ok(!shown.includes(KEY) && !shown.includes(KEY.slice(0, 6)), shown);
    assert.equal(readFileSync(file('key'), 'utf8'), `${KEY}\n`);
    assert.deepEqual(JSON.parse(readFileSync(file('model.json'), 'utf8')), {
      provider: 'openai-compatible',
      endpoint: 'http://127.0.0.1:1234',
      model: 'one',
    });
    for (const name of ['key', 'model.json']) assert.equal(statSync(file(name)).mode & 0o777, 0o600);
    assert.equal(readdirSync(home).length, 2);
  });

  it('changes nothing where the person leaves', async () => {
    await run(['login'], `3\n\ngemini\n${KEY}\n`);
    const before = readFileSync(file('model.json'), 'utf8');
    const { code, output } = await run(['login'], '1\n\nother\n');
    assert.equal(code, 130);
    assert.match(output, /Nothing was changed\./);
    assert.equal(readFileSync(file('model.json'), 'utf8'), before);
    assert.ok(existsSync(file('key')));
  });

  it('forgets the key of the provider before', async () => {
    await run(['login'], `3\n\ngemini\n${KEY}\n`);
    await run(['login'], '1\n\nllama\n\n');
    assert.ok(!existsSync(file('key')));
  });

  it('starts with a configuration that can not be used, and says why in the place of an answer', async () => {
    writeFileSync(file('model.json'), '{"provider": "nobody", "model": "x"}');
    const peer = await start();
    await peer.initialize();
    const answer = await peer.request('session/new', { cwd, mcpServers: [] });
    const sessionId = String(answer['sessionId']);
    const prompt = peer.prompt(sessionId, 'list');
    await assert.rejects(prompt, /"nobody" is no provider of models; set one of/);
    const planner = { sessionId, configId: 'model', value: 'offline' };
    await peer.request('session/set_config_option', planner);
    assert.equal((await peer.prompt(sessionId, 'list')).stopReason, 'end_turn');
    await peer.end();
    assert.match(peer.stderr, /"nobody" is no provider of models/);
  });

  it('AU-4 asks for a sign-in where only the key is missing', async () => {
    const env = { PARLEY_AGENT_PROVIDER: 'anthropic', PARLEY_AGENT_MODEL: 'x' };
    const peer = await start({ env });
    await peer.initialize();
    const sessionId = await peer.newSession(cwd);
    const prompt = [{ type: 'text', text: 'hello' }];
    assert.equal(await peer.codeOf('session/prompt', { sessionId, prompt }), -32000);
    await peer.end();
  });

  it('starts without the libraries of the models', async () => {
    copyFileSync(await bundledAgent(), file('agent.js'));
    const { status, stdout } = spawnSync(process.execPath, [file('agent.js'), 'run', 'help'], {
      env: agentEnvironment({ home }),
      encoding: 'utf8',
    });
    assert.equal(status, 0);
    assert.match(stdout, /\[end_turn\]/);
  });

  it('tells its commands and its variables', async () => {
    const { code, output } = await run(['--help']);
    assert.equal(code, 0);
    for (const word of ['login', 'logout', 'PARLEY_AGENT_PROVIDER', 'PARLEY_AGENT_MAX_CALLS'])
      assert.ok(output.includes(word), word);
    assert.equal((await run(['login', 'more', 'words'])).code, 2);
  });
});
