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

  it('TR-3 writes one message per line whatever the text holds', async () => {
    const wire = new WirePair();
    void wire.connection.request('session/prompt', { text: 'a\nb\u2028c\r\n' }).catch(() => undefined);
    assert.deepEqual((await wire.next())['params'], { text: 'a\nb\u2028c\r\n' });
    wire.connection.dispose();
  });
});
