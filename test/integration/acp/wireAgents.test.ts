import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientHandlers } from '../../../src/acp/agentClient';
import { connectAgent, type ConnectedAgent } from '../../../src/acp/connectAgent';
import { errorCode } from '../../../src/acp/wireErrors';
import { asList, asObject, asString } from '../../../src/core/json';
import { connectOptions, planFor } from '../../support/fakeAgents';

const place = { cwd: '/', mcpServers: [] };

/** An agent with a client that can do everything and says yes to all. */
class Peer {
  readonly updates: string[] = [];
  readonly texts: string[] = [];
  private constructor(readonly agent: ConnectedAgent) {}

  static async start(name: string, ...args: string[]): Promise<Peer> {
    const options = connectOptions({ ...planFor(name, ...args), startTimeout: 60_000 });
    const seen: unknown[] = [];
    let take = (update: unknown): void => void seen.push(update);
    const handlers: ClientHandlers = {
      session: { update: (_sessionId, update) => take(update) },
      permission: { request: () => Promise.resolve({ outcome: { outcome: 'selected', optionId: 'yes' } }) },
      elicitation: {
        create: ({ mode }) =>
          Promise.resolve(
            mode === 'form' ? { action: 'accept', content: { name: 'Ann' } } : { action: 'accept' },
          ),
        complete: (id) => void seen.push(id),
      },
      files: {
        readTextFile: () => Promise.resolve({ content: 'text' }),
        writeTextFile: () => Promise.resolve({}),
      },
      terminals: {
        create: () => Promise.resolve({ terminalId: 't' }),
        output: () => ({ output: '', truncated: false }),
        waitForExit: () => Promise.resolve({ exitCode: 0 }),
        kill: () => ({}),
        release: () => ({}),
      },
      onUnknownNotification: () => undefined,
    };
    const capabilities = {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      auth: { terminal: true },
      elicitation: { form: {}, url: {} },
      session: { configOptions: { boolean: {} }, compaction: {}, notices: {} },
    };
    const peer = new Peer(await connectAgent({ ...options, handlers, capabilities }));
    take = (update) => {
      peer.updates.push(asString(asObject(update)['sessionUpdate']) ?? '');
      peer.texts.push(asString(asObject(asObject(update)['content'])['text']) ?? '');
    };
    seen.forEach((update) => take(update));
    return peer;
  }

  async open(): Promise<string> {
    return String(asObject(await this.agent.client.newSession(place))['sessionId']);
  }

  /** Sends a prompt; gives what was said meanwhile. */
  async say(sessionId: string, text: string): Promise<string> {
    const from = this.texts.length;
    await this.agent.client.prompt(sessionId, [{ type: 'text', text }]);
    return this.texts.slice(from).join('');
  }
}

const codeOf = (promise: Promise<unknown>): Promise<number | undefined> =>
  promise.then(() => undefined, errorCode);

