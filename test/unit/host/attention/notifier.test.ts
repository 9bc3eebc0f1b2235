import assert from 'node:assert/strict';
import type { NotificationMode } from '../../../../src/core/attention/attentionQueue';
import { emptySession, type SessionState } from '../../../../src/core/session/state';
import { applyAction } from '../../../../src/core/session/reduce';
import type { SessionAction } from '../../../../src/core/session/actions';
import { Notifier } from '../../../../src/host/attention/notifier';
import { until } from '../../../vscode/until';

const ask: SessionAction = {
  type: 'permissionRequested',
  requestId: 'p',
  patch: { toolCallId: 't', title: 'Write' },
  options: [],
  at: 1,
};

describe('the notifier', () => {
  let shown: boolean;
  let mode: NotificationMode;
  let told: string[];
  let notifier: Notifier;
  let state: SessionState;
  const take = (...actions: SessionAction[]): void => {
    for (const action of actions) {
      applyAction(state, action, () => undefined);
      notifier.take('s', action, state);
    }
  };
  /** Another session is told of, and so everything before it was. */
  const tellMark = async (): Promise<void> => {
    mode = 'all';
    shown = false;
    const marked = emptySession('a');
    applyAction(marked, ask, () => undefined);
    notifier.take('mark', ask, marked);
    await until('the mark', () => told.some((line) => line.startsWith('mark')) || undefined);
  };

  beforeEach(() => {
    [shown, mode, told, state] = [false, 'all', [], emptySession('a')];
    notifier = new Notifier({
      shows: () => shown,
      mode: () => mode,
      asksInFront: () => false,
      tell: (key, event) => told.push(`${key} ${event.kind}`),
      now: Date.now,
    });
    take({ type: 'promptSubmitted', blocks: [], at: 0 });
  });
  afterEach(() => notifier.dispose());

  it('tells once of a question in a session that nobody sees', async () => {
    take(ask);
    await tellMark();
    assert.deepEqual(told.sort(), ['mark permission', 's permission']);
  });

  it('tells nothing of a session that is seen, then or by the time of telling', async () => {
    shown = true;
    take(ask);
    await tellMark();
    assert.deepEqual(told, ['mark permission']);
  });

  it('tells nothing of a question that a rule answered at once', async () => {
    take(ask, { type: 'permissionAnswered', requestId: 'p', optionId: 'yes', rule: 'r', at: 2 });
    await tellMark();
    assert.deepEqual(told, ['mark permission']);
  });

  it('tells nothing that the setting turns off', async () => {
    mode = 'off';
    take(ask);
    await tellMark();
    assert.deepEqual(told, ['mark permission']);
  });
});
