import assert from 'node:assert/strict';
import { mentionedPaths } from '../../../../src/core/review/mentionedPaths';
import type { ToolPatch } from '../../../../src/core/session/actions';

describe('Paths that a tool call names', () => {
  const diff = { added: 0, removed: 0, hunks: [], truncated: false };
  const patch: ToolPatch = {
    toolCallId: 'a',
    locations: [{ path: '/a', line: 3 }],
    content: [
      { type: 'diff', path: '/b', isNew: false, diff, ref: 'r' },
      { type: 'terminal', terminalId: 't' },
    ],
  };

  it('are those of its locations and of its diffs', () => {
    for (const kind of ['toolCall', 'toolCallUpdate'] as const)
      assert.deepEqual(mentionedPaths({ type: 'update', update: { kind, patch }, at: 0 }), ['/a', '/b']);
  });

  it('count when permission is asked, too', () => {
    const asked = { type: 'permissionRequested', requestId: 'r', patch, options: [], at: 0 } as const;
    assert.deepEqual(mentionedPaths({ ...asked, options: [] }), ['/a', '/b']);
  });

  it('are none in anything else', () => {
    assert.deepEqual(mentionedPaths({ type: 'agentLost', at: 0 }), []);
    assert.deepEqual(mentionedPaths({ type: 'update', update: { kind: 'plan', items: [] }, at: 0 }), []);
  });
});
