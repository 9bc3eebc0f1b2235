import assert from 'node:assert/strict';
import type { ClientHandlers } from '../../../src/acp/agentClient';
import type { LaunchPlan } from '../../../src/acp/agentProcess';
import type { ConnectedAgent } from '../../../src/acp/connectAgent';
import { ConnectionClosed } from '../../../src/acp/wireErrors';
import { AgentError, type AgentFailure } from '../../../src/core/errors';
import { readIntroduction } from '../../../src/core/agents/introduction';
import {
  AgentLink,
  SignInFailed,
  type AgentLinkOptions,
  type LinkMember,
  type Parting,
} from '../../../src/host/session/agentLink';

const PLAN: LaunchPlan = { command: 'agent', args: [], env: {}, cwd: '/', shell: false, startTimeout: 1_000 };
const EXITED: AgentFailure = { reason: 'exited', code: 3, signal: null, stderr: '' };
const INTRODUCTION = {
  protocolVersion: 1,
  authMethods: [
    { id: 'key', name: 'Key' },
    { id: 'shell', name: 'Shell', type: 'terminal' },
    { id: 'other', name: 'Other shell', type: 'terminal' },
  ],
  agentCapabilities: { auth: { logout: {} } },
};
const tick = (): Promise<unknown> => new Promise(setImmediate);

/** A value that is given later. */
class Later<T> {
  give: (value: T) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  readonly value = new Promise<T>((resolve, reject) => {
    this.give = resolve;
    this.fail = reject;
  });
}

/** An agent without a process, that is lost when the test says so. */
class FakeAgent {
  readonly lost = new Later<AgentFailure>();
  readonly calls: string[] = [];
  authenticated = new Later<object>();

  constructor(readonly handlers: ClientHandlers) {
    this.authenticated.give({});
  }

  get connected(): ConnectedAgent {
    const introduction = readIntroduction(INTRODUCTION, 1);
    assert.ok(!('problem' in introduction));
    const client = {
      authenticate: (id: string) => {
        this.calls.push(`authenticate ${id}`);
        return this.authenticated.value;
      },
      logout: () => Promise.resolve(void this.calls.push('logout')),
    };
    const stop = (): Promise<void> => Promise.resolve(void this.calls.push('stop'));
    const process = { pid: 1, kill: () => this.calls.push('kill') };
    const agent = { client, introduction, process, stop, lost: this.lost.value };
    return agent as unknown as ConnectedAgent;
  }
}

/** A session that keeps what it is told. */
class Member implements LinkMember {
  readonly told: unknown[] = [];

  constructor(readonly key: string) {}

  takeUpdate(update: unknown): void {
    this.told.push(update);
  }

  takeModelCall(event: unknown): void {
    this.told.push(event);
  }

  left(why: Parting): void {
    this.told.push(typeof why === 'string' ? `left ${why}` : `left ${why.reason}`);
  }

  signedIn(): Promise<void> {
    this.told.push('signedIn');
    return Promise.resolve();
  }

  signedOut(): void {
    this.told.push('signedOut');
  }
}

class Fixture {
  readonly agents: FakeAgent[] = [];
  readonly ended: string[] = [];
  readonly owners: { key: string; connection: string }[] = [];
  readonly link: AgentLink;
  readonly members: [Member, Member] = [new Member('a'), new Member('b')];

  constructor(options: Partial<AgentLinkOptions> = {}) {
    this.link = new AgentLink({
      agentId: 'fake',
      launchPlan: () => Promise.resolve(PLAN),
      connect: (_plan, _id, handlers) => {
        this.agents.push(new FakeAgent(handlers));
        return Promise.resolve(this.agent().connected);
      },
      ports: () => ({
        permission: { request: (params) => Promise.resolve({ key: params['sessionId'] }) },
        elicitation: {
          create: (owner) => {
            this.owners.push(owner);
            return Promise.resolve({});
          },
          complete: () => undefined,
          cancelConnection: (connection) => this.ended.push(connection),
        },
      }),
      signInInTerminal: () => Promise.resolve(0),
      log: () => undefined,
      ...options,
    });
    for (const member of this.members) this.link.join(member);
  }

  agent(index = this.agents.length - 1): FakeAgent {
    return this.agents[index] ?? assert.fail('not connected');
  }

  ask(sessionId: string): Promise<object> {
    const { permission } = this.agent().handlers;
    return permission.request({ sessionId }, new AbortController().signal);
  }

  /** The session that gets a question without one. */
  async frontKey(): Promise<string | undefined> {
    await this.agent().handlers.elicitation?.create({ requestId: 1 }, new AbortController().signal);
    return this.owners.at(-1)?.key;
  }
}

const isFailure =
  (reason: AgentFailure['reason']) =>
  (error: unknown): boolean =>
    error instanceof AgentError && error.failure.reason === reason;

