import assert from 'node:assert/strict';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { isConnectionClosed } from '../../../src/acp/wireErrors';
import { WireError } from '../../../src/core/errors';
import { WirePair } from '../../support/memoryTransport';

const request = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const notification = (method: string, params: object = {}) => ({ jsonrpc: '2.0', method, params });

function logged() {
  const log: string[] = [];
  const take = (text: string): void => void log.push(text);
  return { log, logger: { error: take, warn: take, info: take, log: take } };
}

describe('the ACP connection', () => {
  it('SU-7 handles every update that came before an answer before the answer settles', async () => {
    const seen: string[] = [];
    const wire = new WirePair({
      notifications: { 'session/update': (params) => seen.push((params as { n: string }).n) },
    });
    const answer = wire.connection.request('session/prompt', {}).then(() => seen.push('answer'));
    const { id } = await wire.next();
    const update = (n: string) => notification('session/update', { n });
    wire.send(update('1'), update('2'), update('3'), { jsonrpc: '2.0', id, result: {} }, update('4'));
    await answer;
    while (seen.length < 5) await new Promise(setImmediate);
    assert.deepEqual(seen, ['1', '2', '3', 'answer', '4']);
  });

  it('RP-2 answers a request with the very id that it came with', async () => {
    const wire = new WirePair({ requests: { echo: (params) => params } });
    for (const id of [0, '', '0', 17, 'a-b']) {
      wire.send(request(id, 'echo', { id }));
      assert.deepEqual(await wire.next(), { jsonrpc: '2.0', id, result: { id } });
    }
  });

  it('EX-4 RP-3 answers an unknown request with -32601 and an unknown notification not at all', async () => {
    const unknown: string[] = [];
    const wire = new WirePair({ onUnknownNotification: (method) => unknown.push(method) });
    wire.send(notification('_x/news'), notification('_x/news'), request(1, '_x/do'));
    const answer = await wire.next();
    assert.equal((answer['error'] as { code: number }).code, -32601);
    assert.deepEqual(unknown, ['_x/news']);
  });

  it('RP-3 answers a WireError with its code and data, and any other error without its text', async () => {
    const wire = new WirePair({
      requests: {
        missing: () => Promise.reject(WireError.notFound('The file', { uri: 'file:///x' })),
        broken: () => Promise.reject(new Error('secret /home/me')),
      },
    });
    wire.send(request(1, 'missing'));
    assert.deepEqual((await wire.next())['error'], {
      code: -32002,
      message: 'The file was not found.',
      data: { uri: 'file:///x' },
    });
    wire.send(request(2, 'broken'));
    const { code, message } = (await wire.next())['error'] as { code: number; message: string };
    assert.equal(code, -32603);
    assert.ok(!message.includes('secret'));
  });

  it('RP-2 keeps requests apart whose ids are null, fractional, alike but of another type, or used twice', async () => {
    const wire = new WirePair({ requests: { echo: (params) => params } });
    const ids = [null, 1, '1', 1.5, null, 1, -3];
    // In one write, so that all wait together.
    wire.send(...ids.map((id, n) => request(id, 'echo', { n })));
    for (const [n, id] of ids.entries())
      assert.deepEqual(await wire.next(), { jsonrpc: '2.0', id, result: { n } });
  });

  it('RP-1 RP-2 ignores a request whose id is none', async () => {
    const { logger, log } = logged();
    const wire = new WirePair({ requests: { echo: (params) => params }, logger });
    wire.send(request({ a: 1 }, 'echo'), request(true, 'echo'), request(1, 'echo', { ok: true }));
    assert.deepEqual((await wire.next())['result'], { ok: true });
    assert.equal(log.filter((line) => /Ignored a request echo/.test(line)).length, 2);
  });

  it('RP-3 hands over parameters as they are, also a list or none', async () => {
    const seen: unknown[] = [];
    const take = (params: unknown): object => ({ n: seen.push(params) });
    const wire = new WirePair({ requests: { echo: take }, notifications: { told: take } });
    const message = { jsonrpc: '2.0', method: 'echo' };
    wire.send(
      { ...message, id: 1 },
      { ...message, id: 2, params: [1, 2] },
      { ...message, id: 3, params: null },
    );
    wire.send({ ...message, method: 'told' }, { ...message, method: 'told', params: ['x', 'y'] });
    wire.send(request(4, 'echo', { last: true }));
    for (const n of [1, 2, 3, 6]) assert.deepEqual((await wire.next())['result'], { n });
    assert.deepEqual(seen, [undefined, [1, 2], null, undefined, ['x', 'y'], { last: true }]);
  });

  it('EX-4 has no methods that objects have by nature', async () => {
    const wire = new WirePair();
    wire.send(notification('toString'), request(1, 'constructor'));
    assert.equal(((await wire.next())['error'] as { code: number }).code, -32601);
  });

  it('RP-10 ignores and logs answers to requests that were never made or are answered', async () => {
    const { logger, log } = logged();
    const wire = new WirePair({ requests: { ping: () => ({}) }, logger });
    const answer = wire.connection.request('session/new', {});
    const { id } = await wire.next();
    const answerOf = (own: unknown, n: number) => ({ jsonrpc: '2.0', id: own, result: { n } });
    wire.send(answerOf(99, 1), answerOf('x', 2), answerOf(null, 3), answerOf(id, 4), answerOf(id, 5));
    wire.send(request(1, 'ping'));
    assert.deepEqual(await answer, { n: 4 });
    assert.equal((await wire.next())['id'], 1);
    assert.deepEqual(
      log.map((line) => /answer to the request (.*), which/.exec(line)?.[1]),
      ['99', '"x"', 'null', '0'],
    );
  });

  it('RP-2 takes an answer whose id came back as text, without a result, or without "jsonrpc"', async () => {
    const wire = new WirePair();
    const ask = async (answer: (id: unknown) => object): Promise<unknown> => {
      const asked = wire.connection.request('session/close', {});
      wire.send(answer((await wire.next())['id']));
      return asked;
    };
    assert.deepEqual(await ask((id) => ({ jsonrpc: '2.0', id: String(id), result: 'text' })), 'text');
    assert.equal(await ask((id) => ({ jsonrpc: '2.0', id })), null);
    assert.equal(await ask((id) => ({ jsonrpc: '2.0', id, result: null, error: null })), null);
    assert.equal(await ask((id) => ({ id, result: 7 })), 7);
  });

  it('RP-3 makes an error of whatever an agent answers as one', async () => {
    const wire = new WirePair();
    for (const [error, code, message] of [
      ['broken', -32603, 'broken'],
      [{ code: 'E1', message: 'text as code' }, -32603, 'text as code'],
      [{ code: 42 }, 42, 'The request failed.'],
      [{ code: -32099, message: 'of the agent' }, -32099, 'of the agent'],
    ] as const) {
      const asked = wire.connection.request('x', {}).catch((reason: unknown) => reason);
      wire.send({ jsonrpc: '2.0', id: (await wire.next())['id'], error });
      const { code: gotCode, message: gotMessage } = (await asked) as { code: number; message: string };
      assert.deepEqual([gotCode, gotMessage], [code, message]);
      assert.ok(!isConnectionClosed(await asked));
    }
  });

  it('CA-7 sends $/cancel_request with the id of the request', async () => {
    const wire = new WirePair();
    const source = new CancellationTokenSource();
    const answer = wire.connection.request('session/load', {}, source.token).catch(() => 'failed');
    const { id } = await wire.next();
    source.cancel();
    assert.deepEqual(await wire.next(), notification('$/cancel_request', { requestId: id }));
    wire.send({ jsonrpc: '2.0', id, error: { code: -32800, message: 'cancelled' } });
    assert.equal(await answer, 'failed');
  });

  it('CA-13 waits for the answer after a cancel, and takes the one that comes', async () => {
    const wire = new WirePair();
    const source = new CancellationTokenSource();
    let settled = false;
    const answer = wire.connection.request('session/list', {}, source.token).finally(() => (settled = true));
    const { id } = await wire.next();
    source.cancel();
    await wire.next();
    await new Promise(setImmediate);
    assert.equal(settled, false);
    wire.send({ jsonrpc: '2.0', id, result: { sessions: ['part'] } });
    assert.deepEqual(await answer, { sessions: ['part'] });
  });

  it('CA-8 answers a request that the other side cancels with -32800', async () => {
    const wire = new WirePair({
      requests: {
        wait: (_params, signal) =>
          new Promise((_, reject) =>
            signal.aborted
              ? reject(new Error('stopped'))
              : signal.addEventListener('abort', () => reject(new Error('stopped'))),
          ),
      },
    });
    wire.send(request('w', 'wait'), notification('$/cancel_request', { requestId: 'w' }));
    const answer = await wire.next();
    assert.equal(answer['id'], 'w');
    assert.equal((answer['error'] as { code: number }).code, -32800);
  });

  it('CA-8 answers a cancelled request whose handler does not listen', async () => {
    const wire = new WirePair({ requests: { wait: () => new Promise(() => undefined) } });
    wire.send(request('w', 'wait'));
    wire.send(notification('$/cancel_request', { requestId: 'w' }));
    assert.equal(((await wire.next())['error'] as { code: number }).code, -32800);
  });

  it('CA-8 cancels the request that is meant, by the type of its id too', async () => {
    const cancelled: unknown[] = [];
    const wait = (params: unknown, signal: AbortSignal): Promise<object> =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          cancelled.push(params);
          reject(new Error('stopped'));
        }),
      );
    const wire = new WirePair({ requests: { wait } });
    wire.send(request(1, 'wait', { n: 'number' }), request('1', 'wait', { n: 'text' }));
    await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
    wire.send(notification('$/cancel_request', { requestId: '1' }));
    assert.equal((await wire.next())['id'], '1');
    assert.deepEqual(cancelled, [{ n: 'text' }]);
  });

  for (const name of ['AbortError', 'Canceled']) {
    it(`CA-10 answers -32800 where work was called off by us (${name})`, async () => {
      const off = Object.assign(new Error('the editor closed'), { name });
      const wire = new WirePair({ requests: { work: () => Promise.reject(off) } });
      wire.send(request(1, 'work'));
      assert.deepEqual((await wire.next())['error'], { code: -32800, message: 'The request was cancelled.' });
    });
  }

  it('CA-9 lets a request live whose id was cancelled before, and takes malformed cancels', async () => {
    const wire = new WirePair({ requests: { ask: (_params, signal) => ({ aborted: signal.aborted }) } });
    const odd = [undefined, null, {}, { requestId: { a: 1 } }, { requestId: 5 }];
    wire.send(...odd.map((params) => ({ jsonrpc: '2.0', method: '$/cancel_request', params })));
    wire.send({ jsonrpc: '2.0', method: '$/cancelRequest' }, request(5, 'ask'));
    assert.deepEqual((await wire.next())['result'], { aborted: false });
    wire.send(notification('$/cancel_request', { requestId: 5 }), request(5, 'ask'));
    assert.deepEqual((await wire.next())['result'], { aborted: false });
  });

  it('CA-9 cancels nothing that is answered', async () => {
    const wire = new WirePair();
    const source = new CancellationTokenSource();
    const answer = wire.connection.request('session/load', {}, source.token);
    wire.send({ jsonrpc: '2.0', id: (await wire.next())['id'], result: {} });
    await answer;
    source.cancel();
    wire.connection.notify('session/cancel', {});
    assert.equal((await wire.next())['method'], 'session/cancel');
  });

  it('CA-9 ignores the cancel of a request that is unknown', async () => {
    const wire = new WirePair({ requests: { ping: () => ({}) } });
    wire.send(notification('$/cancel_request', { requestId: 99 }), request(1, 'ping'));
    assert.equal((await wire.next())['id'], 1);
  });

  it('TR-5 TR-12 RP-10 skips what is no message and goes on', async () => {
    const wire = new WirePair({ requests: { ping: () => ({}) } });
    wire.send('Welcome!', '', '[]', '42', 'null', '{"jsonrpc":"2.0","error":{"code":-32601,"message":"x"}}', {
      jsonrpc: '2.0',
      id: 555,
      result: {},
    });
    wire.send('\uFEFF' + JSON.stringify(request(1, 'ping')));
    assert.equal((await wire.next())['id'], 1);
    assert.deepEqual(wire.skipped, [
      'Welcome!',
      '[]',
      '42',
      'null',
      '{"jsonrpc":"2.0","error":{"code":-32601,"message":"x"}}',
    ]);
  });

  it('TR-9 fails pending requests when the other side goes away', async () => {
    const wire = new WirePair();
    const answer = wire.connection.request('session/prompt', {}).catch((error: unknown) => error);
    await wire.next();
    wire.input.end();
    assert.ok(isConnectionClosed(await answer));
    await wire.connection.closed;
  });

  it('TR-9 handles all that arrived before the end, the answer too', async () => {
    let updates = 0;
    const wire = new WirePair({ notifications: { 'session/update': () => updates++ } });
    const answer = wire.connection.request('session/prompt', {});
    const open = wire.connection.request('session/list', {}).catch((error: unknown) => error);
    const { id } = await wire.next();
    wire.send(...Array.from({ length: 500 }, () => notification('session/update')));
    wire.send({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } });
    wire.input.end(JSON.stringify(notification('session/update')));
    assert.deepEqual(await answer, { stopReason: 'end_turn' });
    await wire.connection.closed;
    assert.equal(updates, 501);
    assert.ok(isConnectionClosed(await open));
  });

  it('TR-9 is never used again when closed: each request fails with one clear error', async () => {
    const wire = new WirePair();
    wire.input.end();
    await wire.connection.closed;
    wire.connection.notify('session/cancel', {});
    for (const n of [1, 2]) {
      const error: unknown = await wire.connection
        .request('session/new', { n })
        .catch((reason: unknown) => reason);
      assert.ok(isConnectionClosed(error) && error instanceof Error);
      assert.match(error.message, /connection to the agent is closed/);
    }
  });

  it('TR-9 fails a request that cannot be written', async () => {
    const wire = new WirePair();
    wire.output.destroy();
    const error: unknown = await wire.connection.request('x', {}).catch((reason: unknown) => reason);
    assert.ok(isConnectionClosed(error));
  });

  it('TR-9 tells handlers that the connection ended', async () => {
    const ended = new Promise<void>((resolve) => {
      const wire = new WirePair({
        requests: {
          wait: (_params, signal) => new Promise(() => signal.addEventListener('abort', () => resolve())),
        },
      });
      wire.send(request(1, 'wait'));
      wire.input.end();
    });
    await ended;
  });

  it('traces what stands on the wire, answers and cancels too', async () => {
    const seen: unknown[] = [];
    const wire = new WirePair({
      requests: { ping: () => ({}) },
      trace: (direction, message) => seen.push([direction, message]),
    });
    const source = new CancellationTokenSource();
    void wire.connection.request('a', {}, source.token).catch(() => undefined);
    source.cancel();
    wire.send(request('p', 'ping'));
    const written = [await wire.next(), await wire.next(), await wire.next()];
    assert.deepEqual(
      seen.filter((item) => (item as [string])[0] === 'out').map((item) => (item as [string, unknown])[1]),
      written,
    );
    assert.deepEqual(
      seen.find((item) => (item as [string])[0] === 'in'),
      ['in', request('p', 'ping')],
    );
  });

  it('TR-3 writes one message per line whatever the text holds', async () => {
    const wire = new WirePair();
    void wire.connection.request('session/prompt', { text: 'a\nb\u2028c\r\n' }).catch(() => undefined);
    assert.deepEqual((await wire.next())['params'], { text: 'a\nb\u2028c\r\n' });
    wire.connection.dispose();
  });
});
