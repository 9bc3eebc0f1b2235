// Says much: "fill N" gives N thoughts, each with a message, at once; "stream N" gives N paragraphs, one each 30 ms.
import { say, serve, textOf, update, words } from './line.mjs';

const PAUSE = 30;

serve({
  'session/prompt': async ({ sessionId, prompt }) => {
    const [what, count] = textOf(prompt).split(' ');
    for (let n = 1; n <= Number(count); n++) {
      if (what === 'fill') {
        update(sessionId, words(`Thinking about ${n}`, 'agent_thought_chunk'));
        say(sessionId, `Message **${n}** with some words that are there to be read.`);
      } else {
        say(sessionId, `Paragraph ${n} of the stream.\n\n`);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
    return { stopReason: 'end_turn' };
  },
});
