import assert from 'node:assert/strict';
import type { ClientHandlers } from '../../../src/acp/agentClient';
import { asString, type JsonObject } from '../../../src/core/json';
import { AgentLinks } from '../../../src/host/session/agentLinks';
import { listAgentSessions } from '../../../src/host/session/agentSessions';
import { Sessions } from '../../../src/host/session/sessions';
import { buildSession, keptSession, linkTo, MemoryAgent, PLACE } from './memoryAgent';

const able = (capabilities: JsonObject): JsonObject => ({ agentCapabilities: capabilities });
const session = (...names: string[]): JsonObject => ({
  sessionCapabilities: Object.fromEntries(names.map((name) => [name, {}])),
});

const handlers: ClientHandlers = {
  session: { update: () => undefined },
  permission: { request: () => Promise.reject(new Error('not expected')) },
  onUnknownNotification: () => undefined,
};

/** Opens a session that the agent had before; gives the calls that it took. */
async function pickUp(agent: MemoryAgent, transcript = true): Promise<string[]> {
  const { controller, store } = buildSession('key', keptSession('old', transcript), linkTo(agent));
  await controller.ensureConnected();
  assert.equal(store.state.connection.status, 'ready');
  return agent.calls;
}

/** The sessions of a window with one agent, which lists the given sessions. */
function openWindow(agent: MemoryAgent): Sessions {
  const link = linkTo(agent);
  const links = new AgentLinks({
    launchPlan: () => Promise.reject(new Error('not expected')),
    connect: () => Promise.reject(new Error('not expected')),
    ports: () => assert.fail('not expected'),
    signInInTerminal: () => Promise.reject(new Error('not expected')),
    log: () => undefined,
  });
  links.get = () => link;
  links.running = () => (link.running ? [{ agentId: 'memory', agent: link.running }] : []);
  let keys = 0;
  return new Sessions({
    build: (key, start) => buildSession(key, start, link),
    archive: {
      list: () => Promise.resolve([]),
      load: () => Promise.resolve(undefined),
      remove: () => Promise.resolve(),
      lastShown: () => Promise.resolve(undefined),
      setLastShown: () => undefined,
    },
    links,
    defaultAgent: () => 'memory',
    newKey: () => `key-${++keys}`,
    folder: () => PLACE.cwd,
    listFailed: (_agent, reason) => reason,
    log: () => undefined,
    now: () => 1_000,
  });
}

describe('what an agent did not announce is not called', () => {
  const ways: [string, JsonObject, string[]][] = [
    ['nothing announced', {}, ['session/new']],
    ['load false', { loadSession: false, ...session('list') }, ['session/new']],
    ['load', { loadSession: true }, ['session/load']],
    ['resume', session('resume'), ['session/resume']],
    ['both', { loadSession: true, ...session('resume') }, ['session/resume']],
    ['null', { loadSession: null, sessionCapabilities: { resume: null } }, ['session/new']],
  ];
  for (const [title, capabilities, calls] of ways) {
    it(`SE-6 SE-10 picks a session up by what the agent can: ${title}`, async () => {
      assert.deepEqual(await pickUp(new MemoryAgent(able(capabilities))), calls);
    });
  }

  for (const can of [true, false]) {
    const capabilities = can ? session('close', 'list', 'delete') : {};

    it(`SE-12 ${can ? 'closes' : 'does not close'} a session with the agent`, async () => {
      const agent = new MemoryAgent(able(capabilities));
      const { controller } = buildSession('key', 'memory', linkTo(agent));
      await controller.ensureConnected();
      await controller.close({ tellAgent: true });
      assert.deepEqual(agent.paramsOf('session/close'), can ? [{ sessionId: 'new-1' }] : []);
    });

    it(`SE-15 SE-20 ${can ? 'lists and deletes' : 'does not list and delete'} with the agent`, async () => {
      const agent = new MemoryAgent(able(capabilities));
      const sessions = openWindow(agent);
      await sessions.create();
      await sessions.refresh();
      assert.deepEqual(agent.paramsOf('session/list'), can ? [{ cwd: '/proj' }] : []);
      await sessions.remove(sessions.current.key);
      assert.deepEqual(agent.paramsOf('session/delete'), can ? [{ sessionId: 'new-1' }] : []);
    });
  }

  it('SE-21 SE-23 sends further folders on new, load and resume, to agents that take them alone', async () => {
    const roots = (agent: MemoryAgent, method: string) =>
      agent.paramsOf(method).map(({ additionalDirectories }) => additionalDirectories);
    const kinds: [string, JsonObject][] = [
      ['session/new', {}],
      ['session/load', { loadSession: true }],
      ['session/resume', session('resume')],
    ];
    for (const [method, capabilities] of kinds) {
      const without = new MemoryAgent(able(capabilities));
      await pickUp(without);
      assert.deepEqual(roots(without, method), [undefined]);
      const { sessionCapabilities } = capabilities;
      const more = { ...(sessionCapabilities as JsonObject | undefined), additionalDirectories: {} };
      const takes = new MemoryAgent(able({ ...capabilities, sessionCapabilities: more }));
      await pickUp(takes);
      assert.deepEqual(roots(takes, method), [PLACE.others]);
    }
  });
});

