import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChunkJoiner } from '../../../../src/core/history/chunkJoiner';
import { actionLine, headerLine, LogReader, metaLine, snapshotLine } from '../../../../src/core/history/log';
import { isHeavy, recorded } from '../../../../src/core/history/record';
import { screenActions } from '../../../../src/core/history/screens';
import { settle } from '../../../../src/core/history/settle';
import type { SessionAction } from '../../../../src/core/session/actions';
import { applyAction } from '../../../../src/core/session/reduce';
import { emptySession, NO_ABILITIES, type SessionState } from '../../../../src/core/session/state';
import { patch, TestSession, text, tool } from '../../../support/session';

const wire = new TestSession();
const timed = (action: SessionAction): fc.Arbitrary<SessionAction> =>
  fc.integer({ min: 1, max: 9_000 }).map((at) => ('at' in action ? { ...action, at } : action));
const updates = fc
  .constantFrom(
    text('a'),
    text('b '),
    text(''),
    text('m', 'agent_message', 'm1'),
    text('n', 'agent_message', 'm2'),
    text('x', 'agent_thought'),
    text('go', 'user_message'),
    text('\ud83d'),
    { sessionUpdate: 'agent_message_chunk', content: { type: 'image', mimeType: 'image/png', data: 'AA' } },
    tool('t1', { content: [{ type: 'terminal', terminalId: 'x' }] }),
    tool('t2', { rawInput: { a: 1 } }),
    patch('t1', { status: 'in_progress' }),
    patch('t2', { status: 'completed' }),
    patch('t2', { rawOutput: 'a' }),
    patch('t2', { rawOutput: 'a\nb', title: 'T2' }),
    { sessionUpdate: 'plan', entries: [{ content: 'do', status: 'completed' }] },
    { sessionUpdate: 'usage_update', used: 1, size: 2 },
    { sessionUpdate: 'session_info_update', title: 'T' },
    { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress' },
    { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: { type: 'text', text: 's' } },
    { sessionUpdate: 'of_tomorrow' },
    { ...text('on!', 'user_message'), _meta: { 'parley.agentLoop': { synthetic: true, n: 1 } } },
    { sessionUpdate: 'session_info_update', _meta: { 'parley.agentLoop': { interrupted: true } } },
  )
  .map((update) => wire.action(update));
const options = [{ optionId: 'no', name: 'No', kind: 'reject_once' as const }];
const queued = { id: 'q', text: 'later', attachments: [] };
const others = fc.constantFrom<SessionAction>(
  { type: 'agentIntroduced', title: 'A', version: '1', authMethods: [], abilities: { ...NO_ABILITIES } },
  { type: 'sessionOpened', sessionId: 's', cwd: '/w', config: [], fresh: false },
  { type: 'sessionOpened', sessionId: 's2', cwd: '/w', config: [], fresh: true },
  { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 1 },
  { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'later' }], at: 1, queued: 'q' },
  { type: 'queueChanged', queue: { items: [queued], paused: false } },
  { type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: 1 },
  { type: 'turnEnded', turn: 2, stopReason: 'refusal', at: 1 },
  { type: 'modelCallStarted', id: 'm', at: 1 },
  { type: 'modelCallEnded', id: 'm', usage: { input: 1, output: 2 }, at: 2 },
  { type: 'turnFailed', turn: 3, error: { code: 1, message: 'no' }, at: 1 },
  { type: 'cancelRequested', at: 1 },
  { type: 'agentLost', at: 1 },
  { type: 'noticeShown', severity: 'info', title: 'n' },
  { type: 'permissionRequested', requestId: 'p', patch: { toolCallId: 't1' }, options, at: 1 },
  { type: 'permissionAnswered', requestId: 'p', optionId: 'no', at: 1 },
  { type: 'elicitationRequested', requestId: 'e', message: 'what?', url: 'https://a' },
  { type: 'elicitationAnswered', requestId: 'e', action: 'accept' },
  { type: 'elicitationCompleted', requestId: 'e' },
  { type: 'terminalStarted', terminalId: 'x', command: 'ls', cwd: '/', at: 1 },
  { type: 'terminalScreen', terminalId: 'x', from: 0, lines: [[{ text: 'one' }]], hiddenLines: 0 },
  { type: 'terminalExited', terminalId: 'x', code: 0, signal: null, at: 1 },
  { type: 'terminalReleased', terminalId: 'x' },
);
const actions = fc.array(fc.oneof(updates, others.chain(timed)), { maxLength: 60 });

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const reduce = (list: readonly SessionAction[]): SessionState => {
  const state = emptySession('Test');
  for (const action of copy(list)) applyAction(state, action, () => undefined);
  return state;
};
const lines = (list: readonly SessionAction[]): string[] => {
  const joiner = new ChunkJoiner();
  const ready = list.flatMap((action) => {
    const kept = recorded(action);
    return kept ? joiner.push(kept) : [];
  });
  return [headerLine('k', 'Test'), ...[...ready, ...joiner.take()].map(actionLine)];
};
const replay = (list: readonly string[]): LogReader => {
  const reader = new LogReader('');
  for (const line of list) reader.take(line);
  return reader;
};
const load = (list: readonly string[]): SessionState | undefined => {
  const reader = replay(list);
  assert.equal(reader.unreadable, 0);
  return reader.finish()?.state;
};
/** Entry versions count changes, of which joined chunks make fewer. */
const content = (state: SessionState | undefined): unknown =>
  state && { ...state, entries: state.entries.map((entry) => ({ ...entry, version: 0 })) };
