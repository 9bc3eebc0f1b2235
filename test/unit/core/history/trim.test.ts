import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isKey } from '../../../../src/core/history/key';
import { keptOf, readKept } from '../../../../src/core/history/kept';
import { titleOf } from '../../../../src/core/session/title';
import { trimmed } from '../../../../src/core/session/trim';
import type { SessionState } from '../../../../src/core/session/state';
import { patch, TestSession, text, tool } from '../../../support/session';

const notKept = 'earlier ones are gone';
/** Keeps the last `budget` entries, each counting 1, a terminal 10. */
const cut = (state: SessionState, budget: number): SessionState =>
  trimmed(state, { budget, sizeOf: (part) => ('lines' in part ? 10 : 1), notKept });

/** Turns of four entries: user, tool, agent, end. */
function turns(count: number): TestSession {
  const session = new TestSession();
  for (let i = 1; i <= count; i++) {
    session
      .prompt(`prompt ${i}`)
      .wire(tool(`t${i}`, { status: 'completed' }), text(`word ${i}`))
      .end();
  }
  return session;
}

describe('trimming a session', () => {
  it('leaves a session alone that fits', () => {
    const { state } = turns(2);
    assert.equal(cut(state, 8), state);
  });

  it('drops whole turns and says so at the top', () => {
    const { state } = turns(4);
    const kept = cut(state, 9);
    assert.deepEqual(
      kept.entries.map(({ kind, turn }) => `${kind} ${turn}`),
      ['notice 2', ...[3, 4].flatMap((n) => ['user', 'tool', 'agent', 'end'].map((kind) => `${kind} ${n}`))],
    );
    assert.equal(kept.entries[0]?.kind === 'notice' && kept.entries[0].title, notKept);
    assert.equal(state.entries.length, 16);
  });

  it('puts right what names a place, for any cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 30 }), (count, budget) => {
        const kept = cut(turns(count).state, budget);
        for (const [id, index] of Object.entries(kept.toolIndex)) {
          const entry = kept.entries[index];
          assert.equal(entry?.kind === 'tool' && entry.toolCallId, id);
        }
        const tools = kept.entries.filter(({ kind }) => kind === 'tool').length;
        assert.equal(Object.keys(kept.toolIndex).length, tools);
        assert.equal(kept.entries[kept.turn.firstEntry]?.turn, count);
        const ids = kept.entries.map(({ id }) => id);
        assert.deepEqual(
          ids,
          [...new Set(ids)].sort((a, b) => a - b),
        );
      }),
    );
  });

  it('goes on like the whole session', () => {
    const session = turns(3);
    const other = new TestSession();
    Object.assign(other.state, structuredClone(cut(session.state, 4)));
    other
      .prompt()
      .wire(tool('n'), text('x'))
      .wire(patch('n', { status: 'completed' }))
      .end();
    assert.equal(other.tools().at(-1)?.status, 'completed');
    assert.equal(other.state.entries.at(-1)?.kind, 'end');
    assert.equal(new Set(other.state.entries.map(({ id }) => id)).size, other.state.entries.length);
  });

  it('cuts into a turn that is too large alone, but keeps what is open', () => {
    const session = turns(1)
      .prompt('long')
      .wire(tool('open'), tool('done', { status: 'completed' }));
    for (let i = 0; i < 6; i++) session.wire(text(`m${i}`, 'agent_message', `m${i}`));
    const kept = cut(session.state, 3);
    assert.deepEqual(
      kept.entries.map(({ kind }) => kind),
      ['notice', 'tool', 'agent', 'agent', 'agent'],
    );
    assert.equal(kept.turn.firstEntry, 1 + 1 - 1);
    assert.deepEqual(kept.toolIndex, { open: 1 });
  });

  it('keeps compaction in its place and drops terminals that nothing shows', () => {
    const session = new TestSession();
    const show = (id: string): void => {
      session.prompt().apply({ type: 'terminalStarted', terminalId: id, command: id, cwd: '/', at: 1 });
      session.wire(tool(`t-${id}`, { status: 'completed', content: [{ type: 'terminal', terminalId: id }] }));
      session.apply({ type: 'terminalReleased', terminalId: id }).end();
    };
    show('one');
    show('two');
    session.apply({ type: 'terminalStarted', terminalId: 'runs', command: '', cwd: '/', at: 1 });
    session.wire({ sessionUpdate: 'compaction_update', compactionId: 'c' });
    const kept = cut(session.state, 15);
    assert.deepEqual(Object.keys(kept.terminals), ['two', 'runs']);
    assert.deepEqual(kept.compactionIndex, { c: kept.entries.length - 1 });
  });

  it('keeps the title that the first prompt gave', () => {
    assert.equal(cut(turns(4).state, 4).title, 'prompt 1');
  });
});

describe('the title of a session', () => {
  it('SI-1 is what the agent calls it', () => {
    const session = turns(1).wire({ sessionUpdate: 'session_info_update', title: 'Given' });
    assert.equal(titleOf(session.state), 'Given');
    session.wire({ sessionUpdate: 'session_info_update', title: null });
    assert.equal(titleOf(session.state), 'prompt 1');
  });

  it('is else the first line of the first prompt, cut, never within a character', () => {
    const titled = (value: string): string | null =>
      titleOf(new TestSession().prompt(value).prompt('second').state);
    assert.equal(titled('\n  one  \r\ntwo'), 'one');
    assert.equal(titled('x'.repeat(80)), 'x'.repeat(80));
    assert.equal(titled('x'.repeat(81)), `${'x'.repeat(79)}…`);
    assert.equal(titled(`${'x'.repeat(78)}😀yy`), `${'x'.repeat(78)}…`);
    assert.equal(titled('  \n '), null);
    assert.equal(titleOf(new TestSession().state), null);
  });
});

describe('a row of the list of kept sessions', () => {
  it('is read as it was written, and nothing else is', () => {
    const kept = keptOf('k', turns(1).state, 7);
    const written = JSON.parse(JSON.stringify(kept)) as unknown;
    assert.deepEqual(readKept(written, 'k'), kept);
    assert.equal(readKept(written, 'other'), undefined);
    for (const value of [null, [], {}, { key: 'k' }, { ...kept, updatedAt: 'x' }])
      assert.equal(readKept(value, 'k'), undefined);
  });

  it('has a key that is a plain name', () => {
    assert.ok(isKey('0f9c-A'));
    for (const key of ['', '..', 'a/b', 'a\\b', 'a.b', 'a b', 'a\n', 'x'.repeat(101)])
      assert.ok(!isKey(key), key);
  });
});