describe('an agent that can do all', () => {
  it('SE-2 SE-7 SE-11 EX-2 is called as the schema says', async () => {
    const capabilities = session('resume', 'list', 'close', 'delete', 'additionalDirectories');
    const agent = new MemoryAgent(able({ loadSession: true, ...capabilities }));
    await pickUp(agent, true);
    await pickUp(agent, false);
    const sessions = openWindow(agent);
    await sessions.create();
    await sessions.refresh();
    await sessions.remove(sessions.current.key);
    assert.deepEqual(agent.problems, []);
    assert.deepEqual([...new Set(agent.calls)].sort(), [
      'session/close',
      'session/delete',
      'session/list',
      'session/load',
      'session/new',
      'session/resume',
    ]);
  });
});

describe('the sessions of an agent', () => {
  it('SE-16 are asked for page by page until no cursor comes', async () => {
    for (const end of [undefined, null, '']) {
      const pages: Record<string, JsonObject> = {
        first: { sessions: [{ sessionId: 'a', cwd: '/proj' }], nextCursor: 'p2' },
        p2: { sessions: [{ sessionId: 'b', cwd: '/proj' }], nextCursor: 'p3' },
        p3: {
          sessions: [{ sessionId: 'c', cwd: '/proj' }],
          ...(end === undefined ? {} : { nextCursor: end }),
        },
      };
      const agent = new MemoryAgent(
        {},
        { 'session/list': ({ cursor }) => pages[asString(cursor) ?? 'first'] },
      );
      const found = await listAgentSessions(agent.connect(handlers).client, '/proj');
      assert.deepEqual(
        found.map(({ sessionId }) => sessionId),
        ['a', 'b', 'c'],
      );
      assert.equal(agent.calls.length, 3);
    }
  });

  it('SE-16 come to an end where the cursors do not', async () => {
    const same = new MemoryAgent({}, { 'session/list': () => ({ sessions: [], nextCursor: 'again' }) });
    await listAgentSessions(same.connect(handlers).client, '/proj');
    assert.equal(same.calls.length, 2);
    let n = 0;
    const endless = new MemoryAgent({}, { 'session/list': () => ({ sessions: [], nextCursor: `${++n}` }) });
    await listAgentSessions(endless.connect(handlers).client, '/proj');
    assert.equal(endless.calls.length, 100);
  });

  it('SE-17 are asked for with the cursor as it came', async () => {
    const cursors = [' {"at": "2026-01-01"} ', 'YQ==&x=%20'];
    const answers = cursors.map((nextCursor) => ({ sessions: [], nextCursor }));
    const agent = new MemoryAgent({}, { 'session/list': () => answers.shift() ?? { sessions: [] } });
    await listAgentSessions(agent.connect(handlers).client, '/proj');
    assert.deepEqual(
      agent.paramsOf('session/list').map(({ cursor }) => cursor),
      [undefined, ...cursors],
    );
  });

  it('SE-18 SE-19 are opened with our folders, and not with those that the list names', async () => {
    const listed = { sessionId: 'old', cwd: '/proj', additionalDirectories: ['/secret'], title: 'Old' };
    const capabilities = { loadSession: true, ...session('list', 'additionalDirectories') };
    const agent = new MemoryAgent(able(capabilities), { 'session/list': () => ({ sessions: [listed] }) });
    const sessions = openWindow(agent);
    await sessions.create();
    await sessions.refresh();
    assert.deepEqual(agent.paramsOf('session/load'), []);
    const row = sessions.list().rows.find(({ origin }) => origin === 'agent');
    await sessions.show(row?.key ?? '');
    const place = { cwd: '/proj', mcpServers: [], additionalDirectories: PLACE.others };
    assert.deepEqual(agent.paramsOf('session/load'), [{ sessionId: 'old', ...place }]);
  });
});
