// The smallest agent that works: says back what it is told, and what the client can do when asked for "capabilities".
// With --banner it prints plain text first, with --stubborn it ignores the end of stdin and SIGTERM.
import { createInterface } from 'node:readline';

if (process.argv.includes('--banner')) console.log('Welcome to the echo agent!\n\n(c) nobody');
if (process.argv.includes('--stubborn')) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1_000);
}
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
let capabilities = '';
const answers = {
  initialize: ({ clientCapabilities }) => {
    capabilities = JSON.stringify(clientCapabilities);
    return { protocolVersion: 1, agentInfo: { name: 'echo', title: 'Echo', version: '1.0.0' } };
  },
  'session/new': () => ({ sessionId: 'echo-1' }),
  'session/prompt': ({ sessionId, prompt }) => {
    for (const block of prompt) {
      const content = block.text === 'capabilities' ? { type: 'text', text: `\`${capabilities}\`` } : block;
      send({
        method: 'session/update',
        params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } },
      });
    }
    return { stopReason: 'end_turn' };
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  send(
    answer ? { id, result: answer(params) } : { id, error: { code: -32601, message: 'Method not found' } },
  );
});
