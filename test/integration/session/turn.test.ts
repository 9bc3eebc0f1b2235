import assert from 'node:assert/strict';
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
} from '../../support/replayScript';
import { patch, text, tool } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

describe('a prompt turn', () => {
  it('PT-2 PT-6 shows prompt, text and end, and tells how the turn ended', async () => {
    const _meta = { 'parley.agentLoop': { modelCalls: 2, taskComplete: { summary: 'all done' } } };
    const harness = await SessionHarness.open(
      new Replay(
        expectCall('session/prompt', 'p', {
          check: {
            'params.prompt': [{ type: 'text', text: 'please start' }],
            'params.sessionId': '$SESSION',
          },
        }),
        update(text('one ')),
        update(text('two')),
        update(tool('a', { status: 'completed' })),
        update(text('three')),
        answer('p', { stopReason: 'end_turn', _meta }),
      ),
    );
    let taken = 0;
    const result = await harness.prompt('please start', () => taken++);
    assert.deepEqual(result, {
      stopReason: 'end_turn',
      text: 'one two\n\nthree',
      modelCalls: 2,
      taskComplete: 'all done',
    });
    assert.equal(taken, 1);
    assert.deepEqual(harness.messages(), ['user: please start', 'agent: one two', 'agent: three']);
    assert.deepEqual(
      harness.entries('end').map(({ stopReason, modelCalls, taskComplete }) => ({
        stopReason,
        modelCalls,
        taskComplete,
      })),
      [{ stopReason: 'end_turn', modelCalls: 2, taskComplete: 'all done' }],
    );
    assert.equal(harness.state.turn.status, 'idle');
    await harness.end();
  });

  it('PT-7 queues the second of two prompts at once and loses nothing', async () => {
    const harness = new SessionHarness({
      replay: [
        new Replay(
          expectCall('session/prompt', 'p', { check: { 'params.prompt.0.text': 'first' } }),
          update(text('FIRST')),
          end('p'),
          expectCall('session/prompt', 'q', { check: { 'params.prompt.0.text': 'second' } }),
          update(text('SECOND')),
          end('q'),
        ),
      ],
    });
    let taken = 0;
    // Both before the agent runs: one start serves both.
    const first = harness.prompt('first', () => taken++);
    const second = harness.prompt('second', () => taken++);
    assert.equal((await first).text, 'FIRST');
    assert.equal(taken, 2);
    assert.equal((await second).text, 'SECOND');
    assert.deepEqual(harness.messages(), ['user: first', 'agent: FIRST', 'user: second', 'agent: SECOND']);
    assert.equal(harness.connected.length, 1);
    await harness.end();
  });

  it('PT-11 RP-9 shows an error answer, interrupts open calls and keeps the session', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        expectCall('session/prompt', 'p'),
        update(tool('open', { status: 'in_progress' })),
        update(tool('done', { status: 'completed' })),
        refuse('p', -32603, 'Internal error', { details: 'quota exceeded' }),
        expectCall('session/prompt', 'q'),
        update(text('again')),
        end('q'),
      ),
    );
    const { state } = harness;
    assert.equal(await harness.rejectionOf(harness.prompt('go')), 'quota exceeded');
    assert.equal(state.turn.status, 'failed');
    assert.equal(state.connection.status, 'ready');
    assert.deepEqual(
      harness.entries('error').map(({ error }) => error),
      [{ message: 'quota exceeded', code: -32603 }],
    );
    assert.equal(harness.tool('open').status, 'interrupted');
    assert.equal(harness.tool('done').status, 'completed');
    assert.equal((await harness.prompt('go on')).text, 'again');
    await harness.end();
  });

  it('RP-7 AU-4 waits for a sign-in when the prompt itself is refused with -32000, then sends it once more', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        preset('initialize', { authMethods: [{ id: 'login', name: 'Sign in' }] }),
        expectCall('session/prompt', 'p'),
        refuse('p', -32000, 'Authentication required'),
        expectCall('authenticate', 'a', { check: { params: { methodId: 'login' } } }),
        answer('a', {}),
        expectCall('session/prompt', 'q', { check: { 'params.prompt.0.text': 'go' } }),
        update(text('SIGNED-IN')),
        end('q'),
      ),
    );
    const turn = harness.prompt('go');
    await harness.until(() => harness.state.connection.status === 'auth');
    assert.equal(harness.state.turn.status, 'running');
    await harness.controller.authenticate('login');
    assert.equal((await turn).text, 'SIGNED-IN');
    assert.deepEqual(harness.messages(), ['user: go', 'agent: SIGNED-IN']);
    await harness.end();
  });

  it('RP-7 tells an error when the prompt is refused again after the sign-in', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        preset('initialize', { authMethods: [{ id: 'login', name: 'Sign in' }] }),
        expectCall('session/prompt', 'p'),
        refuse('p', -32000, 'Authentication required'),
        expectCall('session/prompt', 'q'),
        refuse('q', -32000, 'Still not signed in'),
      ),
    );
    const turn = harness.rejectionOf(harness.prompt('go'));
    await harness.until(() => harness.state.connection.status === 'auth');
    await harness.controller.authenticate('login');
    assert.equal(await turn, 'Still not signed in');
    assert.equal(harness.state.turn.status, 'failed');
    await harness.end();
  });

  it('RP-7 CA-2 Stop ends a turn that waits for a sign-in', async () => {
    const harness = await SessionHarness.open(
      new Replay(expectCall('session/prompt', 'p'), refuse('p', -32000, 'Authentication required')),
    );
    const turn = harness.prompt('go');
    await harness.until(() => harness.state.connection.status === 'auth');
    harness.controller.cancelTurn();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(harness.state.connection.status, 'auth');
    await harness.end();
  });

  it('SU-7 applies 5,000 updates before the answer that follows them', async () => {
    const harness = await SessionHarness.open(
      new Replay(expectCall('session/prompt', 'p'), {
        send: [
          ...Array.from({ length: 5_000 }, (_, i) => ({
            jsonrpc: '2.0',
            method: 'session/update',
            params: { sessionId: '$SESSION', update: text(`${i} `) },
          })),
          { jsonrpc: '2.0', id: '$ID:p', result: { stopReason: 'end_turn' } },
        ],
        oneWrite: true,
      }),
    );
    let atTheEnd = 0;
    harness.store.onDidDispatch(({ type }) => {
      if (type === 'turnEnded')
        atTheEnd = harness.actions.filter((action) => action.type === 'update').length;
    });
    const result = await harness.prompt('go');
    assert.equal(atTheEnd, 5_000);
    assert.equal(result.text, Array.from({ length: 5_000 }, (_, i) => `${i} `).join(''));
    await harness.end();
  });

  it('SU-6 shows what comes after the end and does not reopen the turn', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        expectCall('session/prompt', 'p'),
        update(tool('a', { status: 'in_progress' })),
        end('p'),
        update(text('late')),
        update(patch('a', { status: 'completed' })),
        update({ sessionUpdate: 'session_info_update', title: 'A title' }),
      ),
    );
    await harness.prompt('go');
    await harness.until(() => harness.state.title === 'A title');
    assert.equal(harness.state.turn.status, 'idle');
    assert.equal(harness.entries('end').length, 1);
    assert.equal(harness.tool('a').status, 'completed');
    assert.ok(harness.messages().includes('agent: late'));
    await harness.end();
  });

  it('SU-1 ignores updates for a session that was never opened', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        expectCall('session/prompt', 'p'),
        update(text('not mine'), 'someone-else'),
        update(text('mine')),
        end('p'),
      ),
    );
    assert.equal((await harness.prompt('go')).text, 'mine');
    assert.ok(harness.log.some((line) => line.includes('someone-else')));
    await harness.end();
  });

  it('RP-3 PE-1 answers -32002 to a question of a session that was never opened', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        expectCall('session/prompt', 'p'),
        askFor('q-1', 'a', 'someone-else'),
        answered('q-1', { 'error.code': -32002 }),
        request(0, 'session/request_permission', { sessionId: '$SESSION', options: [] }),
        answered(0, { 'error.code': -32602 }),
        request(1, '_x/unknown', {}),
        answered(1, { 'error.code': -32601 }),
        end('p'),
      ),
    );
    await harness.prompt('go');
    assert.deepEqual(harness.asked, []);
    await harness.end();
  });

  it('PE-3 PE-8 answers two questions, the second first, with the options that were chosen', async () => {
    const harness = await SessionHarness.open(
      new Replay(
        expectCall('session/prompt', 'p'),
        askFor(0, 'a'),
        askFor('q-2', 'b'),
        answered('q-2', { 'result.outcome': { outcome: 'selected', optionId: 'opt-no' } }),
        update(text('B ')),
        answered(0, { 'result.outcome': { outcome: 'selected', optionId: 'opt-once' } }),
        end('p'),
      ),
    );
    const { permissions } = harness;
    const turn = harness.prompt('go');
    await harness.until(() => harness.openQuestions.length === 2);
    assert.equal(harness.tool('a').status, 'waiting');
    const [first, second] = harness.openQuestions;
    assert.ok(permissions.answer(second?.requestId ?? '', 'opt-no'));
    await harness.until(() => harness.messages().includes('agent: B '));
    assert.equal(harness.openQuestions.length, 1);
    assert.ok(permissions.answer(first?.requestId ?? '', 'opt-once'));
    await turn;
    assert.equal(harness.tool('b').status, 'rejected');
    await harness.end();
  });
});
