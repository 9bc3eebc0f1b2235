import assert from 'node:assert/strict';
import { NOT_ENDED, NOT_RUN } from '../../../../src/agent/loop';
import { conversationOf } from '../../../../src/agent/events/conversation';
import type { AgentEvent, TimedEvent } from '../../../../src/agent/events/event';
import { replayOf } from '../../../../src/agent/events/replay';

const timed = (events: readonly AgentEvent[]): TimedEvent[] =>
  events.map((event, index) => ({ ...event, at: index + 1 }));

const start: AgentEvent = { type: 'session.start', sessionId: 's', cwd: '/work', version: '1' };
const prompt: AgentEvent = {
  type: 'user.message',
  messageId: 'message-1',
  blocks: [{ type: 'text', text: 'read a.txt' }],
};
const begin = (n: number): AgentEvent => ({
  type: 'assistant.turn_start',
  turnId: `model-call-${n}`,
  index: n,
});
const answer = (n: number, ...tools: string[]): AgentEvent => ({
  type: 'assistant.message',
  turnId: `model-call-${n}`,
  messageId: `message-${2 * n}`,
  thoughtId: `message-${2 * n + 1}`,
  text: `answer ${n}`,
  thought: n === 1 ? 'hm' : '',
  toolRequests: tools.map((id) => ({ id, name: 'read_file', input: { path: 'a.txt' } })),
});
const toolStart = (id: string): AgentEvent => ({
  type: 'tool.execution_start',
  turnId: 'model-call-1',
  toolCallId: id,
  name: 'read_file',
  input: { path: 'a.txt' },
  title: 'Read a.txt',
  kind: 'read',
});
const toolEnd = (id: string): AgentEvent => ({
  type: 'tool.execution_complete',
  turnId: 'model-call-1',
  toolCallId: id,
  name: 'read_file',
  status: 'completed',
  output: 'one',
  content: [{ type: 'terminal', terminalId: 't' }],
});
const end = (n: number, toolRequests: number): AgentEvent => ({
  type: 'assistant.turn_end',
  turnId: `model-call-${n}`,
  toolRequests,
});

const whole: AgentEvent[] = [
  start,
  { type: 'session.title', title: 'Read' },
  prompt,
  begin(1),
  answer(1, 'tool-call-1', 'tool-call-2'),
  toolStart('tool-call-1'),
  toolEnd('tool-call-1'),
  toolStart('tool-call-2'),
  toolEnd('tool-call-2'),
  end(1, 2),
  begin(2),
  answer(2),
  end(2, 0),
];

