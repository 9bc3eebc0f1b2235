import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { SessionAction } from '../../../src/core/session/actions';
import { textOf } from '../../../src/core/session/select';
import { patch, text, tool } from '../../support/session';
import { content, HistoryFolder, kinds, prompts, RecordedSession } from './folder';
import { spoilWrites } from './writes';

describe('the history within its limits', () => {
  let at: HistoryFolder;
  beforeEach(() => (at = new HistoryFolder()));
  afterEach(() => at.remove());

  describe('limits', () => {
    it('rewrites a log that grew too large, without its oldest turns', async () => {
      const history = at.history({ maxFileBytes: 20_000 });
      const session = new RecordedSession(history, 'a');
      for (let i = 1; i <= 60; i++) {
        session.turn(`prompt ${i}`, 'x'.repeat(1_000));
        await history.flush();
        assert.ok(statSync(at.log('a')).size <= 22_000);
      }
      const state = await at.history().load('a');
      assert.equal(prompts(state).at(-1), 'prompt 60');
      assert.ok(prompts(state).length >= 5 && prompts(state).length < 20);
      const [top] = state?.entries ?? [];
      assert.equal(top?.kind === 'notice' && top.title, 'earlier messages were not kept');
      assert.equal(kinds(state).filter((kind) => kind === 'notice').length, 1);
      assert.equal((await at.history().list())[0]?.title, 'prompt 1');
      assert.equal(state?.turn.number, 60);
    });

    it('does not rewrite again and again where one message is larger than the limit', async () => {
      const history = at.history({ maxFileBytes: 20_000 });
      const session = new RecordedSession(history, 'a').prompt('go');
      const inodes = new Set<number>();
      for (let i = 0; i < 100; i++) {
        session.wire(text('x'.repeat(2_000)));
        await history.flush();
        inodes.add(statSync(at.log('a')).ino);
      }
      assert.ok(inodes.size <= 6, `${inodes.size} rewrites`);
      const entry = (await at.history().load('a'))?.entries.at(-1);
      assert.equal(entry?.kind === 'agent' && textOf(entry.blocks).length, 200_000);
    });

    it('EX-7 keeps _meta when the log is rewritten', async () => {
      const history = at.history({ maxFileBytes: 20_000 });
      const session = new RecordedSession(history, 'a').prompt('go');
      session.apply({ ...session.action(tool('t')), meta: { 'a.b': 'first' } } as SessionAction);
      for (let i = 0; i < 20; i++) {
        session.turn('more', 'x'.repeat(2_000));
        await history.flush();
      }
      session.apply({ ...session.action(text('y')), meta: { 'a.b': 'last' } } as SessionAction);
      session.recorder.rewrite();
      await history.flush();
      const log = readFileSync(at.log('a'), 'utf8');
      assert.ok(log.includes('"meta":{"a.b":"first"}'));
      assert.ok(log.includes('"meta":{"a.b":"last"}'));
      assert.deepEqual(kinds(await at.history().load('a')).slice(-2), ['end', 'agent']);
      assert.deepEqual(at.logged, []);
    });

    it('NO-1 a rewrite leaves out notices of the agent', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a').prompt('go');
      session.wire({ sessionUpdate: 'notice', title: 'live' }, tool('t')).end();
      session.recorder.rewrite();
      await history.flush();
      session.wire(patch('t', { status: 'completed', title: 'late' }));
      await history.flush();
      const state = await at.history().load('a');
      assert.deepEqual(kinds(state), ['user', 'tool', 'end']);
      assert.equal(state?.entries[1]?.kind === 'tool' && state.entries[1].title, 'late');
    });

    it('keeps a replaced transcript after a rewrite', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a').turn('old');
      const other = new RecordedSession(history, 'other').turn('replayed').turn('again');
      Object.assign(session.state, structuredClone(other.state));
      session.recorder.rewrite();
      session.turn('new');
      await history.flush();
      assert.deepEqual(content(await at.history().load('a')), content(session.state));
      assert.equal((await at.history().list()).find(({ key }) => key === 'a')?.title, 'replayed');
    });

    it('removes the oldest sessions beyond a number', async () => {
      const history = at.history({ maxSessions: 3 });
      for (const key of ['a', 'b', 'c', 'd', 'e']) {
        at.now += 1_000;
        const session = new RecordedSession(history, key).turn(key);
        await session.recorder.close();
      }
      await history.flush();
      assert.deepEqual(
        (await at.history({ maxSessions: 3 }).list()).map(({ key }) => key),
        ['e', 'd', 'c'],
      );
      assert.equal(readdirSync(at.folder).length, 6);
    });

    it('removes the oldest sessions beyond a size, but none that is being recorded', async () => {
      const big = 'x'.repeat(10_000);
      const history = at.history({ maxTotalBytes: 25_000 });
      const open = new RecordedSession(history, 'open').turn('o', big);
      for (const key of ['a', 'b', 'c']) {
        at.now += 1_000;
        await new RecordedSession(history, key).turn(key, big).recorder.close();
      }
      const keys = (await history.list()).map(({ key }) => key);
      assert.deepEqual(keys, ['c', 'b', 'open']);
      await open.recorder.close();
      assert.deepEqual(
        (await history.list()).map(({ key }) => key),
        ['c', 'b'],
      );
    });
  });

  describe('removing and failing', () => {
    it('removes a session while it is recorded', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a').turn('one');
      await history.flush();
      session.turn('two');
      await history.remove('a');
      session.turn('three');
      session.recorder.rewrite();
      await session.recorder.close();
      await history.flush();
      assert.deepEqual(readdirSync(at.folder), []);
      assert.equal(await history.load('a'), undefined);
    });

    it('writes what a full disk did not take as soon as it can, and complains once', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a').turn('one');
      await history.flush();
      const mended = await spoilWrites(3);
      for (const prompt of ['two', 'three', 'four']) {
        session.turn(prompt);
        await history.flush();
      }
      mended();
      assert.equal(at.logged.length, 1, at.logged.join('\n'));
      session.turn('five');
      await history.flush();
      assert.deepEqual(content(await at.history().load('a')), content(session.state));
    });

    it('makes the file anew where the folder went away', async () => {
      const history = at.history();
      const session = new RecordedSession(history, 'a').turn('one');
      await history.flush();
      rmSync(at.folder, { recursive: true });
      session.turn('two');
      await history.flush();
      assert.deepEqual(content(await at.history().load('a')), content(session.state));
    });

    it('goes on where the folder cannot be made, and keeps all once it can', async () => {
      writeFileSync(at.folder, 'a file is in the way');
      const history = at.history();
      const session = new RecordedSession(history, 'a').turn('one').turn('two');
      await history.flush();
      assert.equal(at.logged.length, 1);
      renameSync(at.folder, `${at.folder}-away`);
      session.turn('three');
      await history.flush();
      assert.deepEqual(content(await at.history().load('a')), content(session.state));
    });
  });
});
