import assert from 'node:assert/strict';
import { AgentConnector, capabilitiesOf } from '../../../src/host/agents/agentConnector';
import type { Log } from '../../../src/host/log';
import { TrafficSwitch } from '../../../src/host/traffic/trafficSwitch';
import { planFor } from '../../support/fakeAgents';
import { preset, Replay } from '../../support/replayScript';
import { wireProblemsOf } from '../../support/wireSchema';

const HANDLERS = {
  session: { update: () => undefined },
  permission: { request: () => Promise.resolve({}) },
  onUnknownNotification: () => undefined,
};

/** What is to end with the extension host. */
class Watched {
  readonly pids = new Set<number>();

  watch(pid: number): void {
    this.pids.add(pid);
  }

  unwatch(pid: number): void {
    this.pids.delete(pid);
  }
}

const unrecorded = new TrafficSwitch(
  () => false,
  () => Promise.reject(new Error('not expected')),
);

/** A log that is kept. */
class Kept {
  readonly lines: string[] = [];
  readonly agents: string[] = [];
  private readonly keep = (line: string): void => void this.lines.push(line);
  readonly log = {
    main: { info: this.keep, warn: this.keep, error: this.keep, debug: this.keep },
    agent: (id: string, text: string) => this.agents.push(`${id}: ${text}`),
  } as unknown as Log;
}

describe('connecting to an agent', () => {
  it('IN-2 IN-3 IN-4 CC-1 says who Parley is and what it serves', async () => {
    const run = new Replay(preset('initialize', { agentInfo: { name: 'r', title: 'Replayed' } }));
    const { log } = new Kept();
    const { signal } = new AbortController();
    const agent = await new AgentConnector(log, '1.2.3', new Watched(), unrecorded).connect(
      run.plan,
      'replay',
      HANDLERS,
      signal,
    );
    assert.equal(agent.introduction.title, 'Replayed');
    await agent.stop();
    assert.deepEqual(run.paramsOf('initialize'), [
      {
        protocolVersion: 1,
        clientCapabilities: capabilitiesOf(HANDLERS),
        clientInfo: { name: 'parley', title: 'Parley', version: '1.2.3' },
      },
    ]);
    const lines = run.fromClient.map((message) => JSON.stringify(message));
    assert.deepEqual(wireProblemsOf('client', lines, run.fromAgent), []);
  });

  it('TR-5 TR-6 MC-6 logs how it starts without the environment, and what the agent prints', async () => {
    const kept = new Kept();
    const plan = planFor('noisy');
    plan.env = { ...plan.env, API_KEY: 'very-secret' };
    const connector = new AgentConnector(kept.log, '0', new Watched(), unrecorded);
    const agent = await connector.connect(plan, 'noisy', HANDLERS, new AbortController().signal);
    await agent.stop();
    assert.equal(kept.lines[0], `Starting noisy: ${plan.command} ${plan.args.join(' ')}`);
    assert.ok(!kept.lines.some((line) => line.includes('very-secret')));
    assert.ok(kept.agents.length > 0 && kept.agents.every((line) => line.startsWith('noisy: ')));
  });

  it('TE-13 has an agent watched as long as it runs', async () => {
    const watched = new Watched();
    const connector = new AgentConnector(new Kept().log, '0', watched, unrecorded);
    const agent = await connector.connect(planFor('echo'), 'echo', HANDLERS, new AbortController().signal);
    assert.deepEqual([...watched.pids], [agent.process.pid]);
    await agent.stop();
    await agent.process.exited;
    assert.deepEqual([...watched.pids], []);
  });

  it('IN-12 is called off', async () => {
    const abort = new AbortController();
    const connector = new AgentConnector(new Kept().log, '0', new Watched(), unrecorded);
    const start = connector.connect(planFor('neverAnswers'), 'silent', HANDLERS, abort.signal);
    abort.abort();
    await assert.rejects(start, /aborted/);
  });
});

describe('what Parley announces', () => {
  it('EX-6 CC-7 CC-5 is nothing more than it serves, however its ports are made', () => {
    const bare = capabilitiesOf(HANDLERS);
    assert.ok(!('_meta' in bare) && !('elicitation' in bare));
    assert.ok(!('_meta' in capabilitiesOf({ ...HANDLERS, extensions: [{ requests: { _a: () => 1 } }] })));
  });
});
