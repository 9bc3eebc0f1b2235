import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import type { LaunchPlan } from '../../../src/acp/agentProcess';
import { connectAgent } from '../../../src/acp/connectAgent';
import { AgentError } from '../../../src/core/errors';
import { AgentFacts } from '../../../src/host/agents/agentFacts';
import { collectReport, type ReportSource } from '../../../src/host/diagnose/collectReport';
import { agentFile, connectOptions, planFor } from '../../support/fakeAgents';

/** The report on an agent that is started by that plan, with what the test knows better. */
function reporter(plan: LaunchPlan, facts: AgentFacts, more: Partial<ReportSource> = {}) {
  return () =>
    collectReport('A', {
      launchPlan: () => Promise.resolve(plan),
      environment: () => Promise.resolve(process.env),
      origin: () => ({ source: 'editor' }),
      start: () => facts.last('A'),
      sessions: () => ({ open: 1, wantSignIn: false }),
      surroundings: () => ({
        terminals: { mode: 'pty' },
        parley: '1',
        editor: 'E',
        platform: 'p',
        ui: 'desktop',
        trusted: true,
      }),
      sentence: (failure) => `failure ${failure.reason}`,
      home: '/no/home',
      user: undefined,
      now: () => 5,
      ...more,
    });
}

const start = (facts: AgentFacts, plan: LaunchPlan) =>
  facts.follow('A', { terminal: true }, connectAgent(connectOptions(plan)));

describe('the report on an agent', () => {
  it('tells how it runs, and how it ended', async () => {
    const facts = new AgentFacts();
    const changes: string[] = [];
    facts.onDidChange((id) => changes.push(id));
    const plan = planFor('noisy');
    const report = reporter(plan, facts);
    assert.equal((await report()).start, undefined);
    const agent = await start(facts, plan);
    facts.serversGiven('A', ['files']);
    facts.sessionOpened('A', 9);
    const running = (await report()).start;
    assert.equal(running?.status, 'running');
    assert.equal(running.pid, agent.process.pid);
    assert.equal(running.times.session, 9);
    const { spawned = -1, initialized = -1 } = running.times;
    assert.ok(spawned >= 0 && initialized >= spawned, JSON.stringify(running.times));
    assert.equal(running.protocolVersion, '1');
    assert.deepEqual(running.servers, ['files']);
    assert.ok(running.announced.some(({ name, supported }) => name === 'terminal' && supported));
    await agent.stop();
    await agent.process.exited;
    const ended = (await report()).start;
    assert.equal(ended?.status, 'ended');
    assert.ok(ended.exit);
    assert.ok(changes.length >= 4);
  });

  it('tells why it could not be started, and what it printed last', async () => {
    const facts = new AgentFacts();
    const plan = planFor('exitAtOnce');
    await assert.rejects(start(facts, plan), AgentError);
    const { start: failed } = await reporter(plan, facts)();
    assert.equal(failed?.status, 'failed');
    assert.equal(failed.problem, 'failure exited');
    assert.equal(typeof failed.exit?.code, 'number');
    assert.notEqual(failed.printed, '');
    const old = planFor('wrongVersion');
    await assert.rejects(start(facts, old), AgentError);
    const version = (await reporter(old, facts)()).start?.protocolVersion;
    assert.ok(version !== undefined && version !== '1', version);
  });

  it('finds the file of a command on the PATH of the agent, or says that there is none', async () => {
    const plan = { ...planFor('echo'), command: 'node' };
    const env = { PATH: dirname(process.execPath), NEW_ONE: 'x', API_KEY: 'very-secret' };
    const facts = new AgentFacts();
    const found = (await reporter({ ...plan, env }, facts)()).launch;
    assert.equal(found?.resolved?.replace(/\.exe$/i, ''), process.execPath.replace(/\.exe$/i, ''));
    assert.deepEqual(found?.path, [dirname(process.execPath)]);
    assert.ok(found?.variables.includes('NEW_ONE'));
    assert.ok(!JSON.stringify(found).includes('very-secret'));
    const missing = (await reporter({ ...plan, command: 'no-such-program' }, facts)()).launch;
    assert.equal(missing?.resolved, undefined);
    assert.equal(missing?.problem, 'failure commandNotFound');
    const homeless = (await reporter({ ...plan, cwd: '/no/such/folder' }, facts)()).launch;
    assert.equal(homeless?.cwdExists, false);
  });

  it('masks the home folder and the secrets of the environment wherever they are', async () => {
    const home = dirname(agentFile('echo'));
    const plan = planFor('echo', '--api-key', 'abc', 'hunter2hunter2');
    plan.env = { ...plan.env, MY_TOKEN: 'hunter2hunter2' };
    const text = JSON.stringify(await reporter(plan, new AgentFacts(), { home })());
    assert.ok(text.includes('"--api-key","[masked]","[masked]"'), text);
    assert.ok(!text.includes(JSON.stringify(home).slice(1, -1)));
  });

  it('is made for an agent that nobody knows, or that can not be told of', async () => {
    const none = { launchPlan: () => Promise.resolve(undefined) };
    const facts = new AgentFacts();
    const unknown = await reporter(planFor('echo'), facts, none)();
    assert.equal(unknown.launchProblem, 'failure unknownAgent');
    assert.equal(unknown.launch, undefined);
    const broken = { launchPlan: () => Promise.reject(new Error('No folder.')) };
    assert.equal((await reporter(planFor('echo'), facts, broken)()).launchProblem, 'No folder.');
  });
});
