// An ACP agent that answers a prompt with one long message in small chunks, and between them changes files by itself, each told
// as a tool call.
//   node test/bench/editAgent.mjs CHUNKS MS FILE...    MS: pause between two chunks
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { sampleChunks } from './sample.mjs';

const [count, pause] = process.argv.slice(2, 4).map(Number);
const files = process.argv.slice(4);
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const update = (sessionId, content) =>
  send({ method: 'session/update', params: { sessionId, update: content } });

/** Changes a line in the middle and adds one at the end, as `sed -i` and `echo` would. */
function change(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  lines[Math.floor(lines.length / 2)] = '// changed';
  writeFileSync(path, lines.join('\n'));
  appendFileSync(path, '// added\n');
}

function edit(sessionId, path, at) {
  const toolCallId = `call-${at}`;
  const call = { toolCallId, title: `sed -i ${path}`, kind: 'execute', locations: [{ path }] };
  update(sessionId, { sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
  change(path);
  update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
}

async function run(sessionId) {
  const every = Math.max(1, Math.floor(count / files.length));
  const chunks = sampleChunks(count);
  for (const [at, text] of chunks.entries()) {
    update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    const path = at % every === every - 1 ? files[(at + 1) / every - 1] : undefined;
    if (path) edit(sessionId, path, at);
    await (pause > 0 ? setTimeout(pause) : setImmediate());
  }
}

const answers = {
  initialize: () => ({ protocolVersion: 1, agentInfo: { name: 'edit', title: 'Edit', version: '1.0.0' } }),
  'session/new': () => ({ sessionId: 'edit-1' }),
  'session/prompt': async ({ sessionId }) => {
    await run(sessionId);
    return { stopReason: 'end_turn' };
  },
};
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  send({ id, result: (await answers[method]?.(params)) ?? {} });
});
