import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { badgeOf } from '../../../src/core/session/select';
import type { JsonObject } from '../../../src/core/json';
import { patch, text, tool } from '../../support/session';
import { buildSession, keptSession, linkTo, MemoryAgent, PLACE } from './memoryAgent';

const LOADS: JsonObject = {
  agentCapabilities: { loadSession: true, sessionCapabilities: { additionalDirectories: {} } },
};
const say = (words: string) => ({ text: words, attachments: [] });

describe('the name of an agent', () => {
  const names: [string, JsonObject, string][] = [
    ['its title', { agentInfo: { name: 'prog', title: 'The Agent', version: '1' } }, 'The Agent'],
    ['else its name', { agentInfo: { name: 'prog', title: null, version: '1' } }, 'prog'],
    ['else that of the settings', {}, 'memory'],
  ];
  for (const [what, says, title] of names) {
    it(`IN-10 is ${what}`, async () => {
      const { controller, store } = buildSession('key', 'memory', linkTo(new MemoryAgent(says)));
      await controller.ensureConnected();
      assert.equal(store.state.agent.title, title);
    });
  }
});

describe('the replay of a loaded session', () => {
  it('SE-9 starts no turn, asks nothing and shows nothing before it is whole', async () => {
    const agent: MemoryAgent = new MemoryAgent(LOADS, {
      'session/load': () => {
        agent.tell('old', text('earlier', 'user_message'));
        const content = [{ type: 'terminal', terminalId: 'gone' }];
        agent.tell('old', tool('t', { kind: 'execute', status: 'in_progress', content }));
        agent.tell('old', patch('t', { status: 'completed' }));
        agent.tell('old', text('done'));
        return {};
      },
    });
    const { controller, store } = buildSession('key', keptSession('old', false), linkTo(agent));
    const told: string[] = [];
    const badges = new Set<string>();
    store.onDidDispatch((action) => {
      told.push(action.type);
      badges.add(badgeOf(store.state, true));
    });
    await controller.ensureConnected();
    assert.deepEqual(agent.calls, ['session/load']);
    assert.deepEqual(
      store.state.entries.map(({ kind }) => kind),
      ['user', 'tool', 'agent'],
    );
    for (const type of ['update', 'promptSubmitted', 'turnEnded', 'terminalStarted'])
      assert.ok(!told.includes(type), type);
    assert.deepEqual([...badges], ['idle']);
    const { turn, terminals } = store.state;
    assert.deepEqual([turn.number, turn.status, terminals], [0, 'idle', {}]);
  });
});

describe('the folders of a session', () => {
  const { others } = PLACE;
  afterEach(() => (PLACE.others = others));

  it('SE-26 stay as they are while it is open; those of the window then go with the next load', async () => {
    const agent = new MemoryAgent(LOADS);
    const { controller } = buildSession('key', 'memory', linkTo(agent));
    await controller.prompt(say('one'));
    const before = ['/proj', ...others];
    assert.deepEqual(controller.live?.roots, before);
    PLACE.others = ['/new'];
    await controller.prompt(say('two'));
    assert.deepEqual(agent.calls, ['session/new', 'session/prompt', 'session/prompt']);
    assert.deepEqual(controller.live.roots, before);
    assert.deepEqual(Object.keys(agent.paramsOf('session/prompt')[1] ?? {}).sort(), ['prompt', 'sessionId']);
    await controller.reload();
    const [load] = agent.paramsOf('session/load');
    assert.deepEqual([load?.['cwd'], load?.['additionalDirectories']], ['/proj', ['/new']]);
    assert.deepEqual(controller.live.roots, ['/proj', '/new']);
  });
});

describe('commands of an agent', () => {
  const commands = (...names: string[]) => ({
    sessionUpdate: 'available_commands_update',
    availableCommands: names.map((name) => ({ name, description: name })),
  });

  it('SC-3 belong to one session, and what is none goes out as it was typed', async () => {
    let ids = 0;
    const agent = new MemoryAgent({}, { 'session/new': () => ({ sessionId: `s${++ids}` }) });
    const link = linkTo(agent);
    const sessions = ['one', 'two'].map((key) => buildSession(key, 'memory', link));
    for (const { controller } of sessions) await controller.ensureConnected();
    agent.tell('s1', commands('fix', 'test'));
    agent.tell('s2', commands('fix'));
    const [one, two] = sessions;
    assert.ok(one && two);
    await one.controller.prompt(say('/nothing of "that" name'));
    await two.controller.prompt(say('/test'));
    const names = sessions.map(({ store }) => store.state.commands.map(({ name }) => name));
    assert.deepEqual(names, [['fix', 'test'], ['fix']]);
    assert.deepEqual(
      agent.paramsOf('session/prompt').map(({ prompt }) => prompt),
      ['/nothing of "that" name', '/test'].map((words) => [{ type: 'text', text: words }]),
    );
  });
});

describe('a diff of an agent', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'parley-diff-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('DI-3 is shown, and changes and makes no file', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'old\n');
    const agent: MemoryAgent = new MemoryAgent(
      {},
      {
        'session/prompt': () => {
          const content = [
            { type: 'diff', path, oldText: 'old\n', newText: 'new\n' },
            { type: 'diff', path: join(folder, 'b.txt'), oldText: null, newText: 'new\n' },
          ];
          agent.tell('new-1', tool('t', { kind: 'edit', status: 'completed', content }));
          return { stopReason: 'end_turn' };
        },
      },
    );
    const { controller, store } = buildSession('key', 'memory', linkTo(agent));
    await controller.prompt(say('go'));
    const card = store.state.entries.find((entry) => entry.kind === 'tool');
    assert.ok(card?.kind === 'tool');
    assert.deepEqual(
      card.content.map((item) => item.type === 'diff' && item.diff.added),
      [1, 1],
    );
    assert.deepEqual(await readdir(folder), ['a.txt']);
    assert.equal(await readFile(path, 'utf8'), 'old\n');
  });
});
