// What the small agents share: the client's lines in, the agent's lines out. Not built on the SDK, so that an agent can misbehave.
import { createInterface } from 'node:readline';

/** An error that is answered as it is. */
export class Failure extends Error {
  constructor(code, message, data) {
    super(message);
    Object.assign(this, { code, data });
  }
}

const asked = new Map();

export const lineOf = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
export const send = (message) => process.stdout.write(lineOf(message));
export const updateOf = (sessionId, update) => ({ method: 'session/update', params: { sessionId, update } });
export const update = (sessionId, what) => send(updateOf(sessionId, what));
export const words = (text, kind = 'agent_message_chunk') => ({
  sessionUpdate: kind,
  content: { type: 'text', text },
});
export const say = (sessionId, text) => update(sessionId, words(text));

/** Asks the client; gives its answer as `{result}` or `{error}`. */
export function ask(method, params, id = `ask-${asked.size + 1}`) {
  send({ id, method, params });
  return new Promise((resolve) => asked.set(id, resolve));
}

/** The text of a prompt. */
export const textOf = (prompt) => prompt.map(({ text }) => text ?? '').join('');

/** The value after `--name` on the command line. */
export function argument(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
}

/** Whether `--name` is on the command line. */
export const flag = (name) => process.argv.includes(`--${name}`);

const base = {
  initialize: () => ({ protocolVersion: 1 }),
  'session/new': () => ({ sessionId: 'session-1' }),
};

async function answer(serve, { id, method, params }) {
  try {
    if (!serve) throw new Failure(-32601, `Method not found: ${method}`);
    const result = await serve(params, id);
    if (result !== undefined) send({ id, result });
  } catch ({ code = -32603, message, data }) {
    send({ id, error: { code, message, ...(data ? { data } : {}) } });
  }
}

/** Serves requests (method → what is answered, undefined for no answer at all) and notifications (method → what is done). */
export function serve(requests, notifications = {}) {
  const all = { ...base, ...requests };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) asked.get(message.id)?.(message);
    else if (message.id === undefined) notifications[message.method]?.(message.params);
    else void answer(all[message.method], message);
  });
}
