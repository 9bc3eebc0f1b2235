import assert from 'node:assert/strict';
import { answered, askFor, end, expectCall, refuse, Replay, update } from '../../support/replayScript';
import { patch, text, tool } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const CANCELLED = { 'result.outcome': { outcome: 'cancelled' } };

/** A turn that is cancelled as soon as the agent said "READY". */
async function cancelledTurn(...rest: object[]): Promise<[SessionHarness, Promise<unknown>, Replay]> {
  const run = new Replay(
    expectCall('session/prompt', 'p'),
    update(tool('a', { status: 'in_progress' })),
    update(text('READY')),
    expectCall('session/cancel', undefined, { check: { 'params.sessionId': '$SESSION' } }),
    ...(rest as Record<string, unknown>[]),
  );
  const harness = await SessionHarness.open(run);
  const turn = harness.prompt('go');
  await harness.until(() => harness.messages().includes('agent: READY'));
  harness.controller.cancelTurn();
  return [harness, turn, run];
}

describe('cancelling a turn', () => {
  it('CA-1 CA-3 answers the open questions, then tells the agent', async () => {
    const run = new Replay(
      expectCall('session/prompt', 'p'),
      update(tool('a', { status: 'pending' })),
      update(tool('b', { status: 'pending' })),
      askFor(0, 'a'),
      askFor('uuid-1', 'b'),
      expectCall('session/cancel'),
      answered(0, CANCELLED),
      answered('uuid-1', CANCELLED),
      end('p', 'cancelled'),
    );
    const harness = await SessionHarness.open(run);
    const turn = harness.prompt('go');
    await harness.until(() => harness.openQuestions.length === 2);
    harness.controller.cancelTurn();
    assert.equal(harness.state.turn.status, 'cancelling');
    assert.equal((await turn).stopReason, 'cancelled');
    assert.deepEqual(run.calls.slice(-3), ['answer 0', 'answer "uuid-1"', 'session/cancel']);
    assert.deepEqual(harness.openQuestions, []);
    await harness.end();
  });

  it('CA-2 CA-4 CA-5 keeps the turn open until its answer and takes updates until then', async () => {
    const [harness, turn] = await cancelledTurn(
      update(text(' LATE')),
      update(patch('a', { status: 'completed' })),
      update(tool('b', { status: 'in_progress' })),
      end('p', 'cancelled'),
      expectCall('session/prompt', 'q', { check: { 'params.prompt.0.text': 'next' } }),
      end('q'),
    );
    assert.equal(harness.state.turn.status, 'cancelling');
    assert.equal(harness.tool('a').status, 'cancelled');
    const next = harness.prompt('next');
    assert.deepEqual(
      harness.state.queue.items.map((item) => item.text),
      ['next'],
    );
    await turn;
    assert.equal((await next).stopReason, 'end_turn');
    assert.deepEqual(harness.state.queue.items, []);
    assert.ok(harness.messages().includes('agent: READY LATE'));
    assert.equal(harness.tool('a').status, 'completed');
    assert.equal(harness.tool('b').status, 'cancelled');
    await harness.end();
  });

  it('CA-1 tells the agent once, however often it is cancelled', async () => {
    const [harness, turn, run] = await cancelledTurn(end('p', 'cancelled'));
    harness.controller.cancelTurn();
    await turn;
    harness.controller.cancelTurn();
    await harness.end();
    assert.equal(run.paramsOf('session/cancel').length, 1);
  });

  it('CA-3 answers a question that comes after the cancel by itself', async () => {
    const [harness, turn] = await cancelledTurn(
      askFor(7, 'a'),
      answered(7, CANCELLED),
      end('p', 'cancelled'),
    );
    await turn;
    assert.deepEqual(harness.asked, []);
    assert.equal(harness.tool('a').status, 'cancelled');
    await harness.end();
  });

  for (const [title, code, message, data] of [
    ['-32800', -32800, 'Request cancelled', undefined],
    ['-32603 "aborted" in the message', -32603, 'This operation was aborted', undefined],
    ['-32603 "aborted" in the data', -32603, 'Internal error', { details: 'The user aborted a request' }],
  ] as const) {
    it(`CA-6 takes ${title} after a cancel for cancelled`, async () => {
      const [harness, turn] = await cancelledTurn(refuse('p', code, message, data));
      assert.deepEqual(await turn, { stopReason: 'cancelled', text: 'READY' });
      assert.deepEqual(harness.entries('error'), []);
      assert.deepEqual(
        harness.entries('end').map(({ stopReason }) => stopReason),
        ['cancelled'],
      );
      await harness.end();
    });
  }

  it('CA-6 shows another error after a cancel', async () => {
    const [harness, turn] = await cancelledTurn(refuse('p', -32603, 'disk full'));
    assert.equal(await harness.rejectionOf(turn), 'disk full');
    assert.deepEqual(
      harness.entries('error').map(({ error }) => error.message),
      ['disk full'],
    );
    assert.equal(harness.state.turn.status, 'failed');
    assert.equal(harness.tool('a').status, 'cancelled');
    await harness.end();
  });

  it('CA-6 shows an abort that nobody asked for', async () => {
    const run = new Replay(expectCall('session/prompt', 'p'), refuse('p', -32603, 'Request was aborted'));
    const harness = await SessionHarness.open(run);
    assert.equal(await harness.rejectionOf(harness.prompt('go')), 'Request was aborted');
    assert.equal(harness.state.turn.status, 'failed');
    await harness.end();
  });

  it('CA-6 does not mix up a cancelled turn with the first turn of the next session', async () => {
    const run = new Replay(
      expectCall('session/prompt', 'p'),
      update(text('READY')),
      expectCall('session/cancel'),
      end('p', 'cancelled'),
      expectCall('session/prompt', 'q'),
      refuse('q', -32603, 'Request was aborted'),
    );
    const harness = await SessionHarness.open(run);
    const turn = harness.prompt('go');
    await harness.until(() => harness.messages().includes('agent: READY'));
    harness.controller.cancelTurn();
    await turn;
    await harness.sessions.create();
    assert.equal(await harness.rejectionOf(harness.prompt('go')), 'Request was aborted');
    assert.equal(harness.state.turn.status, 'failed');
    await harness.end();
  });

  it('CA-3 answers what is still open when the agent ends the turn without waiting', async () => {
    const run = new Replay(
      expectCall('session/prompt', 'p'),
      askFor(3, 'a'),
      end('p'),
      answered(3, CANCELLED),
      expectCall('session/prompt', 'q'),
      end('q'),
    );
    const harness = await SessionHarness.open(run);
    await harness.prompt('go');
    assert.deepEqual(harness.openQuestions, []);
    await harness.prompt('next');
    await harness.end();
  });

  it('CA-6 force stop ends an agent that does not stop, and starts it again with the transcript', async () => {
    const stubborn = new Replay(
      expectCall('session/prompt', 'p'),
      update(text('READY')),
      expectCall('session/cancel'),
    );
    const harness = await SessionHarness.open(stubborn, new Replay());
    const turn = harness.prompt('go');
    await harness.until(() => harness.messages().includes('agent: READY'));
    harness.controller.cancelTurn();
    await harness.controller.forceStop();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(harness.connected.length, 2);
    assert.equal(harness.state.connection.status, 'ready');
    assert.notEqual(harness.state.turn.status, 'cancelling');
    assert.ok(harness.messages().includes('agent: READY'));
    await harness.sessions.stop();
  });
});
