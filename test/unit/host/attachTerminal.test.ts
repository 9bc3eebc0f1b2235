import assert from 'node:assert/strict';
import { TerminalSelections } from '../../../src/host/chat/attach/attachTerminal';

/** A clipboard and a terminal with that selection. */
class FakeClipboard {
  readonly mark = (): string => 'mark';
  constructor(
    public content: string,
    private readonly selection: string,
  ) {}
  readonly read = (): Promise<string> => Promise.resolve(this.content);
  readonly write = (text: string): Promise<void> => {
    this.content = text;
    return Promise.resolve();
  };
  readonly copySelection = (): Promise<void> => {
    if (this.selection !== '') this.content = this.selection;
    return Promise.resolve();
  };
}

describe('the selection of a terminal', () => {
  it('comes by way of the clipboard, which gets its text back', async () => {
    const clipboard = new FakeClipboard('mine', 'npm test');
    assert.deepEqual(await new TerminalSelections(clipboard).take(), { text: 'npm test', lost: false });
    assert.equal(clipboard.content, 'mine');
  });

  it('is told apart from none, also where the clipboard held the same text', async () => {
    const same = new FakeClipboard('npm test', 'npm test');
    assert.equal((await new TerminalSelections(same).take()).text, 'npm test');
    const none = new FakeClipboard('npm test', '');
    assert.equal((await new TerminalSelections(none).take()).text, '');
    assert.deepEqual([same.content, none.content], ['npm test', 'npm test']);
  });

  it('leaves a clipboard without text alone where nothing is selected, else says that it could not be put back', async () => {
    const writes: string[] = [];
    const none = new FakeClipboard('', '');
    const noted = {
      read: none.read,
      copySelection: none.copySelection,
      mark: none.mark,
      write: (text: string) => {
        writes.push(text);
        return none.write(text);
      },
    };
    assert.deepEqual(await new TerminalSelections(noted).take(), { text: '', lost: false });
    assert.deepEqual(writes, []);
    const selected = new FakeClipboard('', 'out');
    assert.deepEqual(await new TerminalSelections(selected).take(), { text: 'out', lost: true });
    assert.equal(selected.content, '');
  });

  it('does not undo what another program copies meanwhile', async () => {
    const clipboard = new FakeClipboard('mine', 'out');
    let reads = 0;
    const racing = {
      mark: clipboard.mark,
      write: clipboard.write,
      copySelection: clipboard.copySelection,
      read: () => {
        // The third look is the one before the text is put back.
        if (++reads === 3) clipboard.content = 'theirs';
        return clipboard.read();
      },
    };
    assert.equal((await new TerminalSelections(racing).take()).text, 'out');
    assert.equal(clipboard.content, 'theirs');
  });

  it('is read once at a time, so that nobody takes the mark of another read for text', async () => {
    const clipboard = new FakeClipboard('mine', 'out');
    const selections = new TerminalSelections(clipboard);
    const taken = await Promise.all([selections.take(), selections.take()]);
    assert.deepEqual(
      taken.map(({ text }) => text),
      ['out', 'out'],
    );
    assert.equal(clipboard.content, 'mine');
  });

  it('gives the clipboard its text back where the copy fails, and goes on after that', async () => {
    const clipboard = new FakeClipboard('mine', 'out');
    let fails = true;
    const failing = {
      mark: clipboard.mark,
      read: clipboard.read,
      write: clipboard.write,
      copySelection: () => {
        if (!fails) return clipboard.copySelection();
        fails = false;
        return Promise.reject(new Error('no terminal'));
      },
    };
    const selections = new TerminalSelections(failing);
    await assert.rejects(selections.take(), /no terminal/);
    assert.equal(clipboard.content, 'mine');
    assert.equal((await selections.take()).text, 'out');
  });
});
