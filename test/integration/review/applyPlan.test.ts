import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { KEY, ReviewHarness } from './reviewHarness';

const lines = (changes: Record<number, string> = {}): string =>
  Array.from({ length: 9 }, (_, at) => `${changes[at + 1] ?? `line ${at + 1}`}\n`).join('');
const at = (line: number): { from: number; to: number } => ({ from: line - 1, to: line - 1 });

describe('a hunk', () => {
  let it_: ReviewHarness;
  const file = (): string => it_.path('a.txt');
  beforeEach(async () => {
    it_ = await ReviewHarness.create();
    await it_.write({ 'a.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent', 8: 'agent too' }) });
  });
  afterEach(() => it_.remove());

  it('is taken back alone, without a question, and later lines of the person stay', async () => {
    await it_.write({ 'a.txt': `mine\n${lines({ 2: 'agent', 8: 'agent too' })}` });
    await it_.review.revertHunk(KEY, file(), at(3));
    assert.equal(await it_.text('a.txt'), `mine\n${lines({ 8: 'agent too' })}`);
    assert.deepEqual(it_.screen.confirmed, []);
    assert.deepEqual(await it_.waiting(), ['a.txt']);
    await it_.review.revertHunk(KEY, file(), at(9));
    assert.equal(await it_.text('a.txt'), `mine\n${lines()}`);
    assert.deepEqual(await it_.waiting(), []);
  });

  it('is kept alone: only the others are taken back afterwards', async () => {
    await it_.review.keepHunk(KEY, file(), at(2));
    assert.equal(await it_.base('a.txt'), lines({ 2: 'agent' }));
    await it_.review.revert(KEY, 'session');
    assert.equal(await it_.text('a.txt'), lines({ 2: 'agent' }));
    assert.deepEqual(await it_.waiting(), []);
  });

  it('of an earlier turn is kept or taken back in all turns', async () => {
    await it_.turn({ 'a.txt': lines({ 2: 'agent', 5: 'second', 8: 'agent too' }) });
    await it_.review.keepHunk(KEY, file(), at(5));
    await it_.review.revertHunk(KEY, file(), at(2));
    assert.equal(await it_.text('a.txt'), lines({ 5: 'second', 8: 'agent too' }));
    assert.equal(await it_.base('a.txt'), lines({ 5: 'second' }));
    await it_.review.keepHunk(KEY, file(), at(8));
    assert.deepEqual(await it_.waiting(), []);
  });

  it('that was kept is still taken back with its turn', async () => {
    await it_.review.keepHunk(KEY, file(), at(2));
    await it_.review.undoTurn(KEY);
    assert.equal(await it_.text('a.txt'), lines());
  });

  it('is asked for where the person changed the same line', async () => {
    await it_.write({ 'a.txt': lines({ 2: 'agent and me', 8: 'agent too' }) });
    it_.screen.choice = undefined;
    await it_.review.revertHunk(KEY, file(), at(2));
    assert.deepEqual(it_.screen.resolved, ['a.txt']);
    assert.equal(await it_.text('a.txt'), lines({ 2: 'agent and me', 8: 'agent too' }));
  });

  it('is none where no agent changed anything', async () => {
    await it_.review.revertHunk(KEY, file(), at(5));
    await it_.review.keepHunk(KEY, file(), at(5));
    assert.deepEqual(it_.screen.remarks, ['notAChange', 'notAChange']);
  });

  it('of a new file is the file', async () => {
    await it_.turn({ 'new.txt': 'a\nb\n' });
    await it_.review.revertHunk(KEY, it_.path('new.txt'), at(1));
    assert.deepEqual(it_.screen.confirmed.at(-1)?.plans, { 'new.txt': 'delete' });
    assert.equal(await it_.text('new.txt'), undefined);
  });
});

