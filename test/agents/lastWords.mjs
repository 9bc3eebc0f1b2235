// Answers a prompt with many updates and ends at once, with a child that keeps its pipes: node lastWords.mjs [--child]
// The prompt "big N" answers with one line of N bytes instead.
import { spawn } from 'node:child_process';
import { flag, lineOf, serve, textOf, updateOf, words } from './line.mjs';

serve({
  'session/prompt': ({ sessionId, prompt }, id) => {
    const [, size] = textOf(prompt).split(' ');
    if (size) {
      process.stdout.write(lineOf(updateOf(sessionId, words('x'.repeat(Number(size))))));
      return { stopReason: 'end_turn' };
    }
    const updates = Array.from({ length: 2_000 }, (_, n) => lineOf(updateOf(sessionId, words(`${n} `))));
    const child = flag('child')
      ? spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).pid
      : 0;
    process.stderr.write(`child ${child}\n`);
    process.stdout.write(updates.join('') + lineOf({ id, result: { stopReason: 'end_turn' } }), () =>
      process.exit(3),
    );
    return undefined;
  },
});
