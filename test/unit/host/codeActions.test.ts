import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CodeBlockActions,
  type CodeChange,
  type CodeEditor,
  type CodeTarget,
} from '../../../src/host/chat/code/codeActions';

/** An editor that does what a test says, and notes what it was asked. */
class FakeEditor implements CodeEditor {
  files: Record<string, string> = {};
  active: string | undefined;
  /** Which target is chosen. */
  pick: (targets: readonly CodeTarget[]) => string | undefined = (targets) => targets[0]?.path;
  yes = true;
  insertInstead = false;
  readonly offered: CodeTarget[][] = [];
  readonly asked: CodeChange[] = [];
  readonly written: CodeChange[] = [];
  readonly inserted: string[] = [];
  readonly same: string[] = [];
  readonly unclear: string[] = [];

  activeFile = (): string | undefined => this.active;
  read = (path: string): Promise<string | undefined> => Promise.resolve(this.files[path]);
  tellSame = (path: string): void => void this.same.push(path);

  insert(text: string): Promise<void> {
    this.inserted.push(text);
    return Promise.resolve();
  }

  choose(targets: readonly CodeTarget[]): Promise<string | undefined> {
    this.offered.push([...targets]);
    return Promise.resolve(this.pick(targets));
  }

  confirm(change: CodeChange): Promise<boolean> {
    this.asked.push(change);
    return Promise.resolve(this.yes);
  }

  write(change: CodeChange): Promise<void> {
    this.written.push(change);
    return Promise.resolve();
  }

  offerInsert(path: string): Promise<boolean> {
    this.unclear.push(path);
    return Promise.resolve(this.insertInstead);
  }
}

const FILE = 'one();\ntwo();\nthree();\n';

describe('applying a code block', () => {
  let root: string;
  let editor: FakeEditor;
  let actions: CodeBlockActions;
  let a: string;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-code-')));
    mkdirSync(join(root, 'src'));
    editor = new FakeEditor();
    actions = new CodeBlockActions(editor, () => [root]);
    a = join(root, 'src', 'a.ts');
    editor.files[a] = FILE;
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('offers the file that the fence names before the open one', async () => {
    editor.active = join(root, 'open.ts');
    editor.files[editor.active] = '';
    await actions.apply('one();\nthree();', 'ts src/a.ts');
    assert.deepEqual(editor.offered, [
      [
        { path: a, why: 'named', exists: true, outside: false },
        { path: editor.active, why: 'open', exists: true, outside: false },
      ],
    ]);
  });

  it('SE-24 does not look for a file outside of the folders before it is chosen', async () => {
    const looked: string[] = [];
    editor.read = (path) => {
      looked.push(path);
      return Promise.resolve(undefined);
    };
    editor.pick = () => undefined;
    const outside = join(root, '..', 'parley-elsewhere.ts');
    await actions.apply('x', `ts:${outside}`);
    assert.deepEqual(editor.offered, [[{ path: outside, why: 'named', exists: undefined, outside: true }]]);
    assert.deepEqual(looked, []);
    editor.pick = (targets) => targets[0]?.path;
    await actions.apply('x', `ts:${outside}`);
    assert.deepEqual(looked, [outside]);
    assert.equal(editor.asked[0]?.outside, true);
  });

  it('offers a file once that is both named and open, and one that a comment names', async () => {
    editor.active = a;
    await actions.apply('x', 'ts:src/a.ts');
    await actions.apply('// src/new.ts\nx', 'ts');
    assert.deepEqual(
      editor.offered.map((targets) => targets.map(({ path, why, exists }) => [path, why, exists])),
      [
        [[a, 'named', true]],
        [
          [join(root, 'src', 'new.ts'), 'named', false],
          [a, 'open', true],
        ],
      ],
    );
  });

  it('writes only what was shown and has a yes', async () => {
    editor.yes = false;
    await actions.apply('one();\nthree();', 'ts src/a.ts');
    const change = { path: a, before: FILE, after: 'one();\nthree();\n', outside: false };
    assert.deepEqual(editor.asked, [change]);
    assert.deepEqual(editor.written, []);
    editor.yes = true;
    await actions.apply('one();\nthree();', 'ts src/a.ts');
    assert.deepEqual(editor.written, [change]);
  });

  it('does nothing where no file is chosen', async () => {
    editor.pick = () => undefined;
    await actions.apply('one();', 'ts src/a.ts');
    assert.deepEqual([editor.asked, editor.written, editor.inserted, editor.same], [[], [], [], []]);
  });

  it('makes a new file, without the comment that only names it', async () => {
    await actions.apply('// src/new.ts\nfresh();', 'ts');
    assert.deepEqual(editor.written, [
      { path: join(root, 'src', 'new.ts'), before: undefined, after: 'fresh();\n', outside: false },
    ]);
  });

  it('keeps a first line that names the file where the file has it too', async () => {
    editor.files[a] = '// src/a.ts\none();\n';
    await actions.apply('// src/a.ts\none();', 'ts');
    assert.deepEqual(editor.same, [a]);
  });

  it('says when a file is outside of the session’s folders', async () => {
    await actions.apply('x', 'ts ../elsewhere.ts');
    assert.equal(editor.offered[0]?.[0]?.outside, true);
    assert.equal(editor.asked[0]?.outside, true);
    editor.pick = () => join(tmpdir(), 'chosen.ts');
    await actions.apply('x', 'ts src/a.ts');
    assert.equal(editor.asked[1]?.outside, true, 'another file that was chosen');
  });

  it('offers the cursor instead where it is not clear where the block belongs', async () => {
    await actions.apply('four();', 'ts src/a.ts');
    assert.deepEqual([editor.unclear, editor.inserted], [[a], []]);
    editor.insertInstead = true;
    await actions.apply('four();', 'ts src/a.ts');
    assert.deepEqual(editor.inserted, ['four();']);
    assert.deepEqual([editor.asked, editor.written], [[], []]);
  });

  it('offers no named file without a folder to find it in', async () => {
    actions = new CodeBlockActions(editor, () => []);
    await actions.apply('x', 'ts src/a.ts');
    assert.deepEqual(editor.offered, [[]]);
  });
});
