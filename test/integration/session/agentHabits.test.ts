import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileSystemBridge } from '../../../src/host/bridges/fileSystemBridge';
import {
  answer,
  answered,
  askFor,
  end,
  expectCall,
  preset,
  refuse,
  Replay,
  request,
  update,
  type Step,
} from '../../support/replayScript';
import { text, tool } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';
import { FakeTextFiles } from '../files/fakeTextFiles';
import { makeFolders } from '../files/folders';

const commands = (...names: string[]) => ({
  sessionUpdate: 'available_commands_update',
  availableCommands: names.map((name) => ({ name, description: '' })),
});
const notify = (method: string, params: object): Step => ({ send: { jsonrpc: '2.0', method, params } });
const prompt = expectCall('session/prompt', 'p');
const LOADS = preset('initialize', { agentCapabilities: { loadSession: true } });

/** A session whose agent ended after its first turn; its next start plays the run. */
async function afterOneTurn(run: Replay): Promise<SessionHarness> {
  const first = new Replay(LOADS, prompt, update(text('shown here')), end('p'), { exit: 0 });
  const harness = await SessionHarness.open(first, run);
  await harness.prompt('first');
  await harness.until(() => harness.state.connection.status === 'exited');
  return harness;
}

// The quirks of real agents, by the numbers of the list that they were collected in; those that need no connection are proven in
// test/unit/core/session/agentHabits.test.ts.
describe('habits of agents, on the wire', () => {
  it('quirk 1 SE-5 keeps an update that comes before the answer that tells its session', async () => {
    const early = 'sess-early';
    const run = new Replay(
      expectCall('session/new', 'n'),
      update(commands('early'), early),
      answer('n', { sessionId: early }),
    );
    const harness = await SessionHarness.open(run);
    assert.deepEqual(
      harness.state.commands.map(({ name }) => name),
      ['early'],
    );
    await harness.end();
  });

  for (const id of [0, '6f118012-a08b-468d-a6a4-128e0fc01ef8']) {
    it(`quirk 2 RP-2 answers a question whose id is ${JSON.stringify(id)}`, async () => {
      const run = new Replay(
        prompt,
        askFor(id, 'a'),
        answered(id, { 'result.outcome.optionId': 'opt-once' }),
        end('p'),
      );
      const harness = await SessionHarness.open(run);
      const turn = harness.prompt('go');
      await harness.until(() => harness.openQuestions.length === 1);
      assert.ok(harness.answerFirst('opt-once'));
      await turn;
      await harness.end();
    });
  }

  it('quirk 3 RP-1 goes on after an answer without an id', async () => {
    const lost = {
      jsonrpc: '2.0',
      error: { code: -32601, message: 'Method not found', data: '$/cancel_request' },
    };
    const harness = await SessionHarness.open(
      new Replay(prompt, { send: lost }, update(text('still here')), end('p')),
    );
    assert.equal((await harness.prompt('go')).text, 'still here');
    await harness.end();
  });

  it('quirk 4 CA-8 EX-4 takes back a question that the agent cancels, and ignores unknown notifications', async () => {
    const run = new Replay(
      expectCall('session/new', 'n'),
      notify('_auth/status', { signedIn: true }),
      answer('n', { sessionId: 'sess-replay-1' }),
      prompt,
      notify('vendor/notify/mode', { mode: 'plan' }),
      askFor(0, 'a'),
      update(text('asked')),
      expectCall('session/cancel'),
      notify('$/cancel_request', { requestId: 0 }),
      answered(0, { 'result.outcome.outcome': 'cancelled' }),
      end('p', 'cancelled'),
    );
    const harness = await SessionHarness.open(run);
    const turn = harness.prompt('go');
    await harness.until(() => harness.messages().includes('agent: asked'));
    harness.controller.cancelTurn();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(harness.tool('a').status, 'cancelled');
    await harness.end();
  });

  it('quirk 5 RP-3 answers a request that it does not know with -32601', async () => {
    const run = new Replay(
      prompt,
      request('q', 'vendor/drainQueue', { sessionId: '$SESSION' }),
      answered('q', { 'error.code': -32601 }),
      update(text('went on')),
      end('p'),
    );
    const harness = await SessionHarness.open(run);
    assert.equal((await harness.prompt('go')).text, 'went on');
    await harness.end();
  });

  it('quirk 11 CA-3 answers a question that comes after the cancel by itself', async () => {
    const run = new Replay(
      prompt,
      update(text('READY')),
      expectCall('session/cancel'),
      update(tool('late', { kind: 'execute', status: 'in_progress' })),
      askFor('late-1', 'late'),
      answered('late-1', { 'result.outcome.outcome': 'cancelled' }),
      end('p', 'cancelled'),
    );
    const harness = await SessionHarness.open(run);
    const turn = harness.prompt('go');
    await harness.until(() => harness.messages().includes('agent: READY'));
    harness.controller.cancelTurn();
    await turn;
    assert.deepEqual(harness.asked, []);
    assert.equal(harness.tool('late').status, 'cancelled');
    await harness.end();
  });

  it('quirk 13 SU-5 takes a title and commands that come after the answer to the prompt', async () => {
    const run = new Replay(
      prompt,
      end('p'),
      update({ sessionUpdate: 'session_info_update', title: 'Late title' }),
      update(commands('late')),
    );
    const harness = await SessionHarness.open(run);
    await harness.prompt('go');
    await harness.until(() => harness.state.commands.length === 1);
    assert.deepEqual([harness.state.title, harness.state.turn.status], ['Late title', 'idle']);
    await harness.end();
  });

  it('quirk 14 SE-8 shows a history once that is replayed before and after the answer to the load', async () => {
    const context = '<session_context>\nToday is a day.\n</session_context>';
    const replay = [
      update(text('first', 'user_message')),
      update(text('answer of the agent')),
      update(tool('r', { kind: 'read', status: 'completed' })),
      update(text('[Function Response: read_file]', 'user_message')),
      update(text('the end')),
    ];
    for (const before of [[update(text(context, 'user_message'))], []]) {
      const run = new Replay(
        LOADS,
        expectCall('session/load', 'l'),
        ...before,
        answer('l', {}),
        ...replay,
        prompt,
        update(text('news')),
        end('p'),
      );
      const harness = await afterOneTurn(run);
      await harness.controller.ensureConnected();
      await harness.until(() => harness.messages().includes('agent: the end'));
      await harness.prompt('again');
      assert.deepEqual(
        harness.messages().filter((message) => !message.includes('Function Response')),
        [
          `user: ${before.length > 0 ? context : ''}first`,
          'agent: answer of the agent',
          'agent: the end',
          'user: again',
          'agent: news',
        ],
      );
      await harness.end();
    }
  });

  it('quirk 15 SE-10 begins a new session, and says so, where the agent can not load its own', async () => {
    const run = new Replay(
      LOADS,
      expectCall('session/load', 'l'),
      refuse('l', -32603, 'Internal error', { details: 'No previous sessions found' }),
      expectCall('session/new', 'n'),
      answer('n', { sessionId: 'sess-new' }),
    );
    const harness = await afterOneTurn(run);
    await harness.controller.ensureConnected();
    assert.deepEqual(harness.messages(), ['user: first', 'agent: shown here']);
    assert.equal(harness.entries('notice')[0]?.title, 'Replay Agent has no memory');
    await harness.end();
  });

  it('quirk 17 FS-8 writes a file that the agent writes itself as well, any number of times', async () => {
    const folders = await makeFolders();
    const path = join(folders.root, 'both.txt');
    const documents = new FakeTextFiles();
    const bridge = new FileSystemBridge({
      roots: () => [folders.root],
      compatibility: () => ({ missingFileIsEmpty: false }),
      files: documents,
      gate: () => Promise.resolve(),
      onConflict: () => assert.fail('there is no conflict'),
      changes: { writing: (_key, _place, write) => write() },
      onRefused: () => assert.fail('not refused'),
      log: () => undefined,
    });
    const write = (): Promise<object> => bridge.writeTextFile({ sessionId: 's', path, content: 'same\n' });
    await write();
    await writeFile(path, 'same\n');
    await write();
    assert.equal(await readFile(path, 'utf8'), 'same\n');
    await folders.remove();
  });

  it('quirk 20 AU-5 RP-7 asks for a sign-in, whether the session or only the prompt is refused', async () => {
    const methods = preset('initialize', {
      authMethods: [{ id: 'key', name: 'Key', _meta: { type: 'terminal', args: ['--key'] } }],
    });
    const atOnce = await SessionHarness.open(
      new Replay(
        methods,
        expectCall('session/new', 'n'),
        refuse('n', -32000, 'Authentication required', { authMethods: [] }),
        expectCall('authenticate', 'a', { check: { 'params.methodId': 'key' } }),
        answer('a', {}),
        expectCall('session/new', 'm'),
        answer('m', { sessionId: 'sess-in' }),
      ),
    );
    assert.equal(atOnce.state.connection.status, 'auth');
    await atOnce.controller.authenticate('key');
    assert.equal(atOnce.state.connection.status, 'ready');
    await atOnce.end();

    const later = await SessionHarness.open(
      new Replay(
        methods,
        prompt,
        refuse('p', -32000, 'Authentication required'),
        expectCall('authenticate', 'a'),
        answer('a', {}),
        expectCall('session/prompt', 'again'),
        end('again'),
      ),
    );
    const turn = later.prompt('go');
    await later.until(() => later.state.connection.status === 'auth');
    await later.controller.authenticate('key');
    assert.equal((await turn).stopReason, 'end_turn');
    await later.end();
  });

  it('quirk 20 AU-13 runs in a terminal what an agent offers under `_meta`, and starts the agent again', async () => {
    const terminal = { command: 'their-cli', args: ['login'], label: 'Login', env: { FAST: '1' } };
    const methods = preset('initialize', {
      authMethods: [
        { id: 'cli', name: 'Log in', _meta: { 'terminal-auth': terminal } },
        { id: 'inside', name: 'Log in', _meta: { 'terminal-auth': { ...terminal, command: './cli' } } },
      ],
    });
    const refused = new Replay(methods, expectCall('session/new', 'n'), refuse('n', -32000, 'Sign in'));
    const harness = await SessionHarness.open(refused, new Replay(methods));
    assert.deepEqual(
      harness.state.authMethods.map(({ type }) => type),
      ['terminal', 'agent'],
    );
    assert.ok(!JSON.stringify(harness.state.authMethods).includes('their-cli'));
    const ran: unknown[] = [];
    harness.signInTerminal = (_plan, { command, args, env }) => {
      ran.push([command, args, env]);
      return Promise.resolve(0);
    };
    await harness.controller.authenticate('cli');
    assert.deepEqual(ran, [['their-cli', ['login'], { FAST: '1' }]]);
    assert.equal(harness.state.connection.status, 'ready');
    await harness.end();
  });

  it('quirk 21 MO-3 takes the mode out of a message of the agent that says it so', async () => {
    const availableModes = ['default', 'plan'].map((id) => ({ id, name: id }));
    const run = new Replay(
      preset('initialize', { agentInfo: { name: 'gemini-cli', version: '0.61.0' } }),
      preset('session/new', { modes: { currentModeId: 'default', availableModes } }),
      prompt,
      update(text('[MODE_UPDATE] plan')),
      update(text('planned')),
      end('p'),
    );
    const harness = await SessionHarness.open(run);
    await harness.prompt('go');
    assert.deepEqual(harness.messages(), ['user: go', 'agent: planned']);
    assert.equal(harness.state.config[0]?.value, 'plan');
    await harness.end();
  });

  it('quirk 22 TR-7 ends an agent that stays when its stdin ends, and shows none of its noise', async () => {
    const run = new Replay({ stubborn: true }, { stderr: '[phase] settings\n' }, prompt, end('p'));
    const harness = await SessionHarness.open(run);
    await harness.prompt('go');
    assert.deepEqual(harness.messages(), ['user: go']);
    await harness.end();
  });

  it('quirk 25 SE-3 CF-1 sends ids back as they came, whatever they look like', async () => {
    const sessionId = '1796013120672_e32PZ_cli';
    const modes = ['https://example.com/modes#agent', 'https://example.com/modes#plan'];
    const model = '$runtime|open/ai|m[low]';
    const select = (id: string, ...values: string[]) => ({
      id,
      name: id,
      type: 'select',
      currentValue: values[0],
      options: values.map((value) => ({ value, name: value })),
    });
    const run = new Replay(
      preset('session/new', {
        sessionId,
        configOptions: [select('mode', ...modes), select('model', 'm', model)],
      }),
      expectCall('session/set_config_option', 'a', {
        check: { params: { sessionId, configId: 'mode', value: modes[1] } },
      }),
      answer('a', { configOptions: [select('mode', modes[1] ?? ''), select('model', 'm', model)] }),
      expectCall('session/set_config_option', 'b', {
        check: { params: { sessionId, configId: 'model', value: model } },
      }),
      answer('b', { configOptions: [] }),
      expectCall('session/prompt', 'p', { check: { 'params.sessionId': sessionId } }),
      update(tool('__proto__', { status: 'completed' }), sessionId),
      end('p'),
    );
    const harness = await SessionHarness.open(run);
    await harness.controller.setConfig('mode', modes[1] ?? '');
    await harness.controller.setConfig('model', model);
    await harness.prompt('go');
    assert.equal(harness.tool('__proto__').status, 'completed');
    await harness.end();
  });

  it('quirk 26 CA-1 CA-2 takes the next prompt after a cancel', async () => {
    const run = new Replay(
      prompt,
      update(text('READY')),
      expectCall('session/cancel'),
      end('p', 'cancelled'),
      expectCall('session/prompt', 'next'),
      update(text('alive')),
      end('next'),
    );
    const harness = await SessionHarness.open(run);
    const turn = harness.prompt('go');
    await harness.until(() => harness.messages().includes('agent: READY'));
    harness.controller.cancelTurn();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal((await harness.prompt('next')).text, 'alive');
    await harness.end();
  });

  for (const code of [-32602, -32603]) {
    it(`quirk 29 CF-9 takes a mode back that is refused with ${code}, and says why`, async () => {
      const availableModes = ['a', 'b'].map((id) => ({ id, name: id }));
      const run = new Replay(
        preset('session/new', { modes: { currentModeId: 'a', availableModes } }),
        expectCall('session/set_mode', 's'),
        refuse('s', code, 'Internal error', { details: 'mode not available', mode: 'b' }),
      );
      const harness = await SessionHarness.open(run);
      const why = await harness.rejectionOf(harness.controller.setConfig('mode', 'b'));
      assert.equal(why, 'mode not available');
      assert.equal(harness.state.config[0]?.value, 'a');
      await harness.end();
    });
  }
});
