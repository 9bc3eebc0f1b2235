import assert from 'node:assert/strict';
import { byId, setById } from '../../../src/core/session/byId';
import { emptySession } from '../../../src/core/session/state';
import { trimmed } from '../../../src/core/session/trim';
import { patch, TestSession, text, tool } from '../../support/session';

const NAMES = ['__proto__', '___proto__', 'a__proto__', 'constructor', 'toString', ''];

describe('values by the id of an agent', () => {
  it('finds each id again, whatever it is called, and on the other side of a copy', () => {
    const values: Record<string, string> = {};
    for (const name of NAMES) assert.equal(byId(values, name), undefined);
    for (const name of NAMES) setById(values, name, `value of ${name}`);
    const copies = [values, structuredClone(values), JSON.parse(JSON.stringify(values)) as typeof values];
    for (const copy of [...copies, { ...values }, Object.assign({}, values)])
      for (const name of NAMES) assert.equal(byId(copy, name), `value of ${name}`);
  });

  it('SU-3 counts unknown kinds of update of any name', () => {
    const { unknownUpdates } = new TestSession().wire(
      ...NAMES.flatMap((sessionUpdate) => [{ sessionUpdate }, { sessionUpdate }]),
    ).state;
    assert.deepEqual(
      NAMES.map((name) => byId(unknownUpdates, name)),
      NAMES.map(() => 2),
    );
  });
});

describe('an entry whose id is __proto__', () => {
  const compaction = (fields: object) => ({
    sessionUpdate: 'compaction_update',
    compactionId: '__proto__',
    ...fields,
  });

  it('TC-5 TC-6 is one card through all updates, a question and a trim', () => {
    const session = new TestSession().prompt('first').wire(text('a')).end().prompt();
    session.wire(tool('__proto__'), patch('__proto__', { status: 'in_progress' })).ask('p', '__proto__');
    const state = trimmed(session.state, { budget: 0, sizeOf: () => 1, notKept: 'not kept' });
    assert.notEqual(state, session.state);
    const copy = Object.assign(new TestSession(), { state: structuredClone(state) });
    copy.answer('p', 'yes').wire(patch('__proto__', { status: 'completed' }));
    assert.deepEqual(
      copy.tools().map(({ toolCallId, status }) => [toolCallId, status]),
      [['__proto__', 'completed']],
    );
  });

  it('NO-3 is one compaction', () => {
    const session = new TestSession().wire(
      compaction({ status: 'in_progress' }),
      {
        sessionUpdate: 'compaction_summary_chunk',
        compactionId: '__proto__',
        content: { type: 'text', text: 'x' },
      },
      compaction({ status: 'completed' }),
    );
    assert.deepEqual(session.kinds(), ['compaction']);
  });

  it('is a terminal of its own and leaves the others without one', () => {
    const at = { command: 'make', cwd: '/', at: 1 };
    const { state } = new TestSession().apply(
      { type: 'terminalStarted', terminalId: '__proto__', ...at },
      { type: 'terminalExited', terminalId: '__proto__', code: 3, signal: null, at: 2 },
    );
    assert.equal(Object.getPrototypeOf(state.terminals), Object.getPrototypeOf(emptySession('').terminals));
    const copy = JSON.parse(JSON.stringify(state)) as typeof state;
    assert.equal(byId(copy.terminals, '__proto__')?.exit?.code, 3);
    assert.equal(byId(copy.terminals, 'command'), undefined);
  });
});
