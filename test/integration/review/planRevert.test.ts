import assert from 'node:assert/strict';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { KEY, ReviewHarness } from './reviewHarness';

const lines = (changes: Record<number, string> = {}): string =>
  Array.from({ length: 9 }, (_, at) => `${changes[at + 1] ?? `line ${at + 1}`}\n`).join('');

describe('a review', () => {
  let it_: ReviewHarness;
  beforeEach(async () => {
    it_ = await ReviewHarness.create();
  });
  afterEach(() => it_.remove());

  it('restores files byte by byte after a yes, and takes them from the list', async () => {
    await it_.write({ 'a.txt': '\xe9old\r\nmixed\n', 'gone.txt': 'was here\n' });
    await it_.turn({ 'a.txt': 'new\n', 'gone.txt': null, 'sub/made.txt': 'made\n' });
    assert.deepEqual(await it_.waiting(), ['a.txt', 'gone.txt', 'sub/made.txt']);
    await it_.review.revert(KEY, 'session');
    const plans = { 'a.txt': 'replace', 'gone.txt': 'create', 'sub/made.txt': 'delete' };
    assert.deepEqual(it_.screen.confirmed, [{ purpose: 'revert', plans }]);
    assert.equal(await it_.text('a.txt'), Buffer.from('\xe9old\r\nmixed\n', 'utf8').toString('latin1'));
    assert.equal(await it_.text('gone.txt'), 'was here\n');
    assert.equal(await it_.text('sub/made.txt'), undefined);
    assert.deepEqual(await it_.waiting(), []);
    assert.deepEqual(it_.written, ['a.txt', 'gone.txt', 'sub/made.txt'], 'no work of a turn that runs');
  });

  it('changes nothing without a yes', async () => {
    await it_.write({ 'a.txt': 'old\n' });
    await it_.turn({ 'a.txt': 'new\n' });
    it_.screen.answer = false;
    await it_.review.revert(KEY, 'session');
    await it_.review.undoTurn(KEY);
    assert.equal(await it_.text('a.txt'), 'new\n');
    assert.deepEqual(await it_.waiting(), ['a.txt']);
    assert.equal((await it_.turns())[0]?.undo, undefined);
  });

  it('keeps what the person changed since, saved or not', async () => {
    await it_.write({ 'a.txt': lines(), 'b.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }), 'b.txt': lines({ 2: 'agent' }) });
    await it_.write({ 'a.txt': lines({ 2: 'agent', 8: 'mine' }) });
    const document = await it_.edit('b.txt');
    document.type(lines({ 2: 'agent', 8: 'not saved' }));
    await it_.review.revert(KEY, 'session');
    assert.equal(await it_.text('a.txt'), lines({ 8: 'mine' }));
    assert.equal(document.text, lines({ 8: 'not saved' }));
    assert.equal(document.isDirty, true, 'what was not saved is not saved now');
    assert.equal(await it_.text('b.txt'), lines({ 2: 'agent' }));
  });

  it('asks for each file that was changed at the same places, and leaves it alone without an answer', async () => {
    await it_.write({ 'a.txt': lines(), 'b.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }), 'b.txt': lines({ 2: 'agent' }) });
    await it_.write({ 'a.txt': lines({ 2: 'mine', 9: 'mine' }) });
    it_.screen.choice = undefined;
    await it_.review.revert(KEY, 'session', it_.path('a.txt'));
    assert.deepEqual(it_.screen.confirmed, [], 'the one question is that of the conflict');
    await it_.review.revert(KEY, 'session');
    assert.deepEqual(it_.screen.resolved, ['a.txt', 'a.txt']);
    assert.equal(await it_.text('a.txt'), lines({ 2: 'mine', 9: 'mine' }));
    assert.deepEqual(await it_.waiting(), ['a.txt']);
    it_.screen.choice = 'earlier';
    await it_.review.revert(KEY, 'session');
    assert.equal(await it_.text('a.txt'), lines({ 9: 'mine' }), 'the later line elsewhere stays');
  });

  it('plans and shows anew what changed while it was shown', async () => {
    await it_.write({ 'a.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }) });
    let asked = 0;
    it_.screen.answer = async () => {
      if (++asked === 1) await it_.write({ 'a.txt': lines({ 2: 'agent', 9: 'mine' }) });
      return true;
    };
    await it_.review.revert(KEY, 'session');
    assert.deepEqual(
      it_.screen.confirmed.map(({ plans }) => plans['a.txt']),
      ['replace', 'merged'],
    );
    assert.deepEqual(it_.screen.remarks, ['changedMeanwhile']);
    assert.equal(await it_.text('a.txt'), lines({ 9: 'mine' }));
  });

  it('takes back the turns of an agent one by one, around what the person did between them', async () => {
    await it_.write({ 'a.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }) });
    await it_.write({ 'a.txt': lines({ 2: 'agent', 5: 'mine' }) });
    await it_.turn({ 'a.txt': lines({ 2: 'agent', 5: 'mine', 8: 'agent too' }) });
    assert.equal(await it_.base('a.txt'), lines({ 5: 'mine' }));
    await it_.review.revert(KEY, 'turn');
    assert.equal(await it_.text('a.txt'), lines({ 2: 'agent', 5: 'mine' }));
    await it_.review.revert(KEY, 'session');
    assert.equal(await it_.text('a.txt'), lines({ 5: 'mine' }));
    assert.deepEqual(await it_.waiting(), []);
  });

  it('asks where the person changed between two turns what the agent had changed', async () => {
    await it_.write({ 'a.txt': lines() });
    await it_.turn({ 'a.txt': lines({ 2: 'agent' }) });
    await it_.write({ 'a.txt': lines({ 2: 'mine' }) });
    await it_.turn({ 'a.txt': lines({ 2: 'mine', 8: 'agent' }) });
    it_.screen.choice = 'keep';
    await it_.review.revert(KEY, 'session');
    assert.deepEqual(it_.screen.resolved, ['a.txt']);
    assert.equal(await it_.text('a.txt'), lines({ 2: 'mine', 8: 'agent' }));
  });

  it('keeps a file: it leaves the list, and its text is the one to compare with', async () => {
    await it_.write({ 'a.txt': 'old\n', 'b.txt': 'old\n' });
    await it_.turn({ 'a.txt': 'new\n', 'b.txt': 'new\n' });
    await it_.review.keep(KEY, 'session', it_.path('a.txt'));
    assert.deepEqual(await it_.waiting(), ['b.txt']);
    await it_.turn({ 'a.txt': 'newer\n' });
    assert.equal(await it_.base('a.txt'), 'new\n');
    await it_.review.keep(KEY, 'session');
    assert.deepEqual(await it_.waiting(), []);
    await it_.review.open(KEY, 'session');
    assert.deepEqual(it_.screen.remarks, ['nothingToReview']);
  });

  it('says which files it could not change, and why', async () => {
    await it_.write({ 'big.bin': '\0a', 'b.txt': 'old\n' });
    await it_.turn({ 'big.bin': '\0b', 'b.txt': 'new\n' });
    await it_.write({ 'big.bin': '\0c' });
    await it_.records.update(KEY, (turns) =>
      turns.map((turn) => ({
        ...turn,
        files: turn.files.map((file) =>
          file.path.endsWith('b.txt') ? { ...file, before: 'unknown', base: 'unknown' } : file,
        ),
      })),
    );
    await it_.review.revert(KEY, 'session');
    assert.deepEqual(it_.screen.problems, [
      { path: 'big.bin', reason: 'binary' },
      { path: 'b.txt', reason: 'unknown' },
    ]);
    assert.equal(await it_.text('big.bin'), '\0c');
    await it_.review.keep(KEY, 'session');
    assert.deepEqual(await it_.waiting(), [], 'but both can be kept');
  });

  it('FS-11 writes nothing outside the folders, wherever a link leads by now', async () => {
    await it_.write({ 'sub/a.txt': 'old\n' });
    await it_.turn({ 'sub/a.txt': null });
    await rename(it_.path('sub'), join(it_.folders.outside, 'sub'));
    await symlink(join(it_.folders.outside, 'sub'), it_.path('sub'));
    await it_.review.revert(KEY, 'session');
    assert.deepEqual(it_.screen.problems, [{ path: 'sub/a.txt', reason: 'outside' }]);
    assert.equal(await it_.text('sub/a.txt'), undefined);
  });

  it('never loses a line of the person that no agent touched', async function () {
    this.timeout(60_000);
    const edit = fc.record({
      at: fc.nat(12),
      drop: fc.nat(2),
      add: fc.array(fc.constantFrom('x\n', 'y\n'), { maxLength: 2 }),
    });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), fc.nat(12), async (edits, where) => {
        const name = `p${number++}.txt`;
        const old = Array.from({ length: 12 }, (_, at) => `line ${at}\n`);
        const left = old.slice();
        for (const { at, drop, add } of edits) left.splice(at, drop, ...add);
        await it_.write({ [name]: old.join('') });
        await it_.turn({ [name]: left.join('') });
        const now = left.toSpliced(where, 0, 'mine\n').join('');
        await it_.write({ [name]: now });
        it_.screen.choice = 'keep';
        const before = it_.screen.resolved.length;
        await it_.review.revert(KEY, 'turn', it_.path(name));
        const result = (await it_.text(name)) ?? '';
        assert.ok(result.includes('mine\n'), result);
        const asked = it_.screen.resolved.length > before;
        if (asked || left.join('') === old.join('')) assert.equal(result, now);
        else assert.equal(result.replace('mine\n', ''), old.join(''));
      }),
      { numRuns: 60 },
    );
  });
});
