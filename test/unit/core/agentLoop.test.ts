import assert from 'node:assert/strict';
import { readTurnAnswer } from '../../../src/host/session/turnAnswer';
import { englishStrings } from '../../../src/core/chat/strings';
import { ActionQueue } from '../../../src/core/chat/sync';
import { readLoopEnd, readModelCallEvent } from '../../../src/core/session/loopMeta';
import { MAX_MODEL_CALLS } from '../../../src/core/session/modelCalls';
import { textOf } from '../../../src/core/session/select';
import { titleOf } from '../../../src/core/session/title';
import { toJson } from '../../../src/core/session/toJson';
import { toMarkdown } from '../../../src/core/session/toMarkdown';
import type { EndEntry, LoopEnd, ModelCallEvent } from '../../../src/core/session/turn';
import { promptsOf } from '../../../src/webview/composer/history';
import { TestSession, text, tool } from '../../support/session';

const META = 'parley.agentLoop';
const nudge = (value: string, fields: object = {}, messageId = 'n1') => ({
  ...text(value, 'user_message', messageId),
  _meta: { [META]: { synthetic: true, reason: 'autopilot_nudge', n: 1, ...fields } },
});

function call(session: TestSession, event: ModelCallEvent, at: number): TestSession {
  return session.apply({ ...event, at });
}

function endOf(session: TestSession): EndEntry {
  const last = session.state.entries.at(-1);
  assert.ok(last?.kind === 'end');
  return last;
}

const endedWith = (said: LoopEnd, stopReason = 'end_turn'): TestSession =>
  new TestSession().prompt().apply({ type: 'turnEnded', turn: 1, stopReason, at: 1_000, ...said });

describe('messages that the agent writes in the name of the user', () => {
  it('are entries of their own, joined by their id, and none of the person', () => {
    const session = new TestSession().wire(nudge('Go '), nudge('on.'), nudge('Again.', { n: 2 }, 'n2'));
    assert.deepEqual(session.kinds(), ['synthetic', 'synthetic']);
    const [first, second] = session.state.entries;
    assert.ok(first?.kind === 'synthetic' && second?.kind === 'synthetic');
    assert.deepEqual([textOf(first.blocks), first.reason, first.n], ['Go on.', 'autopilot_nudge', 1]);
    assert.equal(second.n, 2);
    assert.deepEqual(promptsOf(session.state), []);
    assert.equal(titleOf(session.state), null);
    session.prompt('mine').wire(nudge('Go on.'));
    assert.deepEqual(promptsOf(session.state), ['mine']);
    assert.equal(titleOf(session.state), 'mine');
  });

  it('take nothing from the echo of the prompt, and are not dropped with a refused one', () => {
    const session = new TestSession().prompt('Go on').wire(nudge('Go'), text('Go on', 'user_message'));
    assert.deepEqual(session.kinds(), ['user', 'synthetic']);
    session.end('refusal');
    assert.deepEqual(
      session.state.entries.map((entry) => 'dropped' in entry),
      [true, false, false],
    );
  });

  it('need the mark itself: anything else is a message of the user', () => {
    for (const synthetic of ['true', 1, {}, null, false])
      assert.deepEqual(new TestSession().wire(nudge('x', { synthetic })).kinds(), ['user']);
    const [odd] = new TestSession().wire(nudge('x', { reason: 'r'.repeat(300), n: -1.5 })).state.entries;
    assert.ok(odd?.kind === 'synthetic');
    assert.deepEqual([odd.reason, odd.n], ['', undefined]);
  });

  it('are named in both exports', () => {
    const { state } = new TestSession()
      .prompt('mine')
      .wire(nudge('Go on.'), nudge('Why?', { reason: 'other' }, 'n2'));
    const markdown = toMarkdown(state, englishStrings);
    assert.match(markdown, /\*Autopilot: reminded the agent .* \(1\)\*\n\n> Go on\./);
    assert.match(markdown, /\*A message that the agent wrote for itself\*\n\n> Why\?/);
    assert.equal(markdown.split('## You').length, 2);
    const { entries } = JSON.parse(toJson(state)) as { entries: { kind: string }[] };
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['user', 'synthetic', 'synthetic'],
    );
  });
});