describe('one agent for several sessions', () => {
  it('SE-4 is started once, however many ask, and again after it was lost', async () => {
    const { link, agents } = new Fixture();
    const [one, two] = await Promise.all([link.connect('/'), link.connect('/')]);
    assert.equal(one, two);
    assert.equal(await link.connect('/'), one);
    assert.equal(agents.length, 1);
    agents[0]?.lost.give(EXITED);
    await tick();
    assert.equal(link.running, undefined);
    assert.notEqual(await link.connect('/'), one);
  });

  it('TR-1 a start that failed is not kept', async () => {
    const plans = [undefined, PLAN];
    const { link, agents } = new Fixture({ launchPlan: () => Promise.resolve(plans.shift()) });
    await assert.rejects(link.connect('/'), isFailure('unknownAgent'));
    await link.connect('/');
    assert.equal(agents.length, 1);
  });

  it('TR-8 stop ends a start that is under way; closed for good it starts no more', async () => {
    const plan = new Later<LaunchPlan>();
    const { link, agents } = new Fixture({ launchPlan: () => plan.value });
    const start = assert.rejects(link.connect('/'), isFailure('aborted'));
    const stop = link.stop();
    plan.give(PLAN);
    await Promise.all([start, stop]);
    assert.equal(agents.length, 0);
    await link.connect('/');
    await link.close();
    assert.deepEqual(agents[0]?.calls, ['stop']);
    await assert.rejects(link.connect('/'), isFailure('aborted'));
  });

  it('TR-9 EL-7 all sessions are told once why it went away; what it asked is called off', async () => {
    const { link, agents, members, ended, ...fixture } = new Fixture();
    await link.connect('/');
    agents[0]?.lost.give(EXITED);
    await tick();
    await link.connect('/');
    await link.stop();
    agents[1]?.lost.give(EXITED);
    await tick();
    for (const { told } of members) assert.deepEqual(told, ['left exited', 'left stopped']);
    assert.equal(new Set(ended).size, 2);
    assert.deepEqual(fixture.owners, []);
  });

  it('TR-8 the last session that leaves ends it, and the traffic of one that left is refused', async () => {
    const fixture = new Fixture();
    const { link, members } = fixture;
    await link.connect('/');
    link.route('s', members[0]);
    assert.deepEqual(await fixture.ask('s'), { key: 'a' });
    await link.leave(members[0]);
    await assert.rejects(fixture.ask('s'), { code: -32002 });
    assert.deepEqual(fixture.agent().calls, []);
    await link.leave(members[1]);
    assert.deepEqual(fixture.agent().calls, ['stop']);
  });

  it('SU-8 CA-6 updates go to the session that they name; force stop kills first', async () => {
    const fixture = new Fixture();
    const { link, members } = fixture;
    await link.connect('/');
    link.route('s', members[0]);
    link.route('t', members[1]);
    for (const id of ['t', 's', 'nobody', 't']) fixture.agent().handlers.session.update(id, `to ${id}`);
    assert.deepEqual(
      members.map(({ told }) => told),
      [['to s'], ['to t', 'to t']],
    );
    await link.forceStop();
    assert.deepEqual(fixture.agent().calls, ['kill', 'stop']);
  });

  it('EL-6 what belongs to no session goes to the front one, else to the newest', async () => {
    const fixture = new Fixture();
    const { link, members } = fixture;
    await link.connect('/');
    assert.equal(await fixture.frontKey(), 'b');
    link.bringToFront(members[0]);
    assert.equal(await fixture.frontKey(), 'a');
    await link.leave(members[0]);
    assert.equal(await fixture.frontKey(), 'b');
  });
});

describe('a sign-in of one agent', () => {
  it('AU-2 RP-7 by the agent keeps its process and tells all sessions', async () => {
    const { link, agents, members } = new Fixture();
    await link.signIn('key', '/');
    assert.deepEqual(agents[0]?.calls, ['authenticate key']);
    for (const { told } of members) assert.deepEqual(told, ['signedIn']);
  });

  it('AU-9 at a terminal ends the process before the sessions go on', async () => {
    const { link, agents, members } = new Fixture();
    await link.signIn('shell', '/');
    assert.deepEqual(agents[0]?.calls, ['stop']);
    for (const { told } of members) assert.deepEqual(told, ['left signIn', 'signedIn']);
  });

  for (const code of [1, -1, undefined]) {
    it(`AU-8 a terminal that ends with ${code} changes nothing`, async () => {
      const { link, agents, members } = new Fixture({ signInInTerminal: () => Promise.resolve(code) });
      const isCode = (error: unknown): boolean => error instanceof SignInFailed && error.code === code;
      await assert.rejects(link.signIn('shell', '/'), isCode);
      assert.deepEqual(agents[0]?.calls, []);
      for (const { told } of members) assert.deepEqual(told, []);
    });
  }

  it('AU-8 has one terminal for each method at a time', async () => {
    const codes: Later<number>[] = [];
    const { link } = new Fixture({
      signInInTerminal: () => {
        const code = new Later<number>();
        codes.push(code);
        return code.value;
      },
    });
    const failed = ['shell', 'shell', 'other'].map((id) =>
      assert.rejects(link.signIn(id, '/'), SignInFailed),
    );
    await tick();
    assert.equal(codes.length, 2);
    for (const code of codes) code.give(1);
    await Promise.all(failed);
    const again = link.signIn('shell', '/');
    await tick();
    assert.equal(codes.length, 3);
    codes[2]?.give(0);
    await again;
  });

  it('TR-9 AU-2 tells why the agent went away during it', async () => {
    const { link, agents } = new Fixture();
    await link.connect('/');
    const [agent] = agents;
    assert.ok(agent);
    agent.authenticated = new Later();
    const failed = assert.rejects(link.signIn('key', '/'), isFailure('exited'));
    await tick();
    agent.authenticated.fail(new ConnectionClosed('authenticate'));
    agent.lost.give(EXITED);
    await failed;
  });

  it('AU-10 AU-11 a sign-out is told to all sessions; one that is not running is not asked', async () => {
    const { link, agents, members } = new Fixture();
    await link.signOut();
    assert.equal(agents.length, 0);
    await link.connect('/');
    await link.signOut();
    assert.deepEqual(agents[0]?.calls, ['logout']);
    for (const { told } of members) assert.deepEqual(told, ['signedOut']);
  });
});
