import assert from 'node:assert/strict';
import { PermissionBridge } from '../../../src/host/bridges/permissionBridge';
import { keepDiff } from '../../support/session';
import { buildSession, LATER, linkTo, MemoryAgent } from './memoryAgent';

const OPTIONS = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];
const CANCELLED = [{ outcome: { outcome: 'cancelled' } }];

describe('a cancel with open questions', () => {
  it('CA-3 PE-5 CA-1 answers them as cancelled, then tells the agent, and answers late ones too', async () => {
    const agent = new MemoryAgent({}, { 'session/prompt': () => LATER });
    let asked = 0;
    const permissions = new PermissionBridge({
      state: () => session.store.state,
      onReason: () => undefined,
      log: () => undefined,
      dispatch: (_key, action) => session.store.dispatch(action),
      keepDiff,
      prompter: { ask: () => asked++, withdraw: () => undefined },
      now: () => 1_000,
    });
    const link = linkTo(agent, { ports: () => ({ permission: permissions }) });
    const session = buildSession('key', 'memory', link, () => permissions.cancelSession('key'));
    const askFor = (id: string): void =>
      agent.ask(id, 'session/request_permission', {
        sessionId: 'new-1',
        toolCall: { toolCallId: id },
        options: OPTIONS,
      });

    const turn = session.controller.prompt({ text: 'go', attachments: [] });
    await agent.until('session/prompt');
    askFor('q1');
    askFor('q2');
    while (asked < 2) await new Promise(setImmediate);
    assert.deepEqual(agent.written, ['session/new', 'session/prompt']);

    session.controller.cancelTurn();
    await agent.until('session/cancel');
    assert.deepEqual(agent.written.slice(2), ['answer "q1"', 'answer "q2"', 'session/cancel']);
    askFor('q3');
    await agent.until('answer "q3"');
    for (const id of ['q1', 'q2', 'q3']) assert.deepEqual(agent.resultsOf(id), CANCELLED);
    agent.settle('session/prompt', { stopReason: 'cancelled' });
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(asked, 2);
  });
});