describe('the undo of a turn', () => {
  let it_: ReviewHarness;
  beforeEach(async () => {
    it_ = await ReviewHarness.create();
    await it_.write({ 'a.txt': lines(), 'b.txt': lines() });
  });
  afterEach(() => it_.remove());

  it('takes the newest turn back, then the one before, and keeps what the person did since', async () => {
    await it_.turn({ 'a.txt': lines({ 2: 'first' }) });
    await it_.turn({ 'a.txt': lines({ 2: 'first', 5: 'second' }), 'c.txt': 'new\n' });
    await it_.write({ 'a.txt': lines({ 2: 'first', 5: 'second', 9: 'mine' }) });
    await it_.review.undoTurn(KEY);
    assert.deepEqual(it_.screen.confirmed[0], {
      purpose: 'undo',
      plans: { 'a.txt': 'merged', 'c.txt': 'delete' },
    });
    assert.equal(await it_.text('a.txt'), lines({ 2: 'first', 9: 'mine' }));
    assert.equal(await it_.text('c.txt'), undefined);
    assert.deepEqual(await it_.waiting(), ['a.txt']);
    await it_.review.undoTurn(KEY);
    assert.equal(await it_.text('a.txt'), lines({ 9: 'mine' }));
    await it_.review.undoTurn(KEY);
    assert.deepEqual(it_.screen.remarks, ['nothingToUndo']);
  });

  it('can be taken back, the last one first, around what the person did since', async () => {
    await it_.turn({ 'a.txt': lines({ 2: 'first' }) });
    await it_.turn({ 'a.txt': lines({ 2: 'first', 5: 'second' }), 'c.txt': 'new\n' });
    await it_.review.undoTurn(KEY);
    await it_.review.undoTurn(KEY);
    assert.equal(await it_.text('a.txt'), lines());
    await it_.write({ 'a.txt': lines({ 9: 'mine' }) });
    await it_.review.redoTurn(KEY);
    assert.equal(await it_.text('a.txt'), lines({ 2: 'first', 9: 'mine' }));
    await it_.screen.redo?.();
    assert.equal(await it_.text('a.txt'), lines({ 2: 'first', 5: 'second', 9: 'mine' }));
    assert.equal(await it_.text('c.txt'), 'new\n');
    assert.deepEqual(await it_.waiting(), ['a.txt', 'c.txt']);
    await it_.review.redoTurn(KEY);
    assert.deepEqual(it_.screen.remarks, ['nothingToRedo']);
  });

  it('is taken back in the order of the undos, also where a turn ran between them', async () => {
    await it_.turn({ 'a.txt': lines({ 2: 'first' }) });
    await it_.review.undoTurn(KEY);
    await it_.turn({ 'b.txt': lines({ 2: 'second' }) });
    await it_.review.undoTurn(KEY);
    await it_.review.redoTurn(KEY);
    assert.deepEqual([await it_.text('a.txt'), await it_.text('b.txt')], [lines(), lines({ 2: 'second' })]);
  });

  it('survives a restart', async () => {
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }) });
    await it_.review.undoTurn(KEY);
    await it_.records.flush();
    const again = await ReviewHarness.create();
    const [turn] = await it_.turns();
    assert.ok(turn?.undo);
    const kept = await Promise.all(
      turn.undo.map(async ({ from }) => (typeof from === 'object' ? it_.contents.get(from) : undefined)),
    );
    assert.equal(Buffer.from(kept[0] ?? []).toString(), lines({ 2: 'agent' }));
    await again.remove();
  });

  it('merges around a later turn of another session, and asks where they meet', async () => {
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }), 'b.txt': lines({ 2: 'agent' }) });
    await it_.write({ 'a.txt': lines({ 2: 'agent', 6: 'other' }), 'b.txt': lines({ 2: 'other' }) });
    it_.screen.choice = 'keep';
    await it_.review.undoTurn(KEY);
    assert.equal(await it_.text('a.txt'), lines({ 6: 'other' }));
    assert.equal(await it_.text('b.txt'), lines({ 2: 'other' }));
  });

  it('waits for the end of a turn that runs', async () => {
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }) });
    it_.busy = true;
    await it_.review.undoTurn(KEY);
    await it_.review.redoTurn(KEY);
    assert.deepEqual(it_.screen.remarks, ['turnRuns', 'turnRuns']);
    assert.equal(await it_.text('a.txt'), lines({ 2: 'agent' }));
  });
});

