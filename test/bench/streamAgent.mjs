// An ACP agent that answers each prompt with one long message in small chunks. The message begins with the time it was begun.
//   node test/bench/streamAgent.mjs CHUNKS [MS]    MS: pause between two chunks, 0 for none
import { createInterface } from 'node:readline';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { sampleChunks } from './sample.mjs';

const count = Number(process.argv[2] ?? 2000);
const pause = Number(process.argv[3] ?? 0);
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));

/** Sends the chunks, each in a message of its own. */
async function stream(sessionId) {
  for (const text of sampleChunks(count, `First chunk at ${Date.now()}\n\n`)) {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    send({ method: 'session/update', params: { sessionId, update } });
    await (pause > 0 ? setTimeout(pause) : setImmediate());
  }
}

const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'stream', title: 'Stream', version: '1.0.0' },
  }),
  'session/new': () => ({ sessionId: 'stream-1' }),
  'session/prompt': async ({ sessionId }) => {
    await stream(sessionId);
    return { stopReason: 'end_turn' };
  },
};
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  send(
    answer
      ? { id, result: await answer(params) }
      : { id, error: { code: -32601, message: 'Method not found' } },
  );
});
