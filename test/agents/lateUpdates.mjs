// Goes on after the answer to a prompt: updates in the same write, then some more; they belong to a turn that is over.
// Prompts: "work" leaves a call open and completes it afterwards; "ask" asks a permission afterwards; any other only talks.
// node lateUpdates.mjs [--later MS]: from the answer to the second part (100)
import { argument, ask, lineOf, say, serve, textOf, update, updateOf, words } from './line.mjs';

const later = Number(argument('later', '100'));
const options = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];

function afterwards(sessionId, text) {
  if (text === 'work')
    update(sessionId, {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'late',
      status: 'completed',
      title: 'Done late',
    });
  say(sessionId, ' and later still');
  update(sessionId, { sessionUpdate: 'usage_update', used: 20, size: 100 });
  if (text === 'ask')
    void ask('session/request_permission', {
      sessionId,
      toolCall: { toolCallId: 'late', title: 'Too late' },
      options,
    });
}

serve({
  'session/prompt': ({ sessionId, prompt }, id) => {
    const text = textOf(prompt);
    say(sessionId, 'in time,');
    if (text === 'work')
      update(sessionId, {
        sessionUpdate: 'tool_call',
        toolCallId: 'late',
        title: 'Work',
        status: 'in_progress',
      });
    process.stdout.write(
      lineOf({ id, result: { stopReason: 'end_turn' } }) + lineOf(updateOf(sessionId, words(' too late'))),
    );
    setTimeout(afterwards, later, sessionId, text);
    return undefined;
  },
});
