import assert from 'node:assert/strict';
import { answer, end, expectCall, preset, refuse, Replay, update } from '../../support/replayScript';
import { text } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const prompted = (as: string, words: string) =>
  expectCall('session/prompt', as, { check: { 'params.prompt.0.text': words } });

const textsOf = ({ state }: SessionHarness): string[] => state.queue.items.map((item) => item.text);
const idOf = ({ state }: SessionHarness, words: string): string =>
  state.queue.items.find((item) => item.text === words)?.id ?? assert.fail(`no ${words}`);
const promptsOf = (run: Replay): unknown[] =>
  run.paramsOf('session/prompt').map(({ prompt }) => (prompt as { text: string }[])[0]?.text);

/** A session in the middle of its first turn. */
async function running(run: Replay): Promise<{ harness: SessionHarness; first: Promise<unknown> }> {
  const harness = await SessionHarness.open(run);
  const first = harness.prompt('first');
  await harness.until(() => harness.messages().includes('agent: READY'));
  return { harness, first };
}

const FIRST = [prompted('p', 'first'), update(text('READY'))];

describe('the queue of a session', () => {
  it('PT-7 PT-12 sends what was queued, edited and moved, one after the other', async () => {
    const run = new Replay(
      ...FIRST,
      // Until all is queued.
      expectCall('session/set_config_option', 's'),
      answer('s', { configOptions: [] }),
      end('p'),
      prompted('q', 'third'),
      end('q'),
      prompted('r', 'second, better'),
      end('r'),
      preset('session/new', {
        configOptions: [{ id: 'fast', name: 'Fast', type: 'boolean', currentValue: false }],
      }),
    );
    const { harness, first } = await running(run);
    const second = harness.prompt('second');
    const third = harness.prompt('third');
    const gone = harness.rejectionOf(harness.prompt('gone'));
    const { queue } = harness.controller;
    queue.edit(idOf(harness, 'second'), 'second, better');
    queue.move(idOf(harness, 'third'), 0);
    queue.remove(idOf(harness, 'gone'));
    assert.equal(await gone, 'removed');
    assert.deepEqual(textsOf(harness), ['third', 'second, better']);
    await harness.controller.setConfig('fast', true);
    await Promise.all([first, third, second]);
    assert.deepEqual(promptsOf(run), ['first', 'third', 'second, better']);
    assert.deepEqual(textsOf(harness), []);
    await harness.end();
  });

  it('PT-7 writes down that a prompt left the queue before the agent gets it, once', async () => {
    let written: () => void = () => undefined;
    const run = new Replay(...FIRST, end('p'), prompted('q', 'second'), end('q'));
    const harness = await SessionHarness.open(run);
    harness.recorded = () => new Promise((resolve) => (written = resolve));
    const first = harness.prompt('first');
    await harness.until(() => harness.messages().includes('agent: READY'));
    const second = harness.prompt('second');
    await first;
    const submitted = () => harness.actions.filter((action) => action.type === 'promptSubmitted');
    await harness.until(() => submitted().length === 2);
    assert.deepEqual(
      submitted().map((action) => 'queued' in action),
      [false, true],
    );
    assert.deepEqual(textsOf(harness), []);
    // Whatever was written by now is there after a full turn of the event loop and a look at the agent's log.
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(promptsOf(run), ['first'], 'nothing is sent before it is on disk');
    written();
    await second;
    assert.deepEqual(promptsOf(run), ['first', 'second']);
    assert.equal(submitted().length, 2);
    await harness.end();
  });

  it('PT-7 CA-2 a prompt that is stopped before it is on disk is never sent', async () => {
    let written: () => void = () => undefined;
    const run = new Replay(...FIRST, end('p'), prompted('r', 'third'), end('r'));
    const { harness, first } = await running(run);
    harness.recorded = () => new Promise((resolve) => (written = resolve));
    const second = harness.prompt('second');
    await first;
    await harness.until(() => harness.state.turn.number === 2);
    harness.controller.cancelTurn();
    written();
    assert.deepEqual(await second, { stopReason: 'cancelled', text: '' });
    assert.equal(harness.state.turn.status, 'idle');
    harness.recorded = () => Promise.resolve();
    await harness.prompt('third');
    assert.deepEqual(promptsOf(run), ['first', 'third']);
    await harness.end();
  });

  it('PT-7 CA-1 "send now" cancels the turn and sends the prompt, the others after it', async () => {
    const run = new Replay(
      ...FIRST,
      expectCall('session/cancel'),
      end('p', 'cancelled'),
      prompted('q', 'urgent'),
      end('q'),
      prompted('r', 'second'),
      end('r'),
    );
    const { harness, first } = await running(run);
    const second = harness.prompt('second');
    const urgent = harness.prompt('urgent');
    harness.controller.queue.sendNow(idOf(harness, 'urgent'));
    assert.equal(harness.state.turn.status, 'cancelling');
    assert.deepEqual(await first, { stopReason: 'cancelled', text: 'READY' });
    await Promise.all([urgent, second]);
    assert.deepEqual(run.calls.slice(-4), [
      'session/prompt',
      'session/cancel',
      'session/prompt',
      'session/prompt',
    ]);
    await harness.end();
  });

  it('PT-7 CA-2 Stop leaves the queue to the person, who resumes it', async () => {
    const run = new Replay(
      ...FIRST,
      expectCall('session/cancel'),
      end('p', 'cancelled'),
      prompted('q', 'second'),
      end('q'),
    );
    const { harness, first } = await running(run);
    const second = harness.prompt('second');
    harness.controller.cancelTurn();
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([textsOf(harness), harness.state.queue.paused], [['second'], true]);
    assert.deepEqual(promptsOf(run), ['first']);
    harness.controller.queue.resume();
    await second;
    await harness.end();
  });

  it('PT-7 CA-2 a prompt that is written during the cancel goes out right after it, before what was queued', async () => {
    const run = new Replay(
      ...FIRST,
      expectCall('session/cancel'),
      end('p', 'cancelled'),
      prompted('q', 'instead'),
      end('q'),
    );
    const { harness, first } = await running(run);
    void harness.prompt('second').catch(() => undefined);
    harness.controller.cancelTurn();
    const instead = harness.prompt('instead');
    await first;
    assert.equal((await instead).stopReason, 'end_turn');
    assert.deepEqual([textsOf(harness), harness.state.queue.paused], [['second'], true]);
    assert.deepEqual(promptsOf(run), ['first', 'instead']);
    await harness.end();
  });

  for (const [title, last] of [
    ['PT-9 a refusal', end('p', 'refusal')],
    ['PT-11 a failure', refuse('p', -32603, 'overloaded')],
  ] as const) {
    it(`PT-7 ${title} pauses, and a resumed queue goes on`, async () => {
      const run = new Replay(
        ...FIRST,
        expectCall('session/set_mode', 's'),
        last,
        answer('s', {}),
        prompted('q', 'second'),
        end('q'),
        preset('session/new', {
          modes: { currentModeId: 'a', availableModes: ['a', 'b'].map((id) => ({ id, name: id })) },
        }),
      );
      const { harness, first } = await running(run);
      const second = harness.prompt('second');
      const over = first.then(
        () => undefined,
        () => undefined,
      );
      await harness.controller.setConfig('mode', 'b');
      await over;
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual([textsOf(harness), harness.state.queue.paused], [['second'], true]);
      harness.controller.queue.resume();
      assert.equal((await second).stopReason, 'end_turn');
      await harness.end();
    });
  }

  it('PT-7 TR-9 outlives its agent and its window: paused, and sent once by the next ones', async () => {
    const first = new Replay(...FIRST, expectCall('session/cancel'), { exit: 1 });
    const { harness, first: turn } = await running(first);
    const failed = harness.rejectionOf(turn);
    const waits = harness.prompt('second');
    waits.catch(() => undefined);
    harness.connected[0]?.process.kill();
    await failed;
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([textsOf(harness), harness.state.queue.paused], [['second'], true]);
    const { archive } = harness;
    const { key } = harness.sessions.current;
    archive.keep(key, harness.state);
    archive.setLastShown({ key, agentId: 'replay' });
    await harness.sessions.stop();

    const run = new Replay(prompted('q', 'second'), end('q'));
    const next = new SessionHarness({ replay: [run] }, 'replay', archive);
    await next.sessions.restore();
    assert.deepEqual([textsOf(next), next.state.queue.paused], [['second'], true]);
    next.controller.queue.resume();
    await next.until(() => next.state.turn.status === 'running');
    await next.until(() => next.state.turn.status === 'idle');
    assert.deepEqual(promptsOf(run), ['second']);
    assert.deepEqual(textsOf(next), []);
    await next.end();
  });
});
