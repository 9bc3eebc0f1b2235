import assert from 'node:assert/strict';
import { readBlock } from '../../../src/core/session/blocks';
import { append } from '../../../src/core/session/messages';
import type { BlockView } from '../../../src/core/session/state';

describe('content blocks', () => {
  const read = (annotations: unknown): BlockView => readBlock({ type: 'text', text: 'x', annotations }, true);

  it('CO-6 are hidden where they are for the model alone', () => {
    assert.deepEqual(read({ audience: ['assistant'] }), { type: 'text', text: 'x', hidden: true });
  });

  it('CO-6 are shown where they are for the person too, or nobody is named', () => {
    for (const annotations of [
      undefined,
      null,
      {},
      { audience: [] },
      { audience: null },
      { audience: 'assistant' },
      { audience: ['assistant', 'user'] },
      { audience: ['assistant', 'auditor'] },
    ])
      assert.deepEqual(read(annotations), { type: 'text', text: 'x' });
  });

  it('CO-6 keep text for the model apart from text for the person', () => {
    const blocks: BlockView[] = [];
    append(blocks, { type: 'text', text: 'a' });
    append(blocks, { type: 'text', text: 'b', hidden: true });
    append(blocks, { type: 'text', text: 'c', hidden: true });
    append(blocks, { type: 'text', text: 'd' });
    assert.deepEqual(blocks, [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'bc', hidden: true },
      { type: 'text', text: 'd' },
    ]);
  });
});
