import assert from 'node:assert/strict';
import { patch, TestSession, text, tool } from '../../support/session';

describe('turns in the session state', () => {
  it('PT-8 ends a turn with the reason that the agent gave, known or not', () => {
    for (const reason of ['end_turn', 'max_tokens', 'refusal', 'out_of_coffee']) {
      const last = new TestSession().prompt().end(reason).state.entries.at(-1);
      assert.ok(last?.kind === 'end');
      assert.equal(last.stopReason, reason);
    }
  });

  it('marks a turn that ended without an answer, and none in which anything came or that was stopped', () => {
    const endOf = (session: TestSession) => {
      const last = session.state.entries.at(-1);
      assert.ok(last?.kind === 'end');
      return last.silent;
    };
    assert.equal(endOf(new TestSession().prompt().end()), true);
    assert.equal(endOf(new TestSession().prompt().wire(text('yes')).end()), undefined);
    assert.equal(endOf(new TestSession().prompt().end('cancelled')), undefined);
    assert.equal(endOf(new TestSession().prompt().wire(text('yes')).end().prompt().end()), true);
  });

  it('CA-2 stays cancelling until the answer comes', () => {
    const session = new TestSession().prompt();
    session.apply({ type: 'cancelRequested', at: 1 });
    assert.equal(session.state.turn.status, 'cancelling');
    session.end('cancelled');
    assert.equal(session.state.turn.status, 'idle');
  });

  it('SU-5 lets only the turn that runs end', () => {
    const session = new TestSession().prompt().end().prompt();
    session.apply({ type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: 1 });
    assert.equal(session.state.turn.status, 'running');
  });

  it('PT-11 shows the error of a failed turn and can go on', () => {
    const session = new TestSession().prompt().wire(text('half'));
    session.apply({ type: 'turnFailed', turn: 1, error: { message: 'no' }, at: 1 });
    assert.deepEqual(session.kinds(), ['user', 'agent', 'error']);
    assert.equal(session.state.turn.status, 'failed');
    assert.equal(session.prompt().state.turn.status, 'running');
  });

  it('PL-2 replaces the plan as a whole, and keeps a finished one in the transcript', () => {
    const plan = (...statuses: string[]) => ({
      sessionUpdate: 'plan',
      entries: statuses.map((status, i) => ({ content: `step ${i}`, priority: 'high', status })),
    });
    const session = new TestSession().prompt().wire(plan('pending', 'pending'), plan('completed'));
    assert.deepEqual(
      session.state.plan.map(({ status }) => status),
      ['completed'],
    );
    session.end();
    assert.deepEqual(session.state.plan, []);
    assert.deepEqual(session.kinds(), ['user', 'plan', 'end']);
  });

  it('SI-1 takes a title, keeps it where none is named, and clears it on null', () => {
    const info = (fields: object) => ({ sessionUpdate: 'session_info_update', ...fields });
    const session = new TestSession().wire(info({ title: 'Dates' }), info({ updatedAt: 'x' }));
    assert.equal(session.state.title, 'Dates');
    assert.equal(session.wire(info({ title: null })).state.title, null);
  });

  it('MO-3 takes currentModeId and, as printed in the documents, modeId', () => {
    const session = new TestSession();
    const choices = [
      { value: 'ask', name: 'Ask' },
      { value: 'code', name: 'Code' },
    ];
    const config = [
      { id: 'mode', name: 'Mode', type: 'select' as const, value: 'ask', choices, legacyMode: true },
    ];
    session.apply({ type: 'sessionOpened', sessionId: 's', cwd: '/', config, fresh: true });
    session.wire({ sessionUpdate: 'current_mode_update', currentModeId: 'code' });
    assert.equal(session.state.config[0]?.value, 'code');
    session.wire({ sessionUpdate: 'current_mode_update', modeId: 'ask' });
    assert.equal(session.state.config[0]?.value, 'ask');
  });

  it('SU-3 counts kinds of update that it does not know and changes nothing', () => {
    const session = new TestSession()
      .prompt()
      .wire({ sessionUpdate: 'hologram' }, { sessionUpdate: 'hologram' }, null, 7, []);
    assert.deepEqual(session.state.unknownUpdates, { hologram: 2, '?': 3 });
    assert.deepEqual(session.kinds(), ['user']);
  });

  it('SU-7 never copies the list of entries, so that an update costs the same in a long session', () => {
    const session = new TestSession().prompt();
    const { entries } = session.state;
    const usage = { sessionUpdate: 'usage_update', used: 1, size: 2 };
    session.wire(text('one'), tool('a'), patch('a', { status: 'completed' }), usage, text('two')).end();
    assert.equal(session.state.entries, entries);
    assert.deepEqual(session.kinds(), ['user', 'agent', 'tool', 'agent', 'end']);
  });
});
