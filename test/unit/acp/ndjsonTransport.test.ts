import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import type { Message } from 'vscode-jsonrpc/node';
import { NdjsonMessageReader, NdjsonMessageWriter } from '../../../src/acp/ndjsonTransport';

const line = (text: string): string => JSON.stringify({ jsonrpc: '2.0', method: 'm', params: { text } });

/** What a reader makes of pieces of bytes: messages' texts, and skipped lines. */
async function read(
  pieces: (string | Buffer)[],
  maxBytes?: number,
): Promise<{ texts: string[]; skipped: string[] }> {
  const stream = new PassThrough();
  const texts: string[] = [];
  const skipped: string[] = [];
  const reader = new NdjsonMessageReader(stream, { skippedLine: (text) => skipped.push(text) }, maxBytes);
  const closed = new Promise<void>((resolve) => reader.onClose(() => resolve()));
  reader.listen((message) => texts.push((message as unknown as { params: { text: string } }).params.text));
  for (const piece of pieces) stream.write(piece);
  stream.end();
  await closed;
  return { texts, skipped };
}

describe('the transport', () => {
  it('TR-11 takes CR LF, a BOM, blank lines and a last line without an end', async () => {
    assert.deepEqual(await read([`\uFEFF${line('a')}\r\n\r\n  \n${line('b')}\n`, line('c')]), {
      texts: ['a', 'b', 'c'],
      skipped: [],
    });
  });

  it('TR-2 TR-11 puts characters together that were split', async () => {
    const bytes = Buffer.from(`${line('é€😀')}\n`);
    assert.deepEqual(await read([...bytes].map((byte) => Buffer.of(byte))), { texts: ['é€😀'], skipped: [] });
  });

  it('TR-2 replaces what is no UTF-8 and loses nothing else', async () => {
    const bytes = Buffer.from(`${line('a?b')}\n${line('next')}\n`);
    bytes[bytes.indexOf('?')] = 0xff;
    assert.deepEqual(await read([bytes]), { texts: ['a\uFFFDb', 'next'], skipped: [] });
  });

  it('TR-11 drops a line over the limit, says its size and goes on', async () => {
    const { texts, skipped } = await read([line('x'.repeat(500)), `\n${line('next')}\n`], 200);
    assert.deepEqual(texts, ['next']);
    assert.deepEqual(skipped, [`(a line of ${line('x'.repeat(500)).length} bytes, which is over the limit)`]);
  });

  it('TR-5 cuts a long line for the log', async () => {
    const { skipped } = await read([`${'x'.repeat(100_000)}\n`]);
    assert.match(skipped[0] ?? '', /^x{4000}… \(96000 more\)$/);
  });

  it('TR-9 closes once, whichever end comes first', () => {
    const stream = new PassThrough();
    const reader = new NdjsonMessageReader(stream, { skippedLine: () => undefined });
    let closed = 0;
    const texts: unknown[] = [];
    reader.onClose(() => closed++);
    reader.listen((message) => texts.push(message));
    stream.emit('data', Buffer.from(line('unfinished')));
    reader.end();
    reader.end();
    stream.emit('end');
    stream.emit('data', Buffer.from(`${line('too late')}\n`));
    assert.equal(closed, 1);
    assert.equal(texts.length, 1);
  });

  it('TR-6 tells of an agent that does not read its input once, and again after it did', async () => {
    const told: number[] = [];
    let taken: () => void = () => undefined;
    const stuck = new Writable({ write: (_chunk, _encoding, done) => void (taken = done) });
    const writer = new NdjsonMessageWriter(stuck, { backlog: (bytes) => told.push(bytes) });
    const message = { jsonrpc: '2.0', method: 'm', params: 'x'.repeat(6 * 1024 * 1024) } as Message;
    const first = writer.write(message);
    assert.deepEqual(told, []);
    const rest = [writer.write(message), writer.write(message)];
    assert.equal(told.length, 1);
    assert.ok((told[0] ?? 0) > 8 * 1024 * 1024);
    taken();
    await first;
    stuck.destroy();
    // What was being written is out; what waited behind it is not.
    taken();
    const [second, third] = await Promise.allSettled(rest);
    assert.deepEqual([second?.status, third?.status], ['fulfilled', 'rejected']);
    await assert.rejects(writer.write(message), /does not read any more/);
  });
});
