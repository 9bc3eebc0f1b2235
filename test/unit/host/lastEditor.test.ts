import assert from 'node:assert/strict';
import { LastEditor } from '../../../src/host/chat/code/lastEditor';

describe('the editor that code goes into', () => {
  const isWritable = (editor: string): boolean => !editor.startsWith('output');
  const choose = (last: LastEditor<string>, active: string | undefined, ...visible: string[]) =>
    last.choose({ active, visible, isWritable });

  it('is the active one', () => {
    const last = new LastEditor<string>();
    last.remember('a', isWritable);
    assert.equal(choose(last, 'b', 'a', 'b'), 'b');
  });

  it('is the one that was active last while none is, or while a text has the focus that nobody can write', () => {
    const last = new LastEditor<string>();
    for (const editor of ['a', 'b', 'output', undefined]) last.remember(editor, isWritable);
    assert.equal(choose(last, undefined, 'a', 'b', 'output'), 'b');
    assert.equal(choose(last, 'output', 'a', 'b', 'output'), 'b');
  });

  it('is the only one that can be written where the last one is gone, and none of several', () => {
    const last = new LastEditor<string>();
    last.remember('gone', isWritable);
    assert.equal(choose(last, undefined, 'output', 'a'), 'a');
    assert.equal(choose(last, undefined, 'a', 'b'), undefined);
    assert.equal(choose(last, undefined), undefined);
    assert.equal(choose(new LastEditor<string>(), 'output', 'output', 'a', 'b'), undefined);
  });
});
