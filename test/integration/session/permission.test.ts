import assert from 'node:assert/strict';
import { mock } from 'node:test';
import {
  answered,
  askFor,
  end,
  expectCall,
  OPTIONS,
  Replay,
  request,
  update,
} from '../../support/replayScript';
import { tool } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';
import { RulePolicy } from '../../../src/host/permission/rulePolicy';

const prompted = (as: string, text: string) =>
  expectCall('session/prompt', as, { check: { 'params.prompt.0.text': text } });
const chosen = (optionId: string) => ({ 'result.outcome': { outcome: 'selected', optionId } });
const CANCELLED = { 'result.outcome': { outcome: 'cancelled' } };

/** A session whose agent asks for one permission and goes on with the steps. */
async function asking(
  ...rest: object[]
): Promise<{ harness: SessionHarness; turn: Promise<unknown>; run: Replay }> {
  const run = new Replay(
    prompted('p', 'go'),
    update(tool('a', { kind: 'execute' })),
    askFor(0, 'a'),
    ...(rest as Record<string, unknown>[]),
  );
  const harness = await SessionHarness.open(run);
  const turn = harness.prompt('go');
  turn.catch(() => undefined);
  await harness.until(() => harness.openQuestions.length === 1);
  return { harness, turn, run };
}

const idOf = (harness: SessionHarness): string => harness.openQuestions[0]?.requestId ?? '';
const promptsOf = (run: Replay): unknown[] =>
  run.paramsOf('session/prompt').map(({ prompt }) => (prompt as { text: string }[])[0]?.text);

describe('a permission that waits', () => {
  it('PE-9 is not answered by time', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    let ticked = false;
    try {
      const { harness, turn } = await asking(answered(0, chosen('opt-no')), end('p'));
      mock.timers.tick(30 * 86_400_000);
      ticked = true;
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(harness.openQuestions.length, 1);
      mock.timers.reset();
      harness.answerFirst('opt-no');
      await turn;
      await harness.end();
    } finally {
      mock.timers.reset();
    }
    assert.ok(ticked);
  });

  it('PE-5 is not granted when the window goes away', async () => {
    const { harness, run } = await asking(answered(0, CANCELLED));
    const id = idOf(harness);
    await harness.sessions.stop();
    assert.equal(harness.permissions.answer(id, 'opt-once'), false);
    assert.ok(!JSON.stringify(run.fromClient).includes('opt-once'));
    assert.equal(harness.tool('a').permissions[0]?.outcome, 'cancelled');
  });

  it('PE-5 is cancelled when its agent ends, and a late answer counts for nothing', async () => {
    const { harness, turn } = await asking();
    const id = idOf(harness);
    for (const { process } of harness.connected) process.kill();
    await assert.rejects(turn);
    assert.deepEqual(harness.permissions.waiting(), []);
    assert.equal(harness.permissions.answer(id, 'opt-once'), false);
    assert.equal(harness.tool('a').permissions[0]?.outcome, 'cancelled');
    await harness.sessions.stop();
  });

  it('PE-5 SE-12 is cancelled when its session is closed', async () => {
    const { harness, run } = await asking(answered(0, CANCELLED));
    await harness.sessions.close(harness.sessions.current.key);
    assert.deepEqual(harness.permissions.waiting(), []);
    await harness.sessions.stop();
    assert.ok(!JSON.stringify(run.fromClient).includes('opt-once'));
  });

  it('PE-5 TR-9 is cancelled for the next window, where nothing can grant it', async () => {
    const { harness } = await asking(answered(0, CANCELLED));
    const id = idOf(harness);
    harness.archive.keep('key-1', harness.state);
    const kept = harness.archive.states.get('key-1');
    const card = kept?.entries.find((entry) => entry.kind === 'tool');
    assert.equal(card?.kind === 'tool' && card.permissions[0]?.outcome, 'cancelled');
    const next = new SessionHarness({}, 'replay', harness.archive);
    assert.deepEqual(next.permissions.waiting(), []);
    assert.equal(next.permissions.answer(id, 'opt-once'), false);
    await Promise.all([harness.sessions.stop(), next.sessions.stop()]);
  });
});

