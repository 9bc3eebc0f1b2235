import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEY, ReviewHarness } from './reviewHarness';

const lines = (changes: Record<number, string> = {}): string =>
  Array.from({ length: 9 }, (_, at) => `${changes[at + 1] ?? `line ${at + 1}`}\n`).join('');

describe("a person's text under review", () => {
  let it_: ReviewHarness;
  beforeEach(async () => {
    it_ = await ReviewHarness.create();
    await it_.write({ 'a.txt': lines(), 'b.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }) });
  });
  afterEach(() => it_.remove());

  it('stays where they type on while their document is about to be changed', async () => {
    const document = await it_.edit('a.txt');
    document.type(lines({ 2: 'agent', 7: 'mine' }));
    const decode = document.decode.bind(document);
    document.decode = async (bytes) => {
      const text = await decode(bytes);
      // Only the wanted bytes have no change of the agent.
      if (!text.includes('agent')) document.type(lines({ 2: 'agent', 7: 'mine', 9: 'later' }));
      return text;
    };
    await it_.review.revert(KEY, 'session');
    assert.equal(document.text, lines({ 2: 'agent', 7: 'mine', 9: 'later' }));
    assert.deepEqual(it_.screen.problems, [{ path: 'a.txt', reason: 'changed' }]);
  });

  it('stays where they type on while a save fails', async () => {
    const document = await it_.edit('a.txt');
    document.save = () => {
      document.type(`${document.text}later\n`);
      return Promise.resolve(false);
    };
    await it_.review.revert(KEY, 'session');
    assert.equal(document.text, `${lines()}later\n`);
    assert.deepEqual(it_.screen.problems, [{ path: 'a.txt', reason: { refused: 'save' } }]);
  });

  it('is left alone where it has unsaved characters that its encoding has not', async () => {
    const document = await it_.edit('a.txt', 'latin1');
    document.type(lines({ 2: 'agent', 7: '漢字' }));
    await it_.review.revert(KEY, 'session');
    assert.equal(document.text, lines({ 2: 'agent', 7: '漢字' }));
    assert.deepEqual(it_.screen.problems, [{ path: 'a.txt', reason: 'unreadable' }]);
  });

  it('added after a last line whose end the agent added is not joined to it', async () => {
    await it_.write({ 'b.txt': 'a\nb' });
    await it_.turn({ 'b.txt': 'a\nb\n' });
    await it_.write({ 'b.txt': 'a\nb\nmine\n' });
    it_.screen.choice = undefined;
    await it_.review.undoTurn(KEY);
    assert.deepEqual(it_.screen.resolved, ['b.txt']);
    assert.equal(await it_.text('b.txt'), 'a\nb\nmine\n');
  });

  it('outside the folders is not changed by a record whose path climbs out through a link', async () => {
    const { root, outside } = it_.folders;
    await mkdir(join(outside, 'deep'));
    await writeFile(join(outside, 'a.txt'), lines({ 2: 'agent' }));
    await symlink(join(outside, 'deep'), join(root, 'link'));
    const path = `${root}/link/../a.txt`;
    await it_.write({ 'a.txt': 'mine\n' });
    await it_.records.update(KEY, (turns) =>
      turns.map((turn) => ({ ...turn, files: turn.files.map((file) => ({ ...file, path })) })),
    );
    it_.screen.choice = undefined;
    await it_.review.revert(KEY, 'session');
    assert.equal(await readFile(join(outside, 'a.txt'), 'utf8'), lines({ 2: 'agent' }));
    assert.equal(await it_.text('a.txt'), 'mine\n');
  });

  it('is not changed where a link to it is in the place of the file', async () => {
    await it_.write({ 'a.txt': null, 'b.txt': lines({ 2: 'agent' }) });
    await symlink(it_.path('b.txt'), it_.path('a.txt'));
    await it_.review.revert(KEY, 'session');
    assert.equal(await it_.text('b.txt'), lines({ 2: 'agent' }));
    assert.deepEqual(it_.screen.problems, [{ path: 'a.txt', reason: 'unreadable' }]);
  });

  it('is not waited for where a pipe is in the place of the file', async function () {
    if (process.platform === 'win32') return this.skip();
    await it_.write({ 'a.txt': null });
    execFileSync('mkfifo', [it_.path('a.txt')]);
    await it_.review.revert(KEY, 'session');
    assert.deepEqual(it_.screen.problems, [{ path: 'a.txt', reason: 'unreadable' }]);
    return undefined;
  });
});

describe('an undo that does not come to its end', () => {
  let it_: ReviewHarness;
  beforeEach(async () => {
    it_ = await ReviewHarness.create();
    await it_.write({ 'a.txt': lines(), 'b.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }), 'b.txt': lines({ 2: 'agent' }) });
  });
  afterEach(() => it_.remove());

  it('can be taken back with the lines of the person that it replaced', async () => {
    await it_.write({ 'a.txt': lines({ 2: 'mine' }) });
    const document = await it_.edit('b.txt');
    // As when the window is closed at this point: what comes later never happens.
    const closed = new Promise<boolean>(() => undefined);
    const reached = new Promise<void>((resolve) => {
      document.save = () => {
        resolve();
        return closed;
      };
    });
    void it_.review.undoTurn(KEY);
    await reached;
    assert.equal(await it_.text('a.txt'), lines());
    it_.documents.clear();
    const again = it_.reviewAnew();
    await again.redoTurn(KEY);
    assert.equal(await it_.text('a.txt'), lines({ 2: 'mine' }));
    assert.equal(await it_.text('b.txt'), lines({ 2: 'agent' }));
    assert.deepEqual(await it_.waiting(), ['a.txt', 'b.txt']);
  });

  it('leaves a turn of which no file could be changed as one that can be undone', async () => {
    for (const name of ['a.txt', 'b.txt']) (await it_.edit(name)).refusesToSave = true;
    await it_.review.undoTurn(KEY);
    assert.equal(it_.screen.problems.length, 2);
    assert.deepEqual(await it_.waiting(), ['a.txt', 'b.txt']);
    it_.documents.clear();
    await it_.review.undoTurn(KEY);
    assert.deepEqual([await it_.text('a.txt'), await it_.text('b.txt')], [lines(), lines()]);
  });

  it('goes on with the files that could not be changed, or for which nobody chose', async () => {
    await it_.turn({ 'c.txt': 'new\n', 'd.txt': 'new\n', 'e.txt': 'new\n' });
    await it_.turn({ 'c.txt': 'newer\n', 'd.txt': 'newer\n', 'e.txt': 'newer\n' });
    await it_.write({ 'd.txt': 'mine\n' });
    (await it_.edit('c.txt')).refusesToSave = true;
    it_.screen.choice = undefined;
    await it_.review.undoTurn(KEY);
    assert.equal(await it_.text('e.txt'), 'new\n');
    assert.equal((await it_.turns()).length, 4);
    it_.documents.clear();
    it_.screen.choice = 'earlier';
    await it_.review.undoTurn(KEY);
    assert.deepEqual([await it_.text('c.txt'), await it_.text('d.txt')], ['new\n', 'new\n']);
    await it_.review.redoTurn(KEY);
    assert.deepEqual([await it_.text('c.txt'), await it_.text('d.txt')], ['newer\n', 'mine\n']);
    assert.equal(await it_.text('e.txt'), 'new\n');
    await it_.review.redoTurn(KEY);
    assert.equal(await it_.text('e.txt'), 'newer\n');
    await it_.review.redoTurn(KEY);
    assert.deepEqual(it_.screen.remarks, ['nothingToRedo']);
  });

  it('is no undo of an earlier turn that has the same number, such as of files that were left alone', async () => {
    await it_.write({ 'c.txt': 'old\n' });
    await it_.turn({ 'c.txt': 'new\n' });
    await it_.records.update(KEY, (turns) => turns.map((turn) => ({ ...turn, number: 1 })));
    await it_.review.undoTurn(KEY);
    assert.deepEqual(await it_.waiting(), ['a.txt', 'b.txt']);
    await it_.review.undoTurn(KEY);
    assert.equal(await it_.text('a.txt'), lines());
    await it_.review.redoTurn(KEY);
    await it_.review.redoTurn(KEY);
    assert.deepEqual(await it_.waiting(), ['a.txt', 'b.txt', 'c.txt']);
  });

  it('is taken back in the end also where a file could not be changed at first', async () => {
    await it_.write({ 'a.txt': lines({ 2: 'mine' }) });
    await it_.review.undoTurn(KEY);
    assert.equal(await it_.text('a.txt'), lines());
    (await it_.edit('a.txt')).refusesToSave = true;
    await it_.review.redoTurn(KEY);
    assert.deepEqual(it_.screen.problems, [{ path: 'a.txt', reason: { refused: 'save' } }]);
    it_.documents.clear();
    await it_.review.redoTurn(KEY);
    assert.equal(await it_.text('a.txt'), lines({ 2: 'mine' }));
    assert.equal(await it_.text('b.txt'), lines({ 2: 'agent' }));
    assert.deepEqual(await it_.waiting(), ['a.txt', 'b.txt']);
  });
});
