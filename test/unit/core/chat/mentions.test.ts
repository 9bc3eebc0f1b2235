import assert from 'node:assert/strict';
import {
  expandBraces,
  MAX_MENTIONS,
  mentionAt,
  rankMentions,
  withoutMention,
  workspaceItems,
  type MentionItem,
} from '../../../../src/core/chat/mentions';
import { changesText, MAX_CONTEXT, problemsText, type Problem } from '../../../../src/core/chat/mentionsText';

const files = (...paths: string[]): MentionItem[] =>
  workspaceItems(paths.map((path) => ({ folder: '/proj', label: '', path })));
const shown = (items: readonly MentionItem[]): string[] =>
  items.map(({ kind, name, place }) => `${kind} ${place === '' ? name : `${place}/${name}`}`);
const found = (query: string, ...paths: string[]): string[] =>
  shown(rankMentions(query, files(...paths)).filter(({ kind }) => kind === 'file')).map((line) =>
    line.slice(5),
  );

describe('a mention in a text', () => {
  it('begins at an @ that is not inside a word, also after CJK text', () => {
    assert.deepEqual(mentionAt('see @da', 7), { from: 4, to: 7, query: 'da' });
    assert.deepEqual(mentionAt('@', 1), { from: 0, to: 1, query: '' });
    assert.deepEqual(mentionAt('看看@src/a', 8), { from: 2, to: 8, query: 'src/a' });
    assert.deepEqual(mentionAt('(@a) b', 3), { from: 1, to: 3, query: 'a' });
    for (const text of ['ada@example', 'a.@b', 'x_@b', '@a b', '@a@b', 'no'])
      assert.equal(mentionAt(text, text.length), undefined, text);
  });

  it('ends at the caret', () => {
    assert.deepEqual(mentionAt('@date', 3), { from: 0, to: 3, query: 'da' });
    assert.equal(mentionAt('@date', 0), undefined);
  });

  it('is taken out with one of two spaces', () => {
    const out = (text: string, caret: number): { text: string; caret: number } => {
      const typed = mentionAt(text, caret);
      assert.ok(typed);
      return withoutMention(text, typed);
    };
    assert.deepEqual(out('see @da now', 7), { text: 'see now', caret: 4 });
    assert.deepEqual(out('@da now', 3), { text: 'now', caret: 0 });
    assert.deepEqual(out('see\n@da', 7), { text: 'see\n', caret: 4 });
    assert.deepEqual(out('看@da看', 4), { text: '看看', caret: 1 });
  });
});

