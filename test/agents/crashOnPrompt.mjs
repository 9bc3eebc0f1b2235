// Ends in the middle of an answer; the prompt says how: "exit 3", "signal SIGKILL", "close" (only stdout), "half" (in a line).
// Before that it says something, leaves a call open and writes to stderr. Any other prompt is said back.
import { closeSync } from 'node:fs';
import { lineOf, say, serve, textOf, update, updateOf, words } from './line.mjs';

const flushed = (stream, text) => new Promise((resolve) => stream.write(text, resolve));
const ends = {
  exit: (code) => process.exit(Number(code)),
  signal: (name) => process.kill(process.pid, name),
  close: () => closeSync(1),
  half: async (_, sessionId) => {
    await flushed(process.stdout, lineOf(updateOf(sessionId, words('never seen'))).slice(0, 40));
    process.exit(1);
  },
};

serve({
  'session/prompt': async ({ sessionId, prompt }) => {
    const [how, what] = textOf(prompt).split(' ');
    if (!ends[how]) {
      say(sessionId, textOf(prompt));
      return { stopReason: 'end_turn' };
    }
    say(sessionId, 'I will just');
    update(sessionId, {
      sessionUpdate: 'tool_call',
      toolCallId: 'open',
      title: 'Work',
      status: 'in_progress',
    });
    await flushed(process.stderr, 'panic: out of luck\n');
    await flushed(process.stdout, '');
    await ends[how](what, sessionId);
    return undefined;
  },
});
