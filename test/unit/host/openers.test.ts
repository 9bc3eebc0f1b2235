import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Openers as OpenersClass } from '../../../src/host/chat/openers';
import { DiffStore } from '../../../src/host/session/diffTexts';
import { withEditor } from '../../support/withEditor';

class Range {
  constructor(readonly line: number) {}
}

/** The part of the editor that shows files; only `/proj/a.ts` is there. */
const editor = {
  shown: [] as [string, number][],
  ran: [] as [string, string][],
  texts: [] as object[],
  Uri: { file: (fsPath: string) => ({ fsPath }) },
  Range,
  window: {
    showTextDocument: (
      { fsPath, content }: { fsPath: string; content?: object },
      { selection }: { selection: Range },
    ) => {
      if (content) return Promise.resolve(editor.texts.push(content));
      if (fsPath !== '/proj/a.ts') return Promise.reject(new Error('no such file'));
      editor.shown.push([fsPath, selection.line]);
      return Promise.resolve();
    },
  },
  workspace: { openTextDocument: (content: object) => Promise.resolve({ content }) },
  commands: {
    executeCommand: (name: string, { fsPath }: { fsPath: string }) =>
      Promise.resolve(editor.ran.push([name, fsPath])),
  },
  l10n: { t: (text: string, ...parts: string[]) => text.replace('{0}', parts[0] ?? '') },
};
const { Openers } = withEditor(
  editor,
  () => createRequire(__filename)('../../../src/host/chat/openers') as { Openers: typeof OpenersClass },
);

describe('a place in a file', () => {
  const openers = new Openers(new DiffStore(), () => '/proj');
  beforeEach(() => (editor.shown = []));

  it('TC-8 RP-6 opens at its line, which counts from 1; without one at the top', async () => {
    for (const line of [1, 12, undefined, 0]) await openers.openFile('/proj/a.ts', line);
    assert.deepEqual(
      editor.shown.map(([, line]) => line),
      [0, 11, 0, 0],
    );
  });

  it('is looked for in the folder of the session where its path is not absolute', async () => {
    await openers.openFile('a.ts', 1);
    assert.deepEqual(editor.shown, [['/proj/a.ts', 0]]);
  });

  it('is shown in the explorer where it is a folder', async () => {
    await openers.openFile(__dirname, undefined);
    assert.deepEqual(editor.ran, [['revealInExplorer', __dirname]]);
  });

  it('is none for a text that stands in no file', async () => {
    await openers.openText('a: 1', undefined);
    await openers.openText('-a', 'diff');
    assert.deepEqual(editor.texts, [
      { content: 'a: 1', language: 'plaintext' },
      { content: '-a', language: 'diff' },
    ]);
  });

  it('TC-8 says so where there is no such file', async () => {
    await assert.rejects(
      openers.openFile('/proj/none.ts', 1),
      /no file \/proj\/none\.ts\. It may have been moved/,
    );
    await assert.rejects(openers.openFile(__filename, 1), /openers\.test\.ts can't be opened/);
    assert.deepEqual(editor.shown, []);
  });
});