describe('the small agents', function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'parley-agents-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('AU-2 AU-4 authRequired wants a sign-in, and again after "expire" and logout', async () => {
    const peer = await Peer.start('authRequired', '--state', join(folder, 'state'), '--odd');
    const { client, introduction } = { client: peer.agent.client, introduction: peer.agent.introduction };
    assert.deepEqual(
      introduction.authMethods.map(({ id }) => id),
      ['key', 'terminal', 'browser'],
    );
    assert.equal(await codeOf(client.newSession(place)), -32000);
    assert.equal(await codeOf(client.authenticate('browser')), -32602);
    await client.authenticate('key');
    const id = await peer.open();
    assert.equal(await peer.say(id, 'who'), 'signed in by key');
    assert.equal(await codeOf(peer.say(id, 'expire')), -32000);
    await client.authenticate('key');
    assert.equal(await peer.say(id, 'expire'), 'signed in by key, again');
    await client.logout();
    assert.equal(await codeOf(client.newSession(place)), -32000);
    await peer.agent.stop();
  });

  it('SE-15 SE-16 sessions keeps sessions over a restart and lists them in pages', async () => {
    const store = join(folder, 'store.json');
    const first = await Peer.start('sessions', '--store', store);
    for (const n of [1, 2, 3])
      assert.equal(await first.say(await first.open(), `a${n}`), `a${n}, the 1. prompt`);
    await first.agent.stop();

    const { agent, ...again } = await Peer.start('sessions', '--store', store);
    const page = asObject(await agent.client.listSessions('/'));
    assert.equal(asList(page['sessions']).length, 2);
    const rest = asObject(await agent.client.listSessions('/', String(page['nextCursor'])));
    assert.deepEqual([asList(rest['sessions']).length, rest['nextCursor']], [1, undefined]);
    assert.equal(await codeOf(agent.client.prompt('kept-1', [{ type: 'text', text: 'x' }])), -32002);
    await agent.client.loadSession('kept-1', place);
    assert.deepEqual(again.texts, ['a1', 'a1, the 1. prompt']);
    await agent.client.resumeSession('kept-2', place);
    assert.equal(again.texts.length, 2);
    await agent.client.closeSession('kept-2');
    await agent.client.deleteSession('kept-2');
    assert.equal(await codeOf(agent.client.loadSession('kept-2', place)), -32002);
    await agent.stop();
  });

  it('EL-1 elicits asks by form and page, in sessions and outside', async () => {
    const peer = await Peer.start('elicits');
    await peer.agent.client.authenticate('ask');
    const id = await peer.open();
    for (const what of ['form', 'small', 'secret', 'odd', 'request'])
      assert.equal(await peer.say(id, what), '{"action":"accept","content":{"name":"Ann"}}', what);
    for (const what of ['url', 'complete'])
      assert.equal(await peer.say(id, what), '{"action":"accept"}', what);
    assert.match(await peer.say(id, 'withdraw'), /accept|-32800/);
    await peer.agent.stop();
  });

  it('SE-5 earlyRequests speaks before session/new is answered', async () => {
    const peer = await Peer.start('earlyRequests', '--wait', 'file,terminal');
    const id = await peer.open();
    assert.deepEqual(peer.updates.slice(0, 2), ['available_commands_update', 'agent_message_chunk']);
    assert.deepEqual(JSON.parse(await peer.say(id, 'answers')), {
      permission: { outcome: { outcome: 'selected', optionId: 'yes' } },
      file: { content: 'text' },
      terminal: { terminalId: 't' },
      form: { action: 'accept', content: { name: 'Ann' } },
    });
    await peer.agent.stop();
  });

  it('SU-5 lateUpdates and slowStop go on after the answer and after the cancel', async () => {
    const late = await Peer.start('lateUpdates', '--later', '1');
    await late.say(await late.open(), 'work');
    while (late.updates.length < 6) await new Promise(setImmediate);
    assert.deepEqual(late.texts.join(''), 'in time, too late and later still');
    await late.agent.stop();

    const slow = await Peer.start('slowStop', '--late', '1');
    const id = await slow.open();
    for (const [what, code] of [
      ['go', undefined],
      ['error', -32603],
    ] as const) {
      const from = slow.texts.length;
      const turn = codeOf(slow.say(id, what));
      while (!slow.texts.slice(from).includes('working')) await new Promise(setImmediate);
      slow.agent.client.cancel(id);
      assert.equal(await turn, code);
      assert.ok(slow.texts.includes(' and stopped'));
    }
    await slow.agent.stop();
  });

  it('CF-7 CF-8 config answers with the whole list, of which one depends on another', async () => {
    const { agent, ...peer } = await Peer.start('config', '--both');
    const opened = asObject(await agent.client.newSession(place));
    assert.ok('modes' in opened);
    const idsOf = (answer: unknown): unknown[] =>
      asList(asObject(answer)['configOptions']).map((option) => asObject(option)['id']);
    assert.deepEqual(idsOf(opened), ['model', 'effort', 'fast', 'odd']);
    const changed = await agent.client.setConfigOption('configured', 'model', 'large');
    const [, effort] = asList(asObject(changed)['configOptions']);
    assert.equal(asList(asObject(effort)['options']).length, 2);
    await agent.client.setConfigOption('configured', 'fast', true);
    assert.equal(await codeOf(agent.client.setConfigOption('configured', 'model', 'broken')), -32603);
    await agent.client.prompt('configured', [{ type: 'text', text: 'set model small' }]);
    await agent.client.prompt('configured', [{ type: 'text', text: 'options' }]);
    assert.deepEqual(peer.updates, ['config_option_update', 'agent_message_chunk']);
    assert.match(peer.texts.join(''), /"model":"small","effort":"low","fast":true/);
    await agent.stop();
  });

  it('SE-6 SE-10 SE-12 SE-15 SE-20 AU-10 EL-1 reference serves all that it announces', async () => {
    const { agent, ...rest } = await Peer.start('reference', '--auth');
    const { client } = agent;
    assert.equal(await codeOf(client.newSession(place)), -32000);
    await client.authenticate('login');
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(String(asObject(await client.newSession(place))['sessionId']));
    const page = asObject(await client.listSessions('/'));
    assert.equal(asList(page['sessions']).length, 2);
    assert.equal(
      asList(asObject(await client.listSessions('/', String(page['nextCursor'])))['sessions']).length,
      1,
    );
    const [first = '', second = ''] = ids;
    await client.loadSession(first, place);
    await client.resumeSession(second, place);
    const act = (what: string): Promise<unknown> => client.prompt(first, [{ type: 'text', text: what }]);
    for (const what of ['form', 'url', 'compact', 'mode', 'kinds']) await act(what);
    assert.ok(rest.texts.includes('{"action":"accept","content":{"name":"Ann"}}'));
    for (const kind of ['compaction_update', 'compaction_summary_chunk', 'notice', 'current_mode_update'])
      assert.ok(rest.updates.includes(kind), kind);
    await client.closeSession(second);
    await client.deleteSession(second);
    assert.equal(await codeOf(client.resumeSession(second, place)), -32002);
    await client.logout();
    assert.equal(await codeOf(client.newSession(place)), -32000);
    await agent.stop();
  });
});
