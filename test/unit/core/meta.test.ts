import assert from 'node:assert/strict';
import { LOOP_META } from '../../../src/core/acp';
import { readIntroduction } from '../../../src/core/agents/introduction';
import { readPermissionOptions, readUpdate } from '../../../src/core/session/intake';
import { readTurnAnswer } from '../../../src/host/session/turnAnswer';
import { keepDiff, text, tool } from '../../support/session';

/** Values that somebody else may have put there, under our own key too. */
const ODD: unknown[] = [
  null,
  7,
  'x',
  [],
  { 'other.vendor': { deep: [1] } },
  ...[null, 'x', 7, [], {}, { modelCalls: 'many', taskComplete: null }].map((value) => ({
    [LOOP_META]: value,
  })),
];

describe('_meta', () => {
  it('EX-1 changes nothing in the answer to a prompt, whatever it holds', () => {
    for (const _meta of ODD)
      for (const stopReason of ['end_turn', 'max_tokens'])
        assert.deepEqual(readTurnAnswer({ stopReason, _meta }), { stopReason });
  });

  it('EX-1 changes nothing in an update, an introduction and an option, whatever it holds', () => {
    const updates = [
      text('hi'),
      tool('t', { content: [{ type: 'text', text: 'x' }] }),
      { sessionUpdate: 'plan', entries: [{ content: 'a' }] },
    ];
    const option = { optionId: 'o', name: 'O', kind: 'allow_once' };
    for (const _meta of ODD) {
      for (const update of updates) {
        const { meta: _kept, ...read } = readUpdate({ ...update, _meta }, keepDiff) as { meta?: unknown };
        assert.deepEqual(read, readUpdate(update, keepDiff));
      }
      const answer = { protocolVersion: 1, agentCapabilities: { _meta } };
      assert.deepEqual(readIntroduction({ ...answer, _meta }, 1), readIntroduction(answer, 1));
      assert.deepEqual(readPermissionOptions([{ ...option, _meta }]), readPermissionOptions([option]));
    }
  });
});