describe('what can be mentioned', () => {
  it('is every file with all folders above it, the nearest first', () => {
    assert.deepEqual(shown(files('src/a/b.ts', 'src/a/a.ts', 'z.md')), [
      'folder src',
      'file z.md',
      'folder src/a',
      'file src/a/a.ts',
      'file src/a/b.ts',
    ]);
  });

  it('has absolute paths of its platform, and the name of the folder where there are several', () => {
    const items = workspaceItems([{ folder: 'C:\\proj', label: 'proj', path: 'src/a.ts' }]);
    assert.deepEqual(items, [
      { kind: 'folder', name: 'src', place: 'proj', path: 'C:\\proj\\src' },
      { kind: 'file', name: 'a.ts', place: 'proj/src', path: 'C:\\proj\\src\\a.ts' },
    ]);
  });

  it('is ranked: the name itself, its beginning, a word in it, inside it, the path, then letters in order', () => {
    const paths = ['days/x.ts', 'day', 'daybook.ts', 'birthday.ts', 'to-day.ts', 'dirty_array.ts', 'yad'];
    assert.deepEqual(found('day', ...paths), [
      'day',
      'daybook.ts',
      'to-day.ts',
      'birthday.ts',
      'days/x.ts',
      'dirty_array.ts',
    ]);
    assert.deepEqual(found('pms', 'src/PaymentMethodSelector.tsx', 'src/pumps.ts'), [
      'src/PaymentMethodSelector.tsx',
      'src/pumps.ts',
    ]);
    assert.deepEqual(found('src/da', 'src/date.ts', 'lib/date.ts'), ['src/date.ts']);
    assert.deepEqual(found('sdt', 'src/date.ts', 'readme'), ['src/date.ts']);
    assert.deepEqual(found('说明', 'docs/日期说明.md', 'a'), ['docs/日期说明.md']);
    assert.deepEqual(found('xyz', 'src/date.ts'), []);
  });

  it('puts a file that is open before one that fits a little better', () => {
    const open: MentionItem = {
      kind: 'file',
      name: 'update.ts',
      place: '',
      path: '/p/update.ts',
      open: true,
    };
    const [first, second] = rankMentions('date', [...files('src/mydate.ts'), open]);
    assert.deepEqual([first?.name, second?.name], ['update.ts', 'mydate.ts']);
  });

  it('finds what is no file by its name and by its English name', () => {
    const items: MentionItem[] = [{ kind: 'problems', name: '问题', place: '3' }];
    assert.equal(rankMentions('prob', items).length, 1);
    assert.equal(rankMentions('问', items).length, 1);
    assert.equal(rankMentions('git', items).length, 0);
  });

  it('is the same whether it is ranked at once or in parts, and never more than fits', () => {
    const items = files(...Array.from({ length: 300 }, (_, i) => `src/${i % 7}/item${i}.ts`));
    for (const query of ['', 'item1', 'it1']) {
      const whole = rankMentions(query, items);
      let best: MentionItem[] = [];
      for (let from = 0; from < items.length; from += 40)
        best = rankMentions(query, items.slice(from, from + 40), best);
      assert.deepEqual(best, whole);
      assert.equal(whole.length, MAX_MENTIONS);
    }
  });

  it('expands the braces of a pattern', () => {
    assert.deepEqual(expandBraces('**/x'), ['**/x']);
    assert.deepEqual(expandBraces('{a,b/{c,d}}/*'), ['a/*', 'b/c/*', 'b/d/*']);
  });
});

describe('the text of problems', () => {
  const problem = (patch: Partial<Problem>): Problem => ({
    path: 'a.ts',
    line: 1,
    column: 2,
    severity: 'error',
    message: 'wrong',
    ...patch,
  });

  it('has a line each, errors first, by file and line', () => {
    const text = problemsText([
      problem({ severity: 'warning', message: 'two\n  lines', source: 'eslint' }),
      problem({ path: 'b.ts' }),
      problem({ line: 9 }),
    ]);
    assert.equal(
      text,
      'a.ts:9:2: error: wrong\nb.ts:1:2: error: wrong\na.ts:1:2: warning: two lines [eslint]',
    );
  });

  it('says how many were left out', () => {
    const text = problemsText(Array.from({ length: 205 }, (_, i) => problem({ line: i + 1 })));
    assert.match(text, /a\.ts:200:2: error: wrong\n\(5 more problems\)$/);
  });
});

describe('the text of git changes', () => {
  it('has what is staged, what is not, and new files, by repository', () => {
    const none = { staged: '', unstaged: '', untracked: [] };
    assert.equal(changesText([{ root: '/p', ...none }]), '');
    assert.equal(
      changesText([
        { root: '/p', staged: 'diff 1\n', unstaged: 'diff 2\n', untracked: ['new.ts'] },
        { root: '/q', ...none },
      ]),
      'Repository /p\n\nStaged changes:\ndiff 1\n\nChanges that are not staged:\ndiff 2\n\nNew files:\nnew.ts',
    );
  });

  it('is cut at the end of a line, and says so', () => {
    const unstaged = 'a line of some length\n'.repeat(10_000);
    const text = changesText([{ root: '/p', staged: '', unstaged, untracked: [] }]);
    assert.ok(text.length < MAX_CONTEXT + 100);
    assert.match(text, /\na line of some length\n\(cut here: \d+ more characters\)$/);
  });
});
