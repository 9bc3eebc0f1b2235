import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../../src/core/session/select';
import { patch, text, tool } from '../../support/session';
import { content, HistoryFolder, kinds, prompts, RecordedSession } from './folder';
import { countWrites } from './writes';

const lineCount = (file: string): number => readFileSync(file, 'utf8').trimEnd().split('\n').length;

describe('the history on disk', () => {
  let at: HistoryFolder;
  beforeEach(() => (at = new HistoryFolder()));
  afterEach(() => at.remove());

  describe('recording', () => {
    it('gives the session back in another window', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a');
      session.apply({ type: 'sessionOpened', sessionId: 's1', cwd: '/w', config: [], fresh: false });
      session
        .turn('one')
        .wire(tool('t'), patch('t', { status: 'completed' }))
        .turn('two');
      await session.recorder.written();
      assert.deepEqual(content(await at.history().load('a')), content(session.state));
      const { key, sessionId, cwd, title, agentId } = (await at.history().list())[0] ?? {};
      assert.deepEqual([key, sessionId, cwd, title, agentId], ['a', 's1', '/w', 'one', 'Test']);
    });

    it('makes no file before there is something worth it', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a');
      session.apply({ type: 'sessionOpened', sessionId: 's1', cwd: '/w', config: [], fresh: false });
      session.apply({ type: 'noticeShown', severity: 'info', title: 'hello' });
      await history.flush();
      assert.equal(existsSync(at.folder), false);
      session.turn('one');
      await history.flush();
      assert.deepEqual(kinds(await history.load('a')), ['notice', 'user', 'agent', 'end']);
    });

    it('writes 30,000 chunks in few lines, without a timer afterwards', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a').prompt('go');
      await session.recorder.written();
      const begun = Date.now();
      const writes = await countWrites(async () => {
        for (let i = 0; i < 30_000; i++) {
          session.wire(text(`${i} `));
          // Lets timers and writes have their turn, as the agent's pipe does.
          if (i % 300 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        session.end();
        await history.flush();
      });
      // One for each delay that went by, and a few that are urgent.
      const most = (Date.now() - begun) / 250 + 5;
      assert.ok(writes <= most, `${writes} writes`);
      assert.ok(lineCount(at.log('a')) <= most + 10, `${lineCount(at.log('a'))} lines`);
      assert.deepEqual(content(await at.history().load('a')), content(session.state));
    });

    it('writes what waits after a short time by itself', async () => {
      const session = new RecordedSession(at.history(), 'a').prompt('go');
      await session.recorder.written();
      const before = statSync(at.log('a')).size;
      session.wire(text('later'));
      for (const end = Date.now() + 5_000; statSync(at.log('a')).size === before;) {
        assert.ok(Date.now() < end, 'nothing was written');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.match(readFileSync(at.log('a'), 'utf8'), /later/);
    });

    it('keeps the last screen of a terminal and not each one', async () => {
      const session = new RecordedSession(at.history(), 'a').prompt();
      session.apply({ type: 'terminalStarted', terminalId: 'x', command: 'ls', cwd: '/', at: 1 });
      for (let i = 0; i < 50; i++) {
        const lines = [[{ text: `line ${i}` }]];
        session.apply({
          type: 'terminalScreen',
          terminalId: 'x',
          from: i,
          lines,
          hiddenLines: Math.max(0, i - 9),
        });
      }
      session.apply({ type: 'terminalExited', terminalId: 'x', code: 0, signal: null, at: 2 });
      session.apply({ type: 'terminalReleased', terminalId: 'x' }).end();
      await session.recorder.close();
      const written = readFileSync(at.log('a'), 'utf8').match(/terminalScreen/g)?.length;
      assert.ok(written !== undefined && written <= 2, `${written} screens`);
      assert.deepEqual(content(await at.history().load('a')), content(session.state));
    });

    it('goes on with a loaded session, whose open turn stays interrupted', async () => {
      const first = new RecordedSession(at.history(), 'a').prompt('one').wire(tool('t'));
      await first.recorder.close();
      const history = at.history();
      const loaded = await history.load('a');
      assert.equal(loaded?.turn.status, 'failed');
      const second = new RecordedSession(history, 'a', loaded);
      second.now = 5_000;
      second.turn('two');
      await history.flush();
      assert.deepEqual(content(await at.history().load('a')), content(second.state));
      assert.equal(second.tools()[0]?.status, 'interrupted');
    });

    it('only reads when it loads', async () => {
      const first = new RecordedSession(at.history(), 'a').prompt('one');
      await first.recorder.written();
      const before = readFileSync(at.log('a'), 'utf8');
      const other = at.history();
      await other.load('a');
      await other.list();
      other.record('a', () => first.state);
      await other.flush();
      assert.equal(readFileSync(at.log('a'), 'utf8'), before);
    });

    it('sends a queued prompt exactly once: it is in the transcript or in the queue', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a').turn('one');
      const items = ['q1', 'q2'].map((id) => ({ id, text: id, attachments: [] }));
      session.apply({ type: 'queueChanged', queue: { items, paused: false } });
      const blocks = [{ type: 'text' as const, text: 'q1' }];
      session.apply({ type: 'promptSubmitted', blocks, at: 9, queued: 'q1' });
      await history.flush();
      const bytes = readFileSync(at.log('a'));
      for (let length = bytes.length; length > bytes.length / 2; length--) {
        truncateSync(at.log('a'), length);
        const state = await at.history().load('a');
        const all = [...prompts(state).slice(1), ...(state?.queue.items ?? []).map(({ id }) => id)];
        assert.ok(all.length === 0 || all.join() === 'q1,q2', `${all.join()} at ${length}`);
        assert.equal(state?.queue.paused, all.length > 0);
      }
    });

    it('writes the small file when it changed, not for each chunk', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a').prompt('go');
      await history.flush();
      const before = statSync(at.list('a')).ino;
      for (let i = 0; i < 5; i++) {
        session.wire(text('more'));
        await history.flush();
      }
      assert.equal(statSync(at.list('a')).ino, before);
      session.wire({ sessionUpdate: 'session_info_update', title: 'Named' });
      await history.flush();
      assert.equal((await at.history().list())[0]?.title, 'Named');
    });

    it('takes another recorder of the same session after the first one', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a').turn('one');
      const again = new RecordedSession(history, 'a', session.state).turn('two');
      session.turn('ignored');
      await history.flush();
      assert.deepEqual(prompts(await history.load('a')), ['one', 'two']);
      await again.recorder.close();
    });
  });

  describe('after a crash', () => {
    it('has all that was flushed when the process was killed', async function () {
      this.timeout(30_000);
      const script = join(import.meta.dirname, 'recordingChild.ts');
      const child = spawn(process.execPath, ['--import=tsx', script, at.folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const size = statSync(at.log('child')).size;
      while (statSync(at.log('child')).size < size + 1_000_000)
        await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      const state = await at.history().load('child');
      assert.deepEqual(prompts(state), ['first', 'later']);
      assert.deepEqual(state?.queue.items, []);
      const answer = state.entries.find((entry) => entry.kind === 'agent');
      const words = Array.from({ length: 1_000 }, (_, i) => `${i} `).join('');
      assert.equal(answer?.kind === 'agent' && textOf(answer.blocks), words);
      assert.equal(state.turn.status, 'failed');
      assert.equal((await at.history().list())[0]?.title, 'first');
    });

    it('drops a torn last line, and goes on below it', async () => {
      const first = new RecordedSession(at.history(), 'a').prompt('one').wire(tool('t'));
      await first.recorder.close();
      appendFileSync(at.log('a'), '{"type":"promptSubmitted","blo');
      const history = at.history();
      const loaded = await history.load('a');
      assert.deepEqual(prompts(loaded), ['one']);
      assert.deepEqual(at.logged, []);
      const second = new RecordedSession(history, 'a', loaded);
      second.now = 5_000;
      second.turn('two');
      await history.flush();
      assert.deepEqual(content(await at.history().load('a')), content(second.state));
    });

    it('skips a line in the middle that cannot be read, and logs it', async () => {
      const first = new RecordedSession(at.history(), 'a').turn('one').turn('two');
      await first.recorder.close();
      const lines = readFileSync(at.log('a'), 'utf8').split('\n');
      lines.splice(3, 0, '\u0000\u0000', '{"type":"update","update":null}');
      writeFileSync(at.log('a'), lines.join('\n'));
      assert.deepEqual(content(await at.history().load('a')), content(first.state));
      assert.equal(at.logged.length, 1);
    });

    it('makes a missing or broken small file anew', async () => {
      const session = new RecordedSession(at.history(), 'a').turn('one');
      await session.recorder.close();
      const before = await at.history().list();
      assert.equal(before.length, 1);
      for (const spoil of [() => rmSync(at.list('a')), () => writeFileSync(at.list('a'), '{"key":')]) {
        spoil();
        const [kept] = await at.history().list();
        assert.deepEqual({ ...kept, updatedAt: 0 }, { ...before[0], updatedAt: 0 });
        assert.ok(existsSync(at.list('a')));
      }
    });

    it('never fails on files that are none of ours', async () => {
      mkdirSync(at.folder, { recursive: true });
      mkdirSync(at.log('folder'));
      writeFileSync(at.log('empty'), '');
      writeFileSync(at.log('noise'), 'x\n\u0000\n{}\n[]\n');
      writeFileSync(at.log('bad'), '{"snapshot":{"entries":[null],"agent":{}}}\n');
      writeFileSync(at.list('alone'), '{}');
      writeFileSync(join(at.folder, 'a b.ndjson'), '{}');
      const history = at.history();
      assert.deepEqual(await history.list(), []);
      for (const key of ['folder', 'empty', 'noise', 'bad', 'alone', '../x', 'none'])
        assert.equal(await history.load(key), undefined, key);
      await history.remove('../x');
      assert.throws(() => history.record('../x', () => assert.fail()), /session key/);
    });

    it('sweeps what was left half written, but not what may be in work', async () => {
      mkdirSync(at.folder, { recursive: true });
      const [old, young] = [join(at.folder, 'a.json.1.tmp'), join(at.folder, 'b.json.2.tmp')];
      for (const file of [old, young]) writeFileSync(file, '');
      utimesSync(old, 1, 1);
      await at.history().list();
      assert.deepEqual([existsSync(old), existsSync(young)], [false, true]);
    });
  });
});
