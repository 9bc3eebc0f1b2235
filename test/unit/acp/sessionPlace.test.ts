import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Uri, WorkspaceFolder } from 'vscode';
import type { chooseSessionPlace as choose } from '../../../src/host/workspaceFolder';
import { withEditor } from '../../support/withEditor';

interface Source {
  chooseSessionPlace: typeof choose;
}

const folder = (name: string, scheme = 'file'): Pick<WorkspaceFolder, 'name'> & { uri: object } => ({
  name,
  uri: { scheme, fsPath: `/proj/${name}`, path: `/proj/${name}` },
});

/** The part of the editor that is asked for the folders. */
const editor = {
  workspace: {
    workspaceFolders: undefined as unknown[] | undefined,
    getWorkspaceFolder: (uri: unknown): unknown => uri,
  },
  window: {
    activeTextEditor: undefined as object | undefined,
    picks: 0,
    showQuickPick: (items: unknown[]): Promise<unknown> => {
      editor.window.picks++;
      return Promise.resolve(items[1]);
    },
  },
  l10n: { t: (text: string) => text },
};

describe('the folders of a session', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'parley-scratch-'));
  const { chooseSessionPlace } = withEditor(
    editor,
    () => createRequire(__filename)('../../../src/host/workspaceFolder') as Source,
  );
  const place = (known: string | null = null, ask = true) =>
    chooseSessionPlace({ fsPath: join(scratch, 'own') } as unknown as Uri, known, ask);

  beforeEach(() => {
    editor.workspace.workspaceFolders = [folder('a'), folder('b'), folder('web', 'vscode-vfs'), folder('c')];
    editor.window.activeTextEditor = { document: { uri: folder('b') } };
    editor.window.picks = 0;
  });
  after(() => rmSync(scratch, { recursive: true }));

  it('SE-3 SE-22 are absolute paths on this disk', async () => {
    const found = await place();
    assert.ok(found);
    const { cwd, others } = found;
    for (const path of [cwd, ...others]) assert.ok(isAbsolute(path), path);
    assert.deepEqual([cwd, ...others].sort(), ['/proj/a', '/proj/b', '/proj/c']);
  });

  it('SE-25 are those that the person opened, that of the editor first, and each once', async () => {
    assert.deepEqual(await place(), { cwd: '/proj/b', others: ['/proj/a', '/proj/c'] });
    assert.deepEqual(await place('/proj/c'), { cwd: '/proj/c', others: ['/proj/a', '/proj/b'] });
  });

  it('SE-25 are asked for where it is not clear, and only if the person may be asked', async () => {
    editor.window.activeTextEditor = undefined;
    assert.equal(await place(null, false), undefined);
    assert.equal(editor.window.picks, 0);
    assert.equal((await place())?.cwd, '/proj/b');
    assert.equal(editor.window.picks, 1);
  });

  it('SE-3 SE-25 are a folder of the extension where none is open, never the home', async () => {
    editor.workspace.workspaceFolders = undefined;
    editor.window.activeTextEditor = undefined;
    assert.deepEqual(await place(), { cwd: join(scratch, 'own'), others: [] });
    assert.ok(existsSync(join(scratch, 'own')));
  });
});
