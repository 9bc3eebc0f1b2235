import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaunchPlan } from '../../../src/acp/agentProcess';
import { createMasker } from '../../../src/core/diagnostics/mask';
import { TrafficRecorder } from '../../../src/core/traffic/recorder';
import { writeReport } from '../../../src/core/traffic/report';
import { TrafficRing } from '../../../src/core/traffic/ring';
import { AgentConnector } from '../../../src/host/agents/agentConnector';
import type { Log } from '../../../src/host/log';
import { TrafficSwitch } from '../../../src/host/traffic/trafficSwitch';
import { planFor } from '../../support/fakeAgents';
import { silent } from '../../support/memoryTransport';
import {
  answer,
  askFor,
  end,
  expectCall,
  OPTIONS,
  preset,
  refuse,
  Replay,
  request,
  update,
} from '../../support/replayScript';
import { text, tool } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const SOURCE = { parley: '0', vscode: '0', platform: 'test' };
const folder = mkdtempSync(join(tmpdir(), 'parley-report-'));
const unwatched = { watch: () => undefined, unwatch: () => undefined };
const log = { main: { ...silent, debug: () => undefined }, agent: () => undefined } as unknown as Log;

/** Sessions whose agent is recorded as in the extension. */
class Recorded {
  readonly ring = new TrafficRing();
  enabled = true;
  readonly traffic: TrafficSwitch;
  readonly harness: SessionHarness;

  constructor(plan: LaunchPlan) {
    const recorder = new TrafficRecorder(this.ring, Date.now);
    const mask = createMasker({ home: '/home/nobody' });
    const record = (agent: string, _plan: LaunchPlan, midway?: object) =>
      recorder.begin({ agent, mask, ...(midway ? { midway: { ...midway } } : {}) });
    this.traffic = new TrafficSwitch(
      () => this.enabled,
      () => Promise.resolve({ record }),
    );
    const connector = new AgentConnector(log, '0', unwatched, this.traffic);
    this.harness = new SessionHarness({ replay: [plan, plan] });
    this.harness.connector = (...call) => connector.connect(...call);
  }

  /** How a turn goes: what it ends with, and what is on screen then. */
  async run(act: (harness: SessionHarness) => Promise<void> = () => Promise.resolve()): Promise<unknown> {
    const { harness } = this;
    const turn = harness.prompt('please fail').then(({ stopReason }) => stopReason, String);
    await act(harness);
    const ended = await turn;
    // Of an agent that ended, its end is recorded before it is told.
    const { connection, turn: state, banner, entries } = harness.state;
    const shown = entries.map((entry) => ({
      kind: entry.kind,
      status: 'status' in entry ? entry.status : undefined,
      error: 'error' in entry ? entry.error : undefined,
    }));
    return {
      ended,
      connection: connection.status,
      turn: state.status,
      banner,
      shown,
      said: harness.messages(),
    };
  }

  report(texts = true): string {
    return writeReport(this.ring.all(), SOURCE, texts);
  }

  get faults(): string[] {
    return this.ring
      .all()
      .flatMap(({ fault }) => (fault ? [`${fault.side} ${fault.code} ${fault.duty}`] : []));
  }

  async close(): Promise<void> {
    await this.harness.sessions.stop();
  }
}

let count = 0;

function planOf(report: string): LaunchPlan {
  const file = join(folder, `${++count}.ndjson`);
  writeFileSync(file, report);
  return planFor('replayAgent', file);
}

/** Runs an agent that fails, then what its report plays: both must look the same, with and without texts. */
async function assertSame(
  plan: LaunchPlan,
  act?: (harness: SessionHarness) => Promise<void>,
): Promise<Recorded> {
  const first = new Recorded(plan);
  const expected = await first.run(act);
  await first.close();
  const again = new Recorded(planOf(first.report()));
  assert.deepEqual(await again.run(act), expected);
  assert.deepEqual(again.faults, first.faults);
  await again.close();
  return first;
}