describe('a file under review', () => {
  let it_: ReviewHarness;
  beforeEach(async () => {
    it_ = await ReviewHarness.create();
  });
  afterEach(() => it_.remove());

  it('that is open is changed by its document, and saved if it was', async () => {
    await it_.write({ 'a.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }) });
    const document = await it_.edit('a.txt');
    await it_.review.revert(KEY, 'session');
    assert.equal(document.saved, 1);
    assert.equal(await it_.text('a.txt'), lines());
  });

  it('is changed on disk where its document would save other bytes', async () => {
    const old = Buffer.from('\xff\xfe bad\r\nmixed\n', 'latin1');
    await it_.write({ 'a.txt': old });
    await it_.turn({ 'a.txt': 'new\n' });
    const document = await it_.edit('a.txt');
    await it_.review.revert(KEY, 'session');
    assert.equal(document.saved, 0);
    assert.equal(await it_.text('a.txt'), old.toString('latin1'));
  });

  it('is left alone where it has unsaved text and its bytes are no text of its encoding', async () => {
    await it_.write({ 'a.txt': Buffer.from('caf\xe9\nold\n', 'latin1') });
    await it_.turn({ 'a.txt': Buffer.from('caf\xe9\nnew\n', 'latin1') });
    const document = await it_.edit('a.txt');
    document.type(`${document.text}mine\n`);
    await it_.review.revert(KEY, 'session');
    assert.deepEqual(it_.screen.problems, [{ path: 'a.txt', reason: 'unreadable' }]);
    assert.ok(document.text.endsWith('mine\n'));
    assert.equal(await it_.text('a.txt'), 'caf\xe9\nnew\n');
  });

  it('is as before where its document can not be saved', async () => {
    await it_.write({ 'a.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }) });
    const document = await it_.edit('a.txt');
    document.refusesToSave = true;
    await it_.review.revert(KEY, 'session');
    assert.equal(document.text, lines({ 2: 'agent' }));
    assert.deepEqual(it_.screen.problems, [{ path: 'a.txt', reason: { refused: 'save' } }]);
    assert.deepEqual(await it_.waiting(), ['a.txt']);
  });

  it('whose document lags behind the disk is changed on disk', async () => {
    await it_.write({ 'a.txt': lines() });
    const document = await it_.edit('a.txt');
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }) });
    await it_.write({ 'a.txt': lines({ 2: 'agent', 7: 'mine' }) });
    await it_.review.revert(KEY, 'session');
    assert.equal(document.saved, 0);
    assert.equal(await it_.text('a.txt'), lines({ 7: 'mine' }));
  });

  it('is not changed where it changed between the plan and the write', async () => {
    await it_.write({ 'a.txt': lines(), 'b.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }), 'b.txt': lines({ 2: 'agent' }) });
    await it_.write({ 'b.txt': lines({ 2: 'mine' }) });
    // The question about the other file is answered after its plan was made.
    it_.screen.resolve = async () => {
      await writeFile(it_.path('a.txt'), 'just now\n');
      return 'keep';
    };
    await it_.review.revert(KEY, 'session');
    assert.deepEqual(it_.screen.problems, [{ path: 'a.txt', reason: 'changed' }]);
    assert.equal(await it_.text('a.txt'), 'just now\n');
  });

  it('in whose place there is a folder by now is named, and stays in the list', async () => {
    await it_.write({ 'a.txt': 'old\n' });
    await it_.turn({ 'a.txt': 'new\n' });
    await it_.write({ 'a.txt': null, 'a.txt/b.txt': 'mine\n' });
    await it_.review.revert(KEY, 'session');
    assert.deepEqual(it_.screen.problems, [{ path: 'a.txt', reason: 'unreadable' }]);
    assert.deepEqual(await it_.waiting(), ['a.txt']);
  });

  it('of which a turn was kept is taken back around that turn', async () => {
    await it_.write({ 'a.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'first' }) });
    await it_.turn({ 'a.txt': lines({ 2: 'first', 8: 'second' }) });
    await it_.review.keep(KEY, 'turn');
    assert.deepEqual(await it_.waiting(), ['a.txt']);
    await it_.review.revert(KEY, 'session');
    assert.equal(await it_.text('a.txt'), lines({ 8: 'second' }));
    assert.deepEqual(await it_.waiting(), []);
  });

  it('that was taken back has no turn to undo', async () => {
    await it_.write({ 'a.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'first' }) });
    await it_.review.revert(KEY, 'session');
    await it_.review.undoTurn(KEY);
    assert.deepEqual(it_.screen.remarks, ['nothingToUndo']);
  });
});
