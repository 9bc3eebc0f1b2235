import assert from 'node:assert/strict';
import { readPageMessage } from '../../../../src/core/chat/pageMessages';
import { MAX_LINES, MAX_TEXT } from '../../../../src/core/highlight/messages';

const ASKED = { type: 'highlight', block: 1, from: 0, grammar: 'typescript', text: 'a\nb' };

describe('a question for the colours of code', () => {
  const read = (change: object) => readPageMessage({ ...ASKED, ...change });

  it('is taken as a page sends it, without what else it holds', () => {
    assert.deepEqual(read({ more: 1 }), ASKED);
    assert.ok(read({ text: Array(MAX_LINES).fill('').join('\n') }));
    assert.ok(read({ text: 'x'.repeat(MAX_TEXT) }));
  });

  it('is refused where it is larger than a page sends', () => {
    assert.equal(
      read({
        text: Array(MAX_LINES + 1)
          .fill('')
          .join('\n'),
      }),
      undefined,
    );
    assert.equal(read({ text: 'x'.repeat(MAX_TEXT + MAX_LINES + 1) }), undefined);
  });

  it('is refused with fields of other kinds', () => {
    for (const change of [
      { block: -1 },
      { block: '1' },
      { from: 0.5 },
      { text: null },
      { grammar: undefined },
    ])
      assert.equal(read(change), undefined, JSON.stringify(change));
  });

  it('names a grammar by nothing that leads to another folder', () => {
    for (const grammar of ['../x', 'a/b', 'A', '', 'a.b', 'a'.repeat(40)])
      assert.equal(read({ grammar }), undefined, grammar);
  });
});