describe('a report of a failing run, played as an agent', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('TR-9 leads to the same crash in the middle of a turn, with the same last words', async () => {
    const crash = new Replay(
      expectCall('session/prompt', 'p'),
      update(text('HALF')),
      update(tool('a', { status: 'in_progress' })),
      { stderr: 'fatal: token store is locked\n' },
      { exit: 3 },
    );
    const first = await assertSame(crash.plan);
    assert.equal(first.harness.state.connection.status, 'exited');
    assert.match(first.harness.state.banner?.detail ?? '', /token store is locked/);
  });

  it('TR-9 leads to the same end by a signal', async () => {
    const crash = new Replay(expectCall('session/prompt', 'p'), { signal: 'SIGKILL' });
    const first = await assertSame(crash.plan);
    assert.match(first.harness.state.banner?.message ?? '', /SIGKILL/);
  });

  it('IN-5 TR-5 leads to the same failure to start with a program that is no agent', async () => {
    const first = await assertSame(planFor('garbage'));
    assert.ok(first.faults.includes('agent notMessage TR-5'));
    assert.ok(first.faults.includes('agent malformed IN-8'));
  });

  it('TC-6 RP-1 leads to the same faults and the same error of a prompt', async () => {
    const faulty = new Replay(
      expectCall('session/prompt', 'p'),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 'lost', status: 'done' }),
      update({ sessionUpdate: 'weather' }),
      update(text('in {{a}} folder of $SESSION')),
      refuse('p', -32603, 'Internal error', { details: 'the model is gone' }),
    );
    const first = await assertSame(faulty.plan);
    assert.deepEqual(first.faults, [
      'agent unknownValue TC-3',
      'agent unknownToolCall TC-6',
      'agent unknownUpdate SU-2',
    ]);
    assert.match(JSON.stringify(first.harness.state.entries), /the model is gone/);
  });

  it('CA-3 leads to the same question after the same stop', async () => {
    const late = new Replay(
      preset('session/new', { modes: { currentModeId: 'a', availableModes: [{ id: 'a', name: 'A' }] } }),
      expectCall('session/prompt', 'p'),
      update(text('WORKING')),
      expectCall('session/cancel'),
      request('late', 'session/request_permission', {
        sessionId: '$SESSION',
        toolCall: { toolCallId: 'a', title: 'rm' },
        options: OPTIONS,
      }),
      { expectResponse: 'late' },
      refuse('p', -32603, 'aborted'),
    );
    const stop = async (harness: SessionHarness): Promise<void> => {
      await harness.until(() => harness.messages().includes('agent: WORKING'));
      harness.controller.cancelTurn();
    };
    const first = await assertSame(late.plan, stop);
    assert.deepEqual(first.faults, ['agent askedAfterCancel CA-3', 'agent cancelledWithError CA-2']);
  });

  it('leads to the same end without its texts, and has none of them', async () => {
    const crash = new Replay(expectCall('session/prompt', 'p'), update(text('PRIVATE WORDS')), { exit: 7 });
    const first = new Recorded(crash.plan);
    const expected = await first.run();
    await first.close();
    const report = first.report(false);
    assert.ok(!/PRIVATE|please fail/.test(report));
    const again = new Recorded(planOf(report));
    const played = (await again.run()) as { said: string[] };
    assert.deepEqual(played, {
      ...(expected as object),
      said: ['user: please fail', 'agent: xxxxxxx xxxxx'],
    });
    await again.close();
  });
});

describe('the recording of an agent', () => {
  it('begins in the middle of a run, ends when it is turned off, and needs no restart', async () => {
    const agent = new Replay(
      expectCall('session/prompt', 'p'),
      askFor(1, 'a'),
      end('p'),
      expectCall('session/prompt', 'q'),
      end('q'),
    );
    const recorded = new Recorded(agent.plan);
    recorded.enabled = false;
    const { harness, ring, traffic } = recorded;
    const turn = harness.prompt('one');
    await harness.until(() => harness.openQuestions.length === 1);
    assert.equal(ring.count, 0);
    recorded.enabled = true;
    await traffic.refresh();
    harness.answerFirst('opt-once');
    await turn;
    assert.deepEqual(
      ring.all().map(({ kind, what }) => [kind, what]),
      [
        ['start', undefined],
        ['out', 'opt-once'],
        ['in', 'end_turn'],
      ],
    );
    assert.deepEqual(recorded.faults, []);
    assert.match(recorded.report(), /"agent":\{"id":"replay","name":"replay-agent"/);
    recorded.enabled = false;
    await traffic.refresh();
    await harness.prompt('two');
    assert.equal(ring.count, 3);
    await recorded.close();
  });

  it('hands the connection no hook while it is off: a message costs nothing', async () => {
    const agent = new Replay(expectCall('session/prompt', 'p'), answer('p', { stopReason: 'end_turn' }));
    const hooks: unknown[] = [];
    let loads = 0;
    const off = new TrafficSwitch(
      () => false,
      () => Promise.reject(new Error(`loaded ${++loads} times`)),
    );
    const connector = new AgentConnector(log, '0', unwatched, {
      begin: async (id, plan) => {
        const run = await off.begin(id, plan);
        hooks.push(run.trace);
        return run;
      },
    });
    const harness = new SessionHarness({ replay: [agent.plan] });
    harness.connector = (...call) => connector.connect(...call);
    await harness.prompt('go');
    assert.deepEqual(hooks, [undefined]);
    assert.equal(loads, 0);
    await harness.sessions.stop();
  });
});
