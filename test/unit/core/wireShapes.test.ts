import assert from 'node:assert/strict';
import { byId } from '../../../src/core/session/byId';
import { readUpdate } from '../../../src/core/session/intake';
import type { StyledRun, ToolStatus } from '../../../src/core/session/state';
import { kindLook, STATUS_LOOK } from '../../../src/webview/transcript/toolLook';
import { keepDiff, patch, TestSession, text, tool } from '../../support/session';
import { valuesOf, wireProblemsOf } from '../../support/wireSchema';

const content = { type: 'text', text: 'x' };

/** An update of each kind, with what the schema asks for. */
const UPDATES = [
  text('x'),
  text('x', 'agent_thought'),
  text('x', 'user_message'),
  tool('t'),
  patch('t'),
  { sessionUpdate: 'plan', entries: [] },
  { sessionUpdate: 'available_commands_update', availableCommands: [] },
  { sessionUpdate: 'current_mode_update', currentModeId: 'm' },
  { sessionUpdate: 'config_option_update', configOptions: [] },
  { sessionUpdate: 'session_info_update' },
  { sessionUpdate: 'usage_update', used: 1, size: 2 },
  { sessionUpdate: 'notice', severity: 'info', title: 'N' },
  { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress' },
  { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content },
];

describe('what the schema names', () => {
  it('SU-2 is read in every kind of update', () => {
    const kinds = UPDATES.map(({ sessionUpdate }) => sessionUpdate);
    assert.deepEqual([...kinds].sort(), valuesOf('SessionUpdate').sort());
    const lines = UPDATES.map((update) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } }),
    );
    assert.deepEqual(wireProblemsOf('agent', lines, []), []);
    const read = UPDATES.map((update) => readUpdate(update, keepDiff).kind);
    assert.ok(!read.includes('unknown'), read.join());
    // Chunks of three roles are one kind.
    assert.equal(new Set(read).size, UPDATES.length - 2);
  });

  it('TC-2 is kept and has a look of its own in every kind of call; others look like other', () => {
    const kinds = valuesOf('ToolKind');
    assert.equal(kinds.length, 10);
    const session = new TestSession().prompt().wire(...kinds.map((kind) => tool(kind, { kind })));
    assert.deepEqual(
      session.tools().map(({ toolKind }) => toolKind),
      kinds,
    );
    assert.equal(new Set(kinds.map((kind) => kindLook(kind).label)).size, kinds.length);
    assert.equal(kindLook('hologram'), kindLook('other'));
  });

  it('TC-3 is shown as it is in each status; "cancelled" and the like are none', () => {
    const statuses = valuesOf('ToolCallStatus') as ToolStatus[];
    assert.equal(statuses.length, 4);
    const session = new TestSession().prompt().wire(...statuses.map((status) => tool(status, { status })));
    const shown = (): ToolStatus[] => session.tools().map(({ status }) => status);
    assert.deepEqual(shown(), statuses);
    assert.equal(new Set(statuses.map((status) => STATUS_LOOK[status].label)).size, 4);
    for (const status of ['cancelled', 'waiting', 'rejected', 'done', null, 7])
      session.wire(...statuses.map((id) => patch(id, { status })));
    assert.deepEqual(shown(), statuses);
  });
});

describe('a tool call', () => {
  it('TC-8 RP-6 keeps the places with their lines as sent, counted from 1', () => {
    const locations = [
      { path: '/a', line: 1 },
      { path: '/b', line: null },
      { path: '/c' },
      { line: 3 },
      { path: '/d', line: '4' },
    ];
    const [card] = new TestSession().prompt().wire(tool('t', { locations })).tools();
    assert.deepEqual(card?.locations, [
      { path: '/a', line: 1 },
      { path: '/b' },
      { path: '/c' },
      { path: '/d' },
    ]);
  });

  it('RP-6 counts the lines of a diff from 1', () => {
    const diff = { type: 'diff', path: '/x', oldText: 'a\nb\n', newText: 'A\nb\n' };
    const [item] =
      new TestSession()
        .prompt()
        .wire(tool('t', { content: [diff] }))
        .tools()[0]?.content ?? [];
    assert.ok(item?.type === 'diff');
    assert.deepEqual([item.diff.hunks[0]?.oldStart, item.diff.hunks[0]?.newStart], [1, 1]);
  });

  it('DI-4 shows an empty new text as all lines removed, and makes no deletion nor a new file of it', () => {
    const diff = { type: 'diff', path: '/x', oldText: 'a\nb\n', newText: '' };
    const [item] =
      new TestSession()
        .prompt()
        .wire(tool('t', { content: [diff] }))
        .tools()[0]?.content ?? [];
    assert.ok(item?.type === 'diff');
    assert.deepEqual([item.isNew, item.diff.added, item.diff.removed], [false, 0, 2]);
    assert.deepEqual(Object.keys(item).sort(), ['diff', 'isNew', 'path', 'ref', 'type']);
  });

  for (const late of [false, true]) {
    it(`TE-11 shows what a terminal printed that was embedded ${late ? 'after' : 'before'} its release`, () => {
      const terminal = { terminalId: 't1' };
      const line: StyledRun[] = [{ text: 'built' }];
      const embed = patch('build', { content: [{ type: 'terminal', ...terminal }] });
      const session = new TestSession().prompt().wire(tool('build'));
      session.apply({ type: 'terminalStarted', ...terminal, command: 'make', cwd: '/', at: 1 });
      if (!late) session.wire(embed);
      session.apply(
        { type: 'terminalScreen', ...terminal, from: 0, lines: [line], hiddenLines: 0 },
        { type: 'terminalExited', ...terminal, code: 0, signal: null, at: 2 },
        { type: 'terminalReleased', ...terminal },
      );
      if (late) session.wire(embed);
      assert.deepEqual(session.tools()[0]?.content, [{ type: 'terminal', terminalId: 't1' }]);
      const view = byId(session.state.terminals, 't1');
      assert.deepEqual([view?.lines, view?.exit?.code, view?.released], [[line], 0, true]);
    });
  }
});

describe('a session', () => {
  it('SC-1 takes each list of commands for the whole list, at any time', () => {
    const commands = (...availableCommands: unknown[]) => ({
      sessionUpdate: 'available_commands_update',
      availableCommands,
    });
    const session = new TestSession().wire(
      commands({ name: 'test', description: 'Runs', input: { hint: 'which' } }, { name: 'plan' }),
    );
    assert.deepEqual(session.state.commands, [
      { name: 'test', description: 'Runs', hint: 'which' },
      { name: 'plan', description: '' },
    ]);
    session.prompt().wire(commands({ name: 'fix', description: 'F', input: null }, { description: 'none' }));
    assert.deepEqual(session.state.commands, [{ name: 'fix', description: 'F' }]);
    assert.deepEqual(session.end().wire(commands()).state.commands, []);
  });

  it('SI-2 keeps id and folder, whatever an update of its info says of them', () => {
    const session = new TestSession();
    session.apply({ type: 'sessionOpened', sessionId: 's', cwd: '/proj', config: [], fresh: true });
    const before = structuredClone(session.state);
    const info = { sessionId: 'other', cwd: '/etc', additionalDirectories: ['/'], agent: 'x', entries: [] };
    session.wire({ sessionUpdate: 'session_info_update', title: 'T', ...info });
    assert.deepEqual(session.state, { ...before, title: 'T' });
  });
});
