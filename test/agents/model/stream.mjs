import { pieces } from './pieces.mjs';

/** Begin a stream of server-sent events; gives the function that writes one. */
export function sse(res) {
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
  });
  return (data, event) => {
    if (!res.writableEnded && !res.destroyed)
      res.write(
        (event ? `event: ${event}\n` : '') +
          `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      );
  };
}
/** A whole answer at once. */
export async function collect(steps, alive) {
  const o = { text: '', think: '', calls: [] };
  for await (const p of pieces(steps, alive)) {
    if (p.text) o.text += p.text;
    if (p.think) o.think += p.think;
    if (p.call) o.calls.push(p.call);
  }
  return o;
}
export const usageIn = 1200;
export const usageOut = 85;
export const argStr = (c) => (typeof c.args === 'string' ? c.args : JSON.stringify(c.args));

/** Send one JSON answer. */
export function json(res, status, o) {
  const s = JSON.stringify(o);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(s) });
  res.end(s);
}
