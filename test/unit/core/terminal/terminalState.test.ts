import assert from 'node:assert/strict';
import { TestSession, tool } from '../../../support/session';

const run = (session: TestSession, terminalId: string, ends = true): void => {
  session.apply({ type: 'terminalStarted', terminalId, command: 'true', cwd: '/', at: 1 });
  if (!ends) return;
  session.apply(
    { type: 'terminalExited', terminalId, code: 0, signal: null, at: 2 },
    { type: 'terminalReleased', terminalId },
  );
};

describe('the terminals of a session', () => {
  it('TE-10 stay as long as a card shows them or they run; others do not pile up', () => {
    const session = new TestSession().prompt();
    session.wire(tool('c', { content: [{ type: 'terminal', terminalId: 'shown' }] }));
    run(session, 'shown');
    run(session, 'running', false);
    for (let i = 0; i < 500; i++) run(session, `t${i}`);
    const ids = Object.keys(session.state.terminals);
    assert.ok(ids.length <= 101, String(ids.length));
    for (const id of ['shown', 'running', 't499', 't470']) assert.ok(ids.includes(id), id);
    assert.ok(!ids.includes('t0'));
  });

  it('TE-11 shows the screen of one that is embedded after its release', () => {
    const session = new TestSession().prompt();
    run(session, 'late');
    session.wire(tool('c', { content: [{ type: 'terminal', terminalId: 'late' }] }));
    for (let i = 0; i < 300; i++) run(session, `t${i}`);
    assert.equal(session.state.terminals['late']?.released, true);
  });

  it('EX-1 keeps apart what the agent runs itself', () => {
    const session = new TestSession();
    session.apply({
      type: 'terminalStarted',
      terminalId: 'own',
      command: '',
      cwd: '/',
      agents: true,
      at: 1,
    });
    run(session, 'ours');
    assert.deepEqual(
      [session.state.terminals['own']?.agents, session.state.terminals['ours']?.agents],
      [true, undefined],
    );
  });
});
