import assert from 'node:assert/strict';
import { planFor } from '../../support/fakeAgents';
import { end, expectCall, Replay, update } from '../../support/replayScript';
import { patch, text, tool } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const late = (): SessionHarness => new SessionHarness({ late: [planFor('lateUpdates')] }, 'late');
const turnActions = (harness: SessionHarness): string[] =>
  harness.actions
    .map(({ type }) => type)
    .filter((type) => ['promptSubmitted', 'turnEnded', 'turnFailed'].includes(type));

describe('updates after the end of a turn', () => {
  it('SU-5 SU-7 are shown, in their order, and do not open the turn again', async () => {
    const harness = late();
    const result = await harness.prompt('talk');
    assert.ok(result.text.startsWith('in time,'));
    await harness.until(() => harness.state.usage !== null);
    const said = harness.messages().filter((message) => message.startsWith('agent: '));
    assert.equal(said.join('').replaceAll('agent: ', ''), 'in time, too late and later still');
    assert.deepEqual(harness.state.usage, { used: 20, size: 100 });
    assert.equal(harness.state.turn.status, 'idle');
    assert.deepEqual(turnActions(harness), ['promptSubmitted', 'turnEnded']);
    await harness.end();
  });

  it('SU-5 TC-10 complete a call that the end of the turn had interrupted', async () => {
    const harness = late();
    await harness.prompt('work');
    assert.equal(harness.tool('late').status, 'interrupted');
    await harness.until(() => harness.tool('late').status === 'completed');
    assert.equal(harness.tool('late').title, 'Done late');
    assert.equal(harness.entries('tool').length, 1);
    await harness.end();
  });

  it('SU-5 PE-3 a permission that is asked then can be answered, and the next turn goes on', async () => {
    const harness = late();
    await harness.prompt('ask');
    await harness.until(() => harness.openQuestions.length === 1);
    assert.equal(harness.state.turn.status, 'idle');
    assert.ok(harness.answerFirst('yes'));
    assert.equal((await harness.prompt('talk')).stopReason, 'end_turn');
    assert.deepEqual(turnActions(harness), ['promptSubmitted', 'turnEnded', 'promptSubmitted', 'turnEnded']);
    await harness.end();
  });
});

describe('updates after a cancel', () => {
  it('CA-4 CA-5 CA-2 are applied until the answer; what the agent says of a call counts', async () => {
    const harness = new SessionHarness({ slow: [planFor('slowStop', '--late', '50')] }, 'slow');
    const turn = harness.prompt('go');
    await harness.until(() => harness.messages().includes('agent: working'));
    harness.controller.cancelTurn();
    assert.equal(harness.tool('slow').status, 'cancelled');
    assert.equal(harness.state.turn.status, 'cancelling');
    assert.deepEqual(await turn, { stopReason: 'cancelled', text: 'working and stopped' });
    assert.equal(harness.tool('slow').status, 'completed');
    await harness.end();
  });

  it('CA-5 SU-5 are applied after the answer as well', async () => {
    const run = new Replay(
      expectCall('session/prompt', 'p'),
      update(tool('a', { status: 'in_progress' })),
      update(text('READY')),
      expectCall('session/cancel'),
      end('p', 'cancelled'),
      update(patch('a', { status: 'failed' })),
      update(text('AFTER')),
    );
    const harness = await SessionHarness.open(run);
    const turn = harness.prompt('go');
    await harness.until(() => harness.messages().includes('agent: READY'));
    harness.controller.cancelTurn();
    await turn;
    await harness.until(() => harness.messages().some((message) => message.endsWith('AFTER')));
    assert.equal(harness.tool('a').status, 'failed');
    assert.equal(harness.state.turn.status, 'idle');
    assert.deepEqual(turnActions(harness), ['promptSubmitted', 'turnEnded']);
    await harness.end();
  });
});
