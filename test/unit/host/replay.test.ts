import assert from 'node:assert/strict';
import { emptySession } from '../../../src/core/session/state';
import { Replay } from '../../../src/host/session/replay';
import { patch, TestSession, text, tool } from '../../support/session';

describe('the replay of a loaded session', () => {
  it('TC-3 leaves no call running that the agent left open, and takes a late result', () => {
    const wire = new TestSession();
    const replay = new Replay(emptySession('Agent'));
    for (const update of [text('run it', 'user_message'), tool('done'), tool('left', { kind: 'execute' })])
      replay.store.dispatch(wire.action(update));
    replay.store.dispatch(wire.action(patch('done', { status: 'completed' })));
    const session = new TestSession();
    Object.assign(session.state, replay.result(session.state));
    const statuses = () => session.tools().map(({ status }) => status);
    assert.deepEqual(statuses(), ['completed', 'interrupted']);
    session.wire(patch('left', { status: 'completed' }));
    assert.deepEqual(statuses(), ['completed', 'completed']);
  });
});