const lastAt = (list: readonly SessionAction[]): number =>
  Math.max(0, ...list.flatMap((action) => (recorded(action) && 'at' in action ? action.at : [])));
/** What a load must give: the state as it was, with everything closed that was open. */
const settled = (list: readonly SessionAction[]): SessionState | undefined => {
  const state = reduce(list);
  settle(state, lastAt(list));
  return state.entries.length + state.queue.items.length > 0 ? copy(state) : undefined;
};

describe('what is recorded of a session', () => {
  it('gives the same state when it is replayed', () => {
    fc.assert(
      fc.property(actions, (list) => {
        assert.deepEqual(content(load(lines(list))), content(settled(list)));
      }),
      { numRuns: 400 },
    );
  });

  it('gives the same state from a snapshot anywhere', () => {
    fc.assert(
      fc.property(actions, fc.nat(60), (list, at) => {
        const before = list.slice(0, at);
        const snapshot = snapshotLine(reduce(before), lastAt(before));
        const log = [headerLine('k', 'Test'), snapshot, ...lines(list.slice(at)).slice(1)];
        assert.deepEqual(content(load(log)), content(settled(list)));
      }),
      { numRuns: 400 },
    );
  });

  it('gives the same for each line that is torn away at the end', () => {
    fc.assert(
      fc.property(actions, fc.nat(60), (list, count) => {
        const log = lines(list).slice(0, count + 1);
        const reader = new LogReader('');
        for (const line of log) reader.take(line);
        reader.take('{"type":"promptSubmi');
        assert.deepEqual(reader.finish()?.state, load(log));
      }),
    );
  });

  it('keeps the beginning and the end of a message whose chunks are joined', () => {
    const at = (value: string, time: number): SessionAction =>
      ({ ...wire.action(text(value)), at: time }) as never;
    const log = lines([at('a', 1), at('b', 2), at('c', 3), at('d', 9)]);
    assert.equal(log.length, 3);
    const entry = load(log)?.entries[0];
    assert.deepEqual(entry?.kind === 'agent' && [entry.startedAt, entry.lastAt], [1, 9]);
  });

  it('has one line for an output that an agent repeats with each line of it', () => {
    const grown = Array.from({ length: 100 }, (_, i) =>
      wire.action(patch('t', { rawOutput: 'line\n'.repeat(i + 1) })),
    );
    const log = lines([...grown, wire.action(patch('t', { status: 'completed' }))]);
    assert.equal(log.length, 3);
    const [entry] = load(log)?.entries ?? [];
    assert.equal(entry?.kind === 'tool' && entry.rawOutput, 'line\n'.repeat(100));
  });

  it('EX-7 keeps _meta, also of a chunk without text, and joins no chunk that has some', () => {
    const meta = { 'x.y': [1] };
    const log = lines([
      wire.action(text('a')),
      { ...wire.action(text('b')), meta } as SessionAction,
      { ...wire.action(text('')), meta } as SessionAction,
    ]);
    assert.deepEqual(
      log.slice(1).map((line) => (JSON.parse(line) as { meta?: unknown }).meta),
      [undefined, meta, meta],
    );
    assert.deepEqual(JSON.parse(metaLine(log[2] ?? '') ?? ''), { meta, kind: 'chunk', at: 1000 });
    assert.equal(metaLine(metaLine(log[2] ?? '') ?? ''), metaLine(log[2] ?? ''));
    assert.equal(metaLine(log[1] ?? ''), undefined);
  });

  it('NO-1 keeps no notice of the agent, but those of Parley', () => {
    assert.equal(recorded(wire.action({ sessionUpdate: 'notice', title: 'n' })), undefined);
    assert.ok(recorded({ type: 'noticeShown', severity: 'info', title: 'n' }));
    const inMessage = { kind: 'notice', severity: 'error', title: 'n', kept: true } as const;
    assert.ok(recorded({ type: 'update', update: inMessage, at: 1 }));
  });

  it('keeps nothing that the agent says anew', () => {
    const config = [{ id: 'a', name: 'A', type: 'boolean' as const, value: true }];
    assert.equal(recorded({ type: 'update', update: { kind: 'config', config }, at: 1 }), undefined);
    assert.equal(recorded({ type: 'bannerShown', banner: null }), undefined);
    const opened = recorded({ type: 'sessionOpened', sessionId: 's', cwd: '/', config, fresh: false });
    assert.deepEqual(opened?.type === 'sessionOpened' && opened.config, []);
    const state = { ...reduce([{ type: 'promptSubmitted', blocks: [], at: 1 }]), config };
    assert.deepEqual(load([snapshotLine(state, 1)])?.config, []);
  });

  it('makes a file only for a prompt, a word of the agent or a prompt that waits', () => {
    assert.equal(isHeavy({ type: 'queueChanged', queue: { items: [], paused: true } }), false);
    assert.equal(isHeavy({ type: 'queueChanged', queue: { items: [queued], paused: true } }), true);
    assert.equal(isHeavy({ type: 'noticeShown', severity: 'info', title: 'n' }), false);
    assert.equal(isHeavy(wire.action(text('a'))), true);
  });
});

