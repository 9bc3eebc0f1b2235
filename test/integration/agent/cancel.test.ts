import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { asObject } from '../../../src/core/json';
import { LOOP_CLIENT, Peer, type Serve } from './peer';
import { makeWorkspace } from './workspace';

const ASK = 'session/request_permission';
const allow: Serve = () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } });
/** A request that the client never answers, as some do after a cancel. */
const never: Serve = () => new Promise(() => undefined);

/** A zombie counts as gone: it waits for its parent, which may be anyone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('built-in agent, cancel', () => {
  const cwd = makeWorkspace({ 'a.txt': 'one\n' });

  it('CA-2 answers "cancelled" in the middle of a stream, and takes the next prompt', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, { pace: 0.1, capabilities: LOOP_CLIENT });
    const prompt = peer.prompt(sessionId, 'count slowly to 1000');
    await peer.until(() => peer.text.includes('2, '));
    await peer.cancel(sessionId);
    const answer = await prompt;
    assert.equal(answer.stopReason, 'cancelled');
    // Nothing of the turn comes after its answer.
    const last = asObject(JSON.parse(peer.lines.at(-1) ?? ''));
    assert.ok('result' in last);
    assert.equal(peer.calls('_parley/turn_start').length, peer.calls('_parley/turn_end').length);
    assert.equal((await peer.prompt(sessionId, 'count slowly to 2')).stopReason, 'end_turn');
    assert.match(peer.text, /1, 2\.$/);
    await peer.end();
  });

  it('CA-2 reads a cancel also while it streams without a pause', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, { pace: 0 });
    const prompt = peer.prompt(sessionId, 'lorem 100000');
    await peer.until(() => peer.text !== '');
    await peer.cancel(sessionId);
    assert.equal((await prompt).stopReason, 'cancelled');
    await peer.end();
  });

  it('CA-3 answers "cancelled" while a permission is open, even if the client never answers it', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, { serve: { [ASK]: never } });
    const prompt = peer.prompt(sessionId, 'create b.txt with "x"');
    await peer.until(() => peer.calls(ASK).length > 0);
    await peer.cancel(sessionId);
    assert.equal((await prompt).stopReason, 'cancelled');
    assert.equal(peer.calls('$/cancel_request').length, 1);
    assert.equal((await peer.prompt(sessionId, 'read a.txt')).stopReason, 'end_turn');
    await peer.end();
  });

  it('CA-11 CA-7 tells the client that a file is not waited for any more', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, {
      capabilities: { fs: { readTextFile: true } },
      serve: { 'fs/read_text_file': never },
    });
    const prompt = peer.prompt(sessionId, 'read a.txt');
    await peer.until(() => peer.calls('fs/read_text_file').length > 0);
    await peer.cancel(sessionId);
    assert.equal((await prompt).stopReason, 'cancelled');
    await peer.end();
  });

  it('CA-8 takes a cancel of the prompt request itself as a cancel of the turn', async () => {
    const { peer, sessionId } = await Peer.inSession(cwd, { pace: 1 });
    const prompt = peer.prompt(sessionId, 'count slowly to 1000');
    await peer.until(() => peer.text !== '');
    const { id } = peer.sent.find(({ method }) => method === 'session/prompt') ?? {};
    await peer.agent.notify('$/cancel_request', { requestId: Number(id) });
    assert.equal((await prompt).stopReason, 'cancelled');
    await peer.end();
  });

  it('CA-2 TE-9 releases a terminal at once, before the answer', async () => {
    const calls: string[] = [];
    const { peer, sessionId } = await Peer.inSession(cwd, {
      capabilities: { terminal: true },
      serve: {
        [ASK]: allow,
        'terminal/create': () => ({ terminalId: 'one' }),
        'terminal/wait_for_exit': never,
        'terminal/release': () => {
          calls.push('release');
          return {};
        },
      },
    });
    const prompt = peer.prompt(sessionId, 'run sleep 60');
    await peer.until(() => peer.calls('terminal/wait_for_exit').length > 0);
    await peer.cancel(sessionId);
    assert.equal((await prompt).stopReason, 'cancelled');
    const release = peer.messages.findIndex(({ method }) => method === 'terminal/release');
    const answer = peer.messages.findIndex(({ result }) => asObject(result)['stopReason'] === 'cancelled');
    assert.ok(release >= 0 && release < answer);
    await peer.end();
    assert.deepEqual(calls, ['release']);
  });

  it('TE-9 releases a terminal that is made only after the cancel', async () => {
    let create: (answer: object) => void = () => undefined;
    let released: () => void = () => undefined;
    const release = new Promise<void>((resolve) => (released = resolve));
    const { peer, sessionId } = await Peer.inSession(cwd, {
      capabilities: { terminal: true },
      serve: {
        [ASK]: allow,
        'terminal/create': () => new Promise((resolve) => (create = resolve)),
        'terminal/release': () => {
          released();
          return {};
        },
      },
    });
    const prompt = peer.prompt(sessionId, 'run sleep 60');
    await peer.until(() => peer.calls('terminal/create').length > 0);
    await peer.cancel(sessionId);
    assert.equal((await prompt).stopReason, 'cancelled');
    create({ terminalId: 'late' });
    await release;
    await peer.end();
  });

  for (const how of ['cancel', 'end of input'] as const) {
    it(`CA-2 kills the tree of its own command: ${how}`, async () => {
      const { peer, sessionId } = await Peer.inSession(cwd, { serve: { [ASK]: allow } });
      const prompt = peer.prompt(sessionId, 'run sleep 60 & echo pid $!; wait').catch(() => undefined);
      const pidOf = (): number => Number(/pid (\d+)/.exec(peer.lines.join('\n'))?.[1] ?? 0);
      await peer.until(() => pidOf() > 0);
      const pid = pidOf();
      assert.ok(isAlive(pid));
      if (how === 'cancel') {
        await peer.cancel(sessionId);
        assert.equal((await prompt)?.stopReason, 'cancelled');
        await peer.end();
      } else {
        const exit = once(peer.child, 'exit');
        peer.child.stdin.end();
        await exit;
      }
      // A signal takes a moment to arrive.
      const deadline = Date.now() + 2000;
      while (isAlive(pid) && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
      assert.ok(!isAlive(pid));
    });
  }
});