describe('a rejection with a reason', () => {
  it('PT-7 PE-2 sends the option, and the reason as the next prompt, before what was queued', async () => {
    const { harness, turn, run } = await asking(
      answered(0, chosen('opt-no')),
      expectCall('session/set_mode'),
      end('p'),
      prompted('q', 'use npm'),
      end('q'),
      prompted('r', 'later'),
      end('r'),
    );
    const later = harness.prompt('later');
    harness.permissions.answer(idOf(harness), 'opt-no', 'use npm');
    assert.deepEqual(
      harness.state.queue.items.map(({ text }) => text),
      ['use npm', 'later'],
    );
    assert.deepEqual(promptsOf(run), ['go']);
    // The agent ends its turn only now.
    void harness.connected[0]?.client.setMode('s', 'x').catch(() => undefined);
    await turn;
    await later;
    assert.deepEqual(promptsOf(run), ['go', 'use npm', 'later']);
    await harness.end();
  });

  for (const stopReason of ['cancelled', 'refusal']) {
    it(`PT-7 PE-9 goes out where the agent ends the turn as ${stopReason} because of it`, async () => {
      const { harness, turn, run } = await asking(
        answered(0, chosen('opt-no')),
        end('p', stopReason),
        prompted('q', 'use npm'),
        end('q'),
      );
      harness.permissions.answer(idOf(harness), 'opt-no', 'use npm');
      await turn;
      await harness.until(() => harness.state.turn.number === 2 && harness.state.turn.status === 'idle');
      assert.deepEqual(promptsOf(run), ['go', 'use npm']);
      await harness.end();
    });
  }

  it('CA-2 PT-7 stays in the queue where the person stops the turn afterwards', async () => {
    const { harness, turn, run } = await asking(
      answered(0, chosen('opt-no')),
      expectCall('session/cancel'),
      end('p', 'cancelled'),
    );
    harness.permissions.answer(idOf(harness), 'opt-no', 'use npm');
    harness.controller.cancelTurn();
    await turn;
    await new Promise((resolve) => setImmediate(resolve));
    const { items, paused } = harness.state.queue;
    assert.deepEqual([items.map(({ text }) => text), paused], [['use npm'], true]);
    assert.deepEqual(promptsOf(run), ['go']);
    await harness.end();
  });
});

describe('rules in a session', () => {
  const askToRun = (id: number, command: string) =>
    request(id, 'session/request_permission', {
      sessionId: '$SESSION',
      toolCall: { toolCallId: `c${id}`, kind: 'execute', rawInput: { command } },
      options: OPTIONS,
    });

  it('PE-4 a rule for "npm test" answers it over the wire, and "npm test && rm -rf x" is asked', async () => {
    const run = new Replay(
      prompted('p', 'go'),
      askToRun(1, 'npm test'),
      answered(1, chosen('opt-once')),
      askToRun(2, 'npm test && rm -rf x'),
      answered(2, chosen('opt-no')),
      end('p'),
    );
    const harness = await SessionHarness.open(run);
    const policy = new RulePolicy({
      settings: {
        read: () => ({ user: [{ effect: 'allow', command: 'npm test' }], workspace: [] }),
        append: () => Promise.resolve(),
      },
      session: () => ({ agent: 'replay', title: '', roots: [harness.cwd] }),
      audit: { add: () => undefined },
      realPath: (path) => Promise.resolve(path),
      platform: { home: '/home/me', windows: false, ignoreCase: false },
      now: () => 1,
    });
    harness.policy = policy;
    const turn = harness.prompt('go');
    await harness.until(() => harness.openQuestions.length === 1);
    assert.equal(harness.openQuestions[0]?.topic.command, 'npm test && rm -rf x');
    assert.equal(harness.openQuestions[0]?.topic.cwd, harness.cwd);
    harness.answerFirst('opt-no');
    await turn;
    assert.deepEqual(
      harness.entries('tool').map(({ permissions }) => permissions[0]?.rule),
      ['npm test', undefined],
    );
    await harness.end();
  });
});
