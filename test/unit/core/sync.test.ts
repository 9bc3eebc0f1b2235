import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ActionQueue, Replica } from '../../../src/core/chat/sync';
import type { SessionAction } from '../../../src/core/session/actions';
import { applyAction } from '../../../src/core/session/reduce';
import { emptySession, type SessionState } from '../../../src/core/session/state';
import { patch, TestSession, text, tool } from '../../support/session';

const session = new TestSession();
const chunks = fc.constantFrom('a', 'b ', '**c**', '').map((value) => session.action(text(value)));
const thoughts = fc.constantFrom('x', 'y').map((value) => session.action(text(value, 'agent_thought')));
const tools = fc.constantFrom('t1', 't2').map((id) => session.action(tool(id)));
const patches = fc
  .tuple(fc.constantFrom('t1', 't2', 't3'), fc.constantFrom('pending', 'in_progress', 'completed', 'failed'))
  .map(([id, status]) => session.action(patch(id, { status })));
const titled = fc
  .tuple(fc.constantFrom('t1', 't2'), fc.constantFrom({ title: 'a' }, { rawOutput: 'b' }), fc.nat(9))
  .map(([id, fields, at]) => ({ ...session.action(patch(id, fields)), at }));
const others: fc.Arbitrary<SessionAction> = fc.constantFrom<SessionAction>(
  { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 5 },
  { type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: 6 },
  { type: 'cancelRequested', at: 7 },
  { type: 'permissionRequested', requestId: 'p', patch: { toolCallId: 't1' }, options: [], at: 8 },
  { type: 'permissionAnswered', requestId: 'p', optionId: null, at: 9 },
  { type: 'terminalStarted', terminalId: 'x', command: 'ls', cwd: '/', at: 1 },
  {
    type: 'terminalScreen',
    terminalId: 'x',
    from: 0,
    lines: [[{ text: 'one' }], [{ text: 'two' }]],
    hiddenLines: 0,
  },
  { type: 'terminalScreen', terminalId: 'x', from: 1, lines: [[{ text: 'three' }]], hiddenLines: 0 },
  { type: 'bannerShown', banner: null },
);
const actions = fc.array(fc.oneof(chunks, thoughts, tools, patches, titled, others), { maxLength: 40 });

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const reduce = (state: SessionState, list: readonly SessionAction[]): SessionState => {
  for (const action of list) applyAction(state, copy(action), () => undefined);
  return state;
};
/** Entry versions count changes, of which joined chunks make fewer. */
const content = (state: SessionState): unknown => ({
  ...state,
  entries: state.entries.map((entry) => ({ ...entry, version: 0 })),
});

describe('the page in step with the extension', () => {
  it('holds the same state after a snapshot anywhere and the posts from there', () => {
    fc.assert(
      fc.property(actions, fc.nat(40), fc.array(fc.boolean(), { maxLength: 40 }), (list, at, posts) => {
        const host = emptySession('Test');
        const queue = new ActionQueue();
        let page: SessionState | undefined;
        // As the extension does it: the very action that was applied waits to be posted.
        copy(list).forEach((action, index) => {
          if (index === at) page = copy(host);
          applyAction(host, action, () => undefined);
          if (page) queue.push(action);
          if (page && posts[index]) reduce(page, queue.take()?.actions ?? []);
        });
        page ??= copy(host);
        reduce(page, queue.take()?.actions ?? []);
        assert.deepEqual(content(page), content(host));
      }),
      { numRuns: 500 },
    );
  });

  it('joins adjacent chunks of one message', () => {
    const queue = new ActionQueue();
    for (const value of ['a', 'b', 'c']) queue.push(session.action(text(value)));
    assert.equal(queue.take()?.actions.length, 1);
    assert.equal(queue.take(), undefined);
  });

  it('joins what is repeated of one tool call, and leaves `_meta` behind', () => {
    const queue = new ActionQueue();
    const grown = (lines: number) => session.action(patch('t', { rawOutput: 'line\n'.repeat(lines) }));
    for (let i = 1; i <= 50; i++) queue.push({ ...grown(i), meta: { of: i } } as SessionAction);
    assert.deepEqual(queue.take()?.actions, [grown(50)]);
    for (const fields of [{ status: 'in_progress' }, { status: 'completed' }, {}])
      queue.push(session.action(patch('t', fields)));
    assert.equal(queue.take()?.actions.length, 3);
  });

  it('sees a gap and asks for a snapshot', () => {
    const replica = new Replica();
    assert.equal(replica.accepts({ seq: 0, actions: [] }), false);
    replica.snapshot(4);
    assert.equal(replica.accepts({ seq: 4, actions: [1, 2] }), true);
    assert.equal(replica.accepts({ seq: 7, actions: [1] }), false);
    assert.equal(replica.accepts({ seq: 6, actions: [1] }), true);
  });
});