describe('conversation of an event log', () => {
  it('MI-1 knows the ids that were given to a call whose answer was lost', () => {
    const cut = [...whole.slice(0, 3), { ...begin(1), thoughtId: 'message-3' } as AgentEvent];
    assert.equal(conversationOf(timed(cut)).messages, 3);
  });

  it('is what the model is given, with the numbers to go on with', () => {
    const { history, started, ended, messages, toolCalls, title, cwd, interrupted, updatedAt } =
      conversationOf(timed(whole));
    assert.deepEqual(
      history.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'tool', 'assistant'],
    );
    assert.deepEqual(
      { started, ended, messages, toolCalls, title, cwd, interrupted, updatedAt },
      {
        started: 2,
        ended: 2,
        messages: 5,
        toolCalls: 2,
        title: 'Read',
        cwd: '/work',
        interrupted: false,
        updatedAt: whole.length,
      },
    );
  });

  it('is interrupted wherever its process ended, and has a result for each request of a tool all the same', () => {
    const first = whole.indexOf(prompt) + 1;
    for (let length = first; length < whole.length; length++) {
      const { interrupted, history, started, ended } = conversationOf(timed(whole.slice(0, length)));
      assert.equal(interrupted, true, `after ${whole[length - 1]?.type}`);
      assert.ok(started - ended === 0 || started - ended === 1);
      const asked = history.flatMap((item) =>
        item.role === 'assistant' ? item.toolRequests.map(({ id }) => id) : [],
      );
      const answered = history.flatMap((item) => (item.role === 'tool' ? [item.requestId] : []));
      assert.deepEqual(answered, asked);
    }
  });

  it('tells the model of a call in which the process ended that a part of it may be done', () => {
    const start = whole.findIndex(({ type }) => type === 'tool.execution_start');
    const outputs = [start, start + 1].map((length) =>
      conversationOf(timed(whole.slice(0, length))).history.flatMap((item) =>
        item.role === 'tool' ? [item.output] : [],
      ),
    );
    assert.ok(outputs[0]?.every((output) => output === NOT_RUN));
    assert.equal(outputs[1]?.[0], NOT_ENDED);
  });

  it('is not interrupted after a cancel, an error, or the word that the task is done', () => {
    const cut = whole.slice(0, whole.indexOf(prompt) + 3);
    const closed = [...cut, toolEnd('tool-call-1'), end(1, 2)];
    for (const last of [
      { type: 'session.cancelled' },
      { type: 'session.error', kind: 'failed', message: 'x' },
      { type: 'session.task_complete' },
    ] satisfies AgentEvent[])
      assert.equal(conversationOf(timed([...closed, last])).interrupted, false, last.type);
    assert.equal(conversationOf(timed(closed)).interrupted, true);
  });

  it('forgets that a task was complete with the next prompt of the person, not with a nudge', () => {
    const done: AgentEvent[] = [...whole, { type: 'session.task_complete', summary: 'all' }];
    assert.deepEqual(conversationOf(timed(done)).taskComplete, { summary: 'all' });
    assert.equal(conversationOf(timed([...done, prompt])).taskComplete, undefined);
    const nudge: AgentEvent = { ...prompt, synthetic: { reason: 'autopilot_nudge', n: 1 } };
    const nudged = conversationOf(timed([...done, nudge]));
    assert.deepEqual(nudged.taskComplete, { summary: 'all' });
    assert.deepEqual(nudged.history.at(-1), { role: 'user', text: 'read a.txt', synthetic: true });
  });
});

describe('replay of an event log', () => {
  it('SE-8 shows all of it in its order, a terminal by its output', () => {
    const updates = replayOf(timed(whole), { syntheticMessages: false });
    assert.deepEqual(
      updates.map(({ sessionUpdate }) => sessionUpdate),
      [
        'session_info_update',
        'user_message_chunk',
        'agent_thought_chunk',
        'agent_message_chunk',
        'tool_call',
        'tool_call',
        'agent_message_chunk',
      ],
    );
    const call = updates.find(({ sessionUpdate }) => sessionUpdate === 'tool_call');
    assert.ok(call?.sessionUpdate === 'tool_call');
    assert.deepEqual(call.content, [{ type: 'content', content: { type: 'text', text: 'one' } }]);
    assert.equal(call.status, 'completed');
  });

  it('shows a call that never ended as failed, and says why', () => {
    const cut = timed(whole.slice(0, whole.findIndex(({ type }) => type === 'tool.execution_start') + 1));
    const call = replayOf(cut, { syntheticMessages: false }).at(-1);
    assert.ok(call?.sessionUpdate === 'tool_call');
    assert.equal(call.status, 'failed');
    assert.deepEqual(call._meta, { 'parley.agentLoop': { turnId: 'model-call-1', interrupted: true } });
  });

  it('shows messages that the agent wrote for the user as such, or not at all', () => {
    const nudge: AgentEvent = { ...prompt, synthetic: { reason: 'autopilot_nudge', n: 1 } };
    assert.deepEqual(replayOf(timed([nudge]), { syntheticMessages: false }), []);
    const [update] = replayOf(timed([nudge]), { syntheticMessages: true });
    assert.deepEqual(update?._meta, {
      'parley.agentLoop': { synthetic: true, reason: 'autopilot_nudge', n: 1 },
    });
  });
});
