import assert from 'node:assert/strict';
import { Conversation, FAULT_CASES, QUESTION, TOOL } from './conversation';

describe('faults in what was recorded', () => {
  for (const [title, talk, expected] of FAULT_CASES)
    it(`tell of ${title}`, () => {
      assert.deepEqual(talk(new Conversation()).faults, expected);
    });

  it('are not found in a proper conversation, nor in updates before the answer that gives the session', () => {
    const talk = new Conversation({ agent: { agentCapabilities: { sessionCapabilities: { list: {} } } } });
    talk.out({ id: 2, method: 'session/new', params: { cwd: 'C:\\work', mcpServers: [] } });
    talk.update({ sessionUpdate: 'available_commands_update', availableCommands: [] }, 'early');
    talk
      .in({ id: 2, result: { sessionId: 'early' } })
      .prompt(5)
      .update(TOOL);
    talk.in({ id: 0, method: 'session/request_permission', params: QUESTION });
    talk.out({ id: 0, result: { outcome: { outcome: 'selected', optionId: 'yes' } } });
    talk.update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed', kind: null });
    talk.in({ id: 5, result: { stopReason: 'end_turn' } });
    talk
      .out({ id: 6, method: 'session/list', params: { cwd: '/work' } })
      .in({ id: 6, result: { sessions: [] } });
    assert.deepEqual(talk.faults, []);
  });

  it('are not made of what was before the recording began', () => {
    const talk = new Conversation({ midway: true });
    talk.in({ id: 9, result: {} }).update({ sessionUpdate: 'tool_call_update', toolCallId: 'x' });
    talk.in({ id: 1, method: 'terminal/create', params: { sessionId: 's', command: 'ls' } });
    assert.deepEqual(talk.faults, []);
  });
});
