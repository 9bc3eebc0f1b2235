// Begins a call and waits for a cancel; ends the turn late: node slowStop.mjs [--late MS] [--exit MS]
//   --late MS  from session/cancel to the prompt's answer (300); updates come in between
//   --exit MS  from the end of stdin to the exit (0); SIGTERM is ignored meanwhile
// Prompts: "error" answers the cancelled prompt with -32603 "aborted"; "never" with nothing; "quick" needs no cancel.
import { argument, Failure, say, serve, textOf, update } from './line.mjs';

const late = Number(argument('late', '300'));
const exit = Number(argument('exit', '0'));
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let cancelled = () => undefined;
if (exit > 0) {
  process.on('SIGTERM', () => undefined);
  process.stdin.on('end', () => setTimeout(() => process.exit(0), exit));
}

serve(
  {
    'session/prompt': async ({ sessionId, prompt }) => {
      const text = textOf(prompt);
      if (text === 'quick') return { stopReason: 'end_turn' };
      update(sessionId, {
        sessionUpdate: 'tool_call',
        toolCallId: 'slow',
        title: 'Slow work',
        status: 'in_progress',
      });
      say(sessionId, 'working');
      await new Promise((resolve) => (cancelled = resolve));
      await wait(late);
      if (text === 'never') return undefined;
      update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId: 'slow', status: 'completed' });
      say(sessionId, ' and stopped');
      if (text === 'error')
        throw new Failure(-32603, 'Internal error', { details: 'This operation was aborted' });
      return { stopReason: 'cancelled' };
    },
  },
  { 'session/cancel': () => cancelled() },
);