describe('model calls in the session state', () => {
  const start = (id: string): ModelCallEvent => ({ type: 'modelCallStarted', id });
  const stop = (id: string): ModelCallEvent => ({ type: 'modelCallEnded', id });

  it('are kept with the end of their turn, with the times of the host', () => {
    const session = new TestSession().prompt();
    call(session, start('a'), 1_100);
    session.wire(tool('t', { _meta: { [META]: { turnId: 'a' } } }));
    call(session, { ...stop('a'), usage: { input: 5, output: 2 } } as ModelCallEvent, 1_300);
    call(session, start('b'), 1_400);
    session.end();
    const { timeline, modelCalls } = endOf(session);
    assert.deepEqual(timeline, {
      since: 1_000,
      kept: [
        { id: 'a', startedAt: 1_100, endedAt: 1_300, usage: { input: 5, output: 2 } },
        { id: 'b', startedAt: 1_400 },
      ],
      more: 0,
    });
    assert.equal(modelCalls, 2);
    assert.equal(session.tools()[0]?.modelCallId, 'a');
    assert.equal(session.prompt().end().state.entries.at(-1)?.kind, 'end');
    assert.equal(endOf(session).timeline, undefined);
  });

  it('count once each, only in a turn, and end once', () => {
    const session = new TestSession();
    call(session, start('early'), 1);
    session.prompt();
    for (const [event, at] of [
      [stop('unknown'), 2_000],
      [start('a'), 2_001],
      [start('a'), 2_002],
      [stop('a'), 2_003],
      [stop('a'), 2_004],
      [start('a'), 2_005],
    ] as const)
      call(session, event, at);
    session.end();
    assert.deepEqual(endOf(session).timeline?.kept, [{ id: 'a', startedAt: 2_001, endedAt: 2_003 }]);
    const before = JSON.stringify(session.state);
    call(session, start('late'), 3_000);
    assert.equal(JSON.stringify(session.state), before);
  });

  it('are bounded: what is too much is only counted', () => {
    const session = new TestSession().prompt();
    for (let i = 0; i < MAX_MODEL_CALLS + 30; i++) call(session, start(`c${i}`), 2_000 + i);
    session.end();
    const { timeline, modelCalls } = endOf(session);
    assert.equal(timeline?.kept.length, MAX_MODEL_CALLS);
    assert.equal(timeline.more, 30);
    assert.equal(modelCalls, MAX_MODEL_CALLS + 30);
  });

  it('leave a session of an agent that tells none as it is', () => {
    const end = endOf(new TestSession().prompt().wire(tool('t')).end());
    assert.deepEqual(Object.keys(end).sort(), ['duration', 'id', 'kind', 'stopReason', 'turn', 'version']);
  });

  it('reach the page in order between chunks', () => {
    const queue = new ActionQueue();
    const session = new TestSession().prompt();
    queue.push(session.action(text('a')));
    queue.push({ ...start('x'), at: 1 });
    queue.push(session.action(text('b')));
    assert.deepEqual(
      queue.take()?.actions.map(({ type }) => type),
      ['update', 'modelCallStarted', 'update'],
    );
  });
});

describe('what an agent tells of its loop', () => {
  it('is read only where it has the form', () => {
    const end = { modelCalls: 2, taskComplete: { summary: 'all' }, nudges: 1, nudgesExhausted: true };
    assert.deepEqual(readLoopEnd({ [META]: end }), { ...end, taskComplete: 'all' });
    assert.deepEqual(readLoopEnd({ [META]: { taskComplete: {} } }), { taskComplete: '' });
    for (const odd of [
      { modelCalls: -1, nudges: 0, nudgesExhausted: 'yes', taskComplete: 'yes' },
      { modelCalls: 1.5, nudges: Infinity, nudgesExhausted: 1, taskComplete: true },
      { modelCalls: 1e15, nudges: '3', nudgesExhausted: {}, taskComplete: [] },
    ])
      assert.deepEqual(readLoopEnd({ [META]: odd }), {});
    const { taskComplete = '' } = readLoopEnd({ [META]: { taskComplete: { summary: 'x'.repeat(1e6) } } });
    assert.ok(taskComplete.length < 50_000);
  });

  it('names a model call by a short id, and its tokens by whole numbers', () => {
    const read = (params: object) => readModelCallEvent('modelCallEnded', { turnId: 'a', ...params });
    const ended = { type: 'modelCallEnded', id: 'a' };
    const usage = { inputTokens: 3, outputTokens: 0 };
    assert.deepEqual(read({ usage }), { ...ended, usage: { input: 3, output: 0 } });
    for (const odd of [
      null,
      'x',
      { inputTokens: 3 },
      { ...usage, inputTokens: -1 },
      { ...usage, outputTokens: '1' },
    ])
      assert.deepEqual(read({ usage: odd }), ended);
    for (const turnId of [undefined, '', 7, 'x'.repeat(201)]) assert.equal(read({ turnId }), undefined);
    const long = tool('t', { _meta: { [META]: { turnId: 'x'.repeat(201) } } });
    assert.equal(new TestSession().wire(long).tools()[0]?.modelCallId, undefined);
  });

  it('calls a turn done only where the agent does', () => {
    const said = (session: TestSession): string => toMarkdown(session.state, englishStrings);
    assert.doesNotMatch(said(endedWith({ modelCalls: 3 })), /Done|Stopped/);
    assert.match(said(endedWith({ taskComplete: 'all' })), /\*Done: all\*/);
    assert.match(said(endedWith({ taskComplete: '' })), /Done/);
    assert.match(said(endedWith({ nudges: 3, nudgesExhausted: true })), /after 3 reminders/);
    assert.match(said(endedWith({ nudgesExhausted: true })), /did not mark the task as complete\./);
  });

  it('calls nothing done that it also calls cancelled, refused or cut off', () => {
    const said = { modelCalls: 2, taskComplete: { summary: 'all' }, nudges: 1, nudgesExhausted: true };
    const read = (stopReason: string) => readTurnAnswer({ stopReason, _meta: { [META]: said } });
    assert.deepEqual(read('end_turn'), { stopReason: 'end_turn', ...said, taskComplete: 'all' });
    for (const stopReason of ['cancelled', 'refusal', 'max_tokens', 'max_turn_requests', 'odd'])
      assert.deepEqual(read(stopReason), { stopReason, modelCalls: 2, nudges: 1 });
  });

  it('marks a loaded session as interrupted once, and never an empty or a running one', () => {
    const info = (value: unknown) => ({
      sessionUpdate: 'session_info_update',
      _meta: { [META]: { interrupted: value } },
    });
    assert.deepEqual(new TestSession().wire(info(true)).kinds(), []);
    assert.deepEqual(new TestSession().prompt().wire(info(true)).kinds(), ['user']);
    const loaded = new TestSession().wire(text('Hi', 'user_message'));
    assert.deepEqual(loaded.wire(info('true'), info(1)).kinds(), ['user']);
    assert.deepEqual(loaded.wire(info(true), info(true)).kinds(), ['user', 'end']);
    assert.equal(endOf(loaded).stopReason, 'interrupted');
  });
});
