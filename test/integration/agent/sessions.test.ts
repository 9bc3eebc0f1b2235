import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEvents } from '../../../src/agent/events/eventLog';
import { LOOP_META } from '../../../src/core/acp';
import { asList, asObject, type JsonObject } from '../../../src/core/json';
import { agentEnvironment, bundledAgent, LOOP_CLIENT, Peer, type PeerOptions, type Serve } from './peer';
import { makeWorkspace } from './workspace';

const ASK = 'session/request_permission';
const allow: Serve = () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } });

/** Updates without what says when and in which model call. */
function shown(peer: Peer): JsonObject[] {
  return peer.messages
    .filter(({ method }) => method === 'session/update')
    .map(({ params }) => asObject(asObject(params)['update']))
    .filter(({ sessionUpdate }) => sessionUpdate !== 'available_commands_update');
}

const kinds = (peer: Peer): unknown[] => shown(peer).map(({ sessionUpdate }) => sessionUpdate);

describe('built-in agent, sessions', () => {
  const cwd = makeWorkspace({ 'a.txt': 'one\n' });
  const home = mkdtempSync(join(tmpdir(), 'parley-home-'));
  const options: PeerOptions = { home, serve: { [ASK]: allow } };
  after(() => rmSync(home, { recursive: true, force: true }));

  const fileOf = (sessionId: string): string => join(home, 'sessions', sessionId, 'events.jsonl');
  const eventsOf = (sessionId: string) => parseEvents(readFileSync(fileOf(sessionId), 'utf8'));
  const again = async (more: PeerOptions = {}): Promise<Peer> => {
    const peer = await Peer.start({ ...options, ...more });
    await peer.initialize();
    return peer;
  };

  async function talked(...prompts: string[]): Promise<string> {
    const { peer, sessionId } = await Peer.inSession(cwd, options);
    for (const prompt of prompts) await peer.prompt(sessionId, prompt);
    await peer.end();
    return sessionId;
  }

  it('SE-8 loads a session in another process, all of it before the answer, and goes on with it', async () => {
    const sessionId = await talked('read a.txt then replace "one" with "two" in a.txt');
    const peer = await again();
    const answer = await peer.request('session/load', { sessionId, cwd, mcpServers: [] });
    assert.ok(asList(answer['configOptions']).length > 0);
    const last = peer.messages.findIndex(({ id, result }) => id !== undefined && asObject(result)['modes']);
    assert.equal(
      peer.messages.slice(0, last).filter(({ method }) => method === 'session/update').length,
      kinds(peer).length,
    );
    assert.match(peer.text, /All 2 steps are done/);
    assert.deepEqual(peer.statesOf('edit_file'), ['completed']);
    assert.ok(JSON.stringify(shown(peer)).includes('"type":"diff"'));
    const ids = new Set(peer.updates('tool_call').map(({ toolCallId }) => toolCallId));
    await peer.prompt(sessionId, 'list');
    const fresh = peer.updates('tool_call').at(-1)?.['toolCallId'];
    assert.ok(fresh && !ids.has(fresh), 'TC-5 ids stay unique');
    await peer.end();
    const types = eventsOf(sessionId).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'session.start').length, 1);
  });

  it('SE-11 resumes a session without a word of it', async () => {
    const sessionId = await talked('read a.txt');
    const peer = await again();
    await peer.request('session/resume', { sessionId, cwd });
    assert.deepEqual(kinds(peer), []);
    assert.equal((await peer.prompt(sessionId, 'list')).stopReason, 'end_turn');
    await peer.end();
  });

  it('SE-15 lists the sessions of a folder, the newest first, by pages', async () => {
    const other = makeWorkspace({});
    const { peer } = await Peer.inSession(other, options);
    const ids: string[] = [];
    for (let i = 0; i < 52; i++) {
      const sessionId = await peer.newSession(other);
      await peer.prompt(sessionId, `help ${i}`);
      ids.unshift(sessionId);
    }
    await peer.newSession(other); // Never used: nothing to list.
    const first = await peer.request('session/list', { cwd: other });
    const rest = await peer.request('session/list', { cwd: other, cursor: first['nextCursor'] });
    const rows = [...asList(first['sessions']), ...asList(rest['sessions'])].map(asObject);
    assert.deepEqual(new Set(rows.map(({ sessionId }) => sessionId)), new Set(ids));
    assert.equal(asList(first['sessions']).length, 50);
    assert.ok(rows.every(({ cwd: folder, title }) => folder === other && typeof title === 'string'));
    const times = rows.map(({ updatedAt }) => Date.parse(String(updatedAt)));
    assert.deepEqual(
      times,
      [...times].sort((a, b) => b - a),
    );
    assert.equal(await peer.codeOf('session/list', { cursor: 'x' }), -32602);
    assert.equal(await peer.codeOf('session/list', { cwd: 'relative' }), -32602);
    await peer.end();
  });

  it('says in the list that a task is complete, and how many model calls there were', async () => {
    const sessionId = await talked('read a.txt then list');
    const peer = await again();
    const { sessions } = await peer.request('session/list', { cwd });
    const row = asList(sessions)
      .map(asObject)
      .find((item) => item['sessionId'] === sessionId);
    assert.deepEqual(asObject(row?.['_meta'])[LOOP_META], {
      modelCalls: 3,
      taskComplete: { summary: 'All 2 steps are done.' },
    });
    await peer.end();
  });

  it('SE-12 SE-20 closes and deletes, deletes again, and knows it no more', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, { ...options, pace: 0.1 });
    const turn = peer.prompt(sessionId, 'count slowly to 1000');
    await peer.until(() => peer.text !== '');
    await peer.request('session/close', { sessionId });
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(await peer.codeOf('session/prompt', { sessionId, prompt: [] }), -32002);
    // The SDK takes this error for a success, as SE-13 advises.
    await peer.request('session/close', { sessionId });
    assert.equal(asObject(peer.messages.at(-1)?.['error'])['code'], -32002);
    assert.equal(eventsOf(sessionId).at(-1)?.type, 'session.cancelled');
    await peer.request('session/delete', { sessionId });
    await peer.request('session/delete', { sessionId });
    await peer.request('session/delete', { sessionId: '../..' });
    assert.equal(existsSync(fileOf(sessionId)), false);
    assert.equal(await peer.codeOf('session/load', { sessionId, cwd, mcpServers: [] }), -32002);
    assert.equal(await peer.codeOf('session/load', { sessionId: '../x', cwd, mcpServers: [] }), -32002);
    await peer.end();
  });

  it('SE-20 leaves nothing of a session that is deleted in the middle of its turn', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, { ...options, pace: 0.1 });
    const turn = peer.prompt(sessionId, 'count slowly to 1000');
    await peer.until(() => peer.text !== '');
    await peer.request('session/delete', { sessionId });
    assert.equal((await turn).stopReason, 'cancelled');
    await peer.end();
    assert.equal(existsSync(fileOf(sessionId)), false);
  });

  it('SE-23 refuses to load a session in another folder', async () => {
    const sessionId = await talked('help');
    const peer = await again();
    assert.equal(await peer.codeOf('session/load', { sessionId, cwd: tmpdir(), mcpServers: [] }), -32602);
    await peer.end();
  });

  it('SE-23 leaves a session as it is when a load of it is refused, with its turn', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, options);
    const turn = peer.prompt(sessionId, 'count slowly to 3');
    await peer.until(() => peer.text.includes('1'));
    assert.equal(await peer.codeOf('session/load', { sessionId, cwd: tmpdir(), mcpServers: [] }), -32602);
    assert.equal((await turn).stopReason, 'end_turn');
    const { sessionId: fresh } = await peer.request('session/new', { cwd, mcpServers: [] });
    assert.equal(await peer.codeOf('session/load', { sessionId: fresh, cwd, mcpServers: [] }), -32002);
    assert.equal((await peer.prompt(String(fresh), 'help')).stopReason, 'end_turn');
    await peer.end();
  });

  it('keeps the mode of a session', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, options);
    await peer.request('session/set_mode', { sessionId, modeId: 'plan' });
    await peer.prompt(sessionId, 'list');
    await peer.end();
    const next = await again();
    const { modes } = await next.request('session/load', { sessionId, cwd, mcpServers: [] });
    assert.equal(asObject(modes)['currentModeId'], 'plan');
    await next.end();
  });

  it('has as many pairs in its log as the client was told of model calls, whatever the texts say', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, { ...options, capabilities: LOOP_CLIENT });
    await peer.prompt(sessionId, 'read a.txt then search for assistant.turn_start');
    await peer.end();
    const types = eventsOf(sessionId).map(({ type }) => type);
    const count = (name: string): number => types.filter((type) => type === name).length;
    assert.equal(count('assistant.turn_start'), peer.calls('_parley/turn_start').length);
    assert.equal(count('assistant.turn_end'), count('assistant.turn_start'));
    assert.ok(!types.some((type: string) => type === 'session.idle'));
  });

  for (const how of ['its input ends', 'it is told to end'] as const) {
    it(`keeps what was said, and that it was stopped, when ${how} in the middle of an answer`, async () => {
      const { peer, sessionId } = await Peer.inSession(cwd, { ...options, pace: 0.1 });
      const turn = peer.prompt(sessionId, 'count slowly to 1000').catch(() => undefined);
      await peer.until(() => peer.text.includes('3, '));
      const exit = once(peer.child, 'exit');
      if (how === 'its input ends') peer.child.stdin.end();
      else peer.child.kill('SIGTERM');
      await Promise.all([exit, turn]);
      const events = eventsOf(sessionId);
      const said = events.find((event) => event.type === 'assistant.message');
      assert.match(said?.type === 'assistant.message' ? said.text : '', /1, 2, 3, /);
      if (process.platform !== 'win32') assert.equal(events.at(-1)?.type, 'session.cancelled');
    });
  }

  it('TC-5 is lost for the process that did not write last, which does not mix the two', async () => {
    const sessionId = await talked('read a.txt');
    const [one, two] = [await again(), await again()];
    for (const peer of [one, two]) await peer.request('session/resume', { sessionId, cwd });
    assert.equal((await one.prompt(sessionId, 'list')).stopReason, 'end_turn');
    const late = { sessionId, prompt: [{ type: 'text', text: 'read a.txt' }] };
    assert.equal(await two.codeOf('session/prompt', late), -32002);
    await two.request('session/load', { sessionId, cwd, mcpServers: [] });
    assert.equal((await two.prompt(sessionId, 'read a.txt')).stopReason, 'end_turn');
    const ids = two.updates('tool_call').map(({ toolCallId }) => toolCallId);
    assert.equal(new Set(ids).size, ids.length);
    await one.end();
    await two.end();
  });

  it('leaves nothing of a session in which only the mode was changed', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, options);
    await peer.request('session/set_mode', { sessionId, modeId: 'plan' });
    await peer.end();
    assert.equal(existsSync(fileOf(sessionId)), false);
  });

  // Killed when its log has so many lines: after the prompt, which is the third, in a model call, in a tool, between them.
  for (const lines of [3, 4, 5, 6, 7, 8, 9]) {
    it(`is recognised as interrupted after a kill at line ${lines} of its log, and goes on`, async () => {
      const { peer, sessionId } = await Peer.inSession(cwd, { ...options, pace: 0.3 });
      const turn = peer.prompt(sessionId, 'read a.txt then list then run sleep 5').catch(() => undefined);
      const written = (): number =>
        existsSync(fileOf(sessionId)) ? readFileSync(fileOf(sessionId), 'utf8').split('\n').length - 1 : 0;
      while (written() < lines) await new Promise((resolve) => setImmediate(resolve));
      const exit = once(peer.child, 'exit');
      peer.child.kill('SIGKILL');
      await Promise.all([exit, turn]);
      const next = await again();
      await next.request('session/load', { sessionId, cwd, mcpServers: [] });
      const told = next
        .updates('session_info_update')
        .map(({ _meta }) => asObject(asObject(_meta)[LOOP_META]));
      assert.ok(told.some(({ interrupted }) => interrupted === true));
      const open = next
        .updates('tool_call')
        .filter(({ status }) => status !== 'completed' && status !== 'failed');
      assert.deepEqual(open, []);
      assert.equal((await next.prompt(sessionId, 'list')).stopReason, 'end_turn');
      await next.end();
      assert.equal(eventsOf(sessionId).at(-1)?.type, 'assistant.turn_end');
    });
  }

  describe('on the command line', () => {
    async function cli(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
      const env = agentEnvironment({ home });
      const child = spawn(process.execPath, [await bundledAgent(), ...args], { cwd, env, stdio: 'pipe' });
      let [out, err] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
      child.stdin.end();
      const [code] = (await once(child, 'close')) as [number];
      return { code, out, err };
    }

    it('runs a prompt without a client, refuses what nobody can allow, and prints its log', async () => {
      const ran = await cli('run', 'read a.txt then create b.txt with "x"');
      assert.equal(ran.code, 0, ran.err);
      assert.match(ran.out, /\[failed\] Create b.txt/);
      assert.equal(existsSync(join(cwd, 'b.txt')), false);
      const sessionId = /session (\S+)/.exec(ran.out)?.[1] ?? '';
      const { code, out } = await cli('log', sessionId);
      assert.equal(code, 0);
      assert.match(out, /prompt: read a\.txt then create/);
      assert.match(out, /tool read_file: completed/);
      assert.match(out, /tool write_file: rejected/);
      assert.match(out, /3 model calls, 2 tool calls; 0 tokens in, 0 out/);
    });

    it('goes on by itself in autopilot, allows what it was told to, and says that the task is complete', async () => {
      const ran = await cli('run', '--autopilot', '--allow-all', 'create c.txt with "x"');
      assert.equal(ran.code, 0, ran.err);
      assert.equal(readFileSync(join(cwd, 'c.txt'), 'utf8'), 'x');
      assert.match(ran.out, /\[nudge\]/);
      assert.match(ran.out, /\[completed\] Task complete/);
    });

    it('says by its exit code that the task was never complete', async () => {
      const unknown = await cli('run', '--autopilot', 'read a.txt then refactor everything');
      assert.equal(unknown.code, 5, unknown.err);
      assert.doesNotMatch(unknown.out, /Task complete/);
      const refused = await cli('run', '--autopilot', 'create d.txt with "x"');
      assert.equal(refused.code, 5, refused.err);
      assert.match(refused.out, /You rejected this step: Create `d.txt`/);
    });

    it('says what it can do where it is asked for something else', async () => {
      for (const args of [['run'], ['log'], ['dance', 'x'], ['run', 'a', 'b'], ['--what']]) {
        const { code, err } = await cli(...args);
        assert.equal(code, 2, args.join(' '));
        assert.match(err, /log SESSION/);
      }
      const missing = await cli('log', 'no-such-session');
      assert.equal(missing.code, 1);
      assert.match(missing.err, /session was not found/);
    });
  });
});
