import assert from 'node:assert/strict';
import { isAlive } from '../../support/fakeAgents';
import { answer, end, expectCall, preset, Replay, update } from '../../support/replayScript';
import { text } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const CAN_CLOSE = preset('initialize', { agentCapabilities: { sessionCapabilities: { close: {} } } });

/** For scripts that play a second session/new themselves: they have to play the first one as well. */
const opened = [expectCall('session/new', 'first'), answer('first', { sessionId: '$SESSION' })];
const second = [expectCall('session/new', 'second'), answer('second', { sessionId: '$SESSION2' })];

describe('several sessions of one agent', () => {
  it('SE-14 SE-12 closing one in the middle of its turn settles it, and the other goes on', async () => {
    const run = new Replay(
      CAN_CLOSE,
      ...opened,
      expectCall('session/prompt', 'p'),
      update(text('WORKING')),
      ...second,
      expectCall('session/prompt', 'q', { check: { 'params.sessionId': '$SESSION2' } }),
      update(text('OTHER'), '$SESSION2'),
      expectCall('session/cancel', undefined, { check: { 'params.sessionId': '$SESSION' } }),
      expectCall('session/close', 'c', { check: { params: { sessionId: '$SESSION' } } }),
      answer('c', {}),
      end('q'),
    );
    const harness = await SessionHarness.open(run);
    const turn = harness.prompt('go');
    await harness.until(() => harness.messages().includes('agent: WORKING'));
    const { current } = harness.sessions;
    const waits = harness.rejectionOf(harness.prompt('queued'));
    await harness.sessions.create();
    const other = harness.prompt('other');
    await harness.until(() => harness.messages().includes('agent: OTHER'));
    await harness.sessions.close(current.key);
    assert.equal(current.store.state.turn.status, 'idle');
    assert.equal(current.store.state.entries.at(-1)?.kind, 'end');
    assert.equal(await waits, 'removed');
    assert.deepEqual(harness.released, [current.key]);
    assert.equal((await other).text, 'OTHER');
    assert.equal(harness.connected.length, 1);
    await harness.end();
    // Its prompt was never answered; the end of the agent ends it as the cancel that it was.
    assert.equal((await turn).stopReason, 'cancelled');
  });

  it('SE-14 TR-8 closing the last one of an agent ends its process', async () => {
    const run = new Replay(
      CAN_CLOSE,
      expectCall('session/prompt', 'p'),
      end('p'),
      expectCall('session/close', 'c'),
      answer('c', {}),
    );
    const harness = new SessionHarness({ replay: [run], other: [new Replay()] });
    await harness.prompt('go');
    const { key } = harness.sessions.current;
    await harness.sessions.create('other');
    await harness.sessions.close(key);
    assert.ok(!isAlive(harness.connected[0]?.process.pid ?? 0));
    assert.equal(harness.state.connection.status, 'ready');
    assert.equal(harness.state.banner, null);
    await harness.end();
  });

  it('SE-4 SU-8 switching to and fro disturbs no turn', async () => {
    const run = new Replay(
      ...opened,
      expectCall('session/prompt', 'p'),
      update(text('ONE ')),
      ...second,
      expectCall('session/prompt', 'q'),
      update(text('TWO '), '$SESSION2'),
      update(text('MORE')),
      update(text('MORE'), '$SESSION2'),
      end('q'),
      end('p'),
    );
    const harness = await SessionHarness.open(run);
    const first = harness.prompt('first');
    await harness.until(() => harness.messages().includes('agent: ONE '));
    const one = harness.sessions.current.key;
    await harness.sessions.create();
    const two = harness.sessions.current.key;
    const other = harness.prompt('second');
    for (const key of [one, two, one, two, one]) await harness.sessions.show(key);
    assert.equal((await other).text, 'TWO MORE');
    assert.equal((await first).text, 'ONE MORE');
    assert.deepEqual(harness.messages(), ['user: first', 'agent: ONE MORE']);
    await harness.sessions.show(two);
    assert.deepEqual(harness.messages(), ['user: second', 'agent: TWO MORE']);
    assert.deepEqual(run.calls, [
      'initialize',
      'session/new',
      'session/prompt',
      'session/new',
      'session/prompt',
    ]);
    assert.deepEqual(harness.released, []);
    await harness.end();
  });
});