describe('a log', () => {
  const prompt = (value: string): string =>
    actionLine({ type: 'promptSubmitted', blocks: [{ type: 'text', text: value }], at: 5 });
  const end = (turn: number): string =>
    actionLine({ type: 'turnEnded', turn, stopReason: 'end_turn', at: 6 });

  it('is read around lines that cannot be read', () => {
    const reader = new LogReader('Test');
    const bad = ['{"type":"promptSubmitted"}', '[]', 'x', '{"type":"unheard"}', '{"type":"update"}'];
    for (const line of [prompt('one'), ...bad, prompt('two')]) reader.take(line);
    assert.equal(reader.unreadable, bad.length);
    assert.deepEqual(
      reader.finish()?.state.entries.map(({ kind }) => kind),
      ['user', 'user'],
    );
  });

  it('keeps the ends of turns after a prompt whose line is lost', () => {
    const state = replay([prompt('one'), end(1), 'x', end(2), prompt('three'), end(3)]).finish()?.state;
    assert.deepEqual(
      state?.entries.map(({ kind }) => kind),
      ['user', 'end', 'user', 'end'],
    );
    assert.equal(state?.turn.status, 'idle');
  });

  it('of a later Parley is left alone', () => {
    assert.equal(load(['{"v":2,"key":"k","agentId":"Test"}', prompt('one')]), undefined);
  });

  it('closes at a resumption what was open then', () => {
    const call = actionLine(wire.action(tool('t', { status: 'in_progress' })));
    const state = load([prompt('one'), call, '{"resumed":true}', prompt('two'), end(2)]);
    const kept = state?.entries.find((entry) => entry.kind === 'tool');
    assert.equal(kept?.kind === 'tool' && kept.status, 'interrupted');
    assert.equal(kept?.kind === 'tool' && kept.endedAt, 1000);
  });

  it('closes what was open at its end: turn, calls, questions, terminals, queue', () => {
    const session = new TestSession()
      .prompt()
      .wire(tool('t', { status: 'in_progress' }))
      .ask('p', 'u');
    session.apply(
      { type: 'elicitationRequested', requestId: 'e', message: 'what?' },
      { type: 'terminalStarted', terminalId: 'x', command: 'ls', cwd: '/', at: 1 },
      { type: 'queueChanged', queue: { items: [queued], paused: false } },
    );
    const state = load([snapshotLine(session.state, 77)]);
    assert.deepEqual(
      state?.entries.map((entry) =>
        entry.kind === 'tool'
          ? [entry.status, entry.permissions[0]?.outcome]
          : 'outcome' in entry && entry.outcome,
      ),
      [false, ['interrupted', undefined], ['interrupted', 'cancelled'], 'cancel'],
    );
    assert.equal(state?.turn.status, 'failed');
    assert.deepEqual(state.queue, { items: [queued], paused: true });
    assert.deepEqual(state.terminals['x']?.exit, { code: null, signal: null });
    assert.equal(state.connection.status, 'none');
  });

  it('gives a whole screen to a terminal whatever it had', () => {
    const view = (lines: number, hidden: number): SessionAction[] =>
      screenActions({
        terminalId: 'x',
        command: '',
        cwd: '',
        startedAt: 1,
        released: false,
        lines: Array.from({ length: lines }, (_, i) => [{ text: String(hidden + i) }]),
        hiddenLines: hidden,
      });
    fc.assert(
      fc.property(fc.nat(5), fc.nat(9), fc.nat(5), fc.nat(9), (lines1, hidden1, lines2, more) => {
        const session = new TestSession();
        session.apply({ type: 'terminalStarted', terminalId: 'x', command: 'ls', cwd: '/', at: 1 });
        session.apply(...view(lines1, hidden1), ...view(lines2, hidden1 + more));
        const terminal = session.state.terminals['x'];
        assert.equal(terminal?.hiddenLines, hidden1 + more);
        assert.deepEqual(
          terminal.lines.map((line) => line[0]?.text),
          Array.from({ length: lines2 }, (_, i) => String(hidden1 + more + i)),
        );
      }),
    );
  });
});
