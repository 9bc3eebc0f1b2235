import assert from 'node:assert/strict';
import { readAttention, type AttentionStep } from '../../../../src/core/attention/events';
import type { SessionAction } from '../../../../src/core/session/actions';
import { applyAction } from '../../../../src/core/session/reduce';
import { emptySession, type SessionState } from '../../../../src/core/session/state';

const error = { message: 'It went away.', code: null } as unknown as Extract<
  SessionAction,
  { type: 'turnFailed' }
>['error'];

function take(state: SessionState, ...actions: SessionAction[]): (AttentionStep | undefined)[] {
  return actions.map((action) => {
    applyAction(state, action, () => undefined);
    return readAttention(action, state);
  });
}

const prompt: SessionAction = { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 1 };
const ended = (stopReason: string, turn = 1): SessionAction => ({
  type: 'turnEnded',
  turn,
  stopReason,
  at: 2,
});

describe('what calls for attention', () => {
  it('is a permission and a question by form, until they are answered', () => {
    const steps = take(
      emptySession('a'),
      prompt,
      {
        type: 'permissionRequested',
        requestId: 'p',
        patch: { toolCallId: 't', title: 'Write' },
        options: [],
        at: 2,
      },
      { type: 'permissionAnswered', requestId: 'p', optionId: null, at: 3 },
      { type: 'elicitationRequested', requestId: 'e', message: 'Name?' },
      { type: 'elicitationAnswered', requestId: 'e', action: 'decline' },
    );
    assert.deepEqual(steps, [
      { type: 'begun' },
      { type: 'raise', event: { kind: 'permission', requestId: 'p' } },
      { type: 'answered', requestId: 'p' },
      { type: 'raise', event: { kind: 'elicitation', requestId: 'e' } },
      { type: 'answered', requestId: 'e' },
    ]);
  });

  it('is the end of a turn with how it ended', () => {
    for (const stopReason of ['end_turn', 'refusal', 'max_tokens'])
      assert.deepEqual(take(emptySession('a'), prompt, ended(stopReason))[1], {
        type: 'raise',
        event: { kind: 'ended', stopReason },
      });
  });

  it('is not the end of a turn that the person stopped, nor one of an earlier turn', () => {
    assert.equal(take(emptySession('a'), prompt, ended('cancelled'))[1], undefined);
    assert.equal(take(emptySession('a'), prompt, ended('end_turn', 7))[1], undefined);
    assert.equal(take(emptySession('a'), prompt, ended('end_turn'), prompt, ended('end_turn'))[3], undefined);
  });

  it('is not the end of a turn that a queued prompt follows, unless the queue waits for the person', () => {
    const queue = (paused: boolean): SessionAction => ({
      type: 'queueChanged',
      queue: { items: [{ id: 'q', text: 'next', attachments: [] }], paused },
    });
    assert.equal(take(emptySession('a'), prompt, queue(false), ended('end_turn'))[2], undefined);
    assert.equal(take(emptySession('a'), prompt, queue(true), ended('end_turn'))[2]?.type, 'raise');
    assert.equal(take(emptySession('a'), prompt, queue(false), ended('refusal'))[2]?.type, 'raise');
  });

  it('is a turn that failed, as when the agent went away, with its sentence', () => {
    const steps = take(emptySession('a'), prompt, { type: 'turnFailed', turn: 1, error, at: 2 });
    assert.deepEqual(steps[1], { type: 'raise', event: { kind: 'failed', error: 'It went away.' } });
  });

  it('is a sign-in that is needed, until it is done', () => {
    const connection = (status: 'auth' | 'ready'): SessionAction => ({
      type: 'connectionChanged',
      status,
      at: 1,
    });
    assert.deepEqual(take(emptySession('a'), connection('auth'), connection('ready')), [
      { type: 'raise', event: { kind: 'signIn' } },
      { type: 'signedIn' },
    ]);
  });

  it('is nothing that an agent says, as when it replays a transcript', () => {
    const steps = take(
      emptySession('a'),
      { type: 'update', update: { kind: 'chunk', role: 'agent', block: { type: 'text', text: 'x' } }, at: 1 },
      { type: 'update', update: { kind: 'toolCall', patch: { toolCallId: 't', status: 'pending' } }, at: 1 },
      { type: 'sessionOpened', sessionId: 's', cwd: '/', config: [], fresh: true },
    );
    assert.deepEqual(steps, [undefined, undefined, undefined]);
  });
});
