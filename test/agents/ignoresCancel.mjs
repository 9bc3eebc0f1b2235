// Begins an answer and never ends it, whatever the client says; a second process of it is as stubborn as the first.
import { createInterface } from 'node:readline';

const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const content = { type: 'text', text: 'I go on and on' };
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { protocolVersion: 1 } });
  if (method === 'session/new') send({ id, result: { sessionId: 'stubborn' } });
  if (method !== 'session/prompt') return;
  const { sessionId } = params;
  send({
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } },
  });
});
