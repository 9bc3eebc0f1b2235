import assert from 'node:assert/strict';
import { WirePair } from '../../support/memoryTransport';

const note = (value: string) => ({ jsonrpc: '2.0', method: 'session/update', params: { value } });

/** A connection that writes down what was handled, in the order it was. */
function logging() {
  const seen: string[] = [];
  const pair = new WirePair({
    requests: { ask: () => void seen.push('request') },
    notifications: {
      'session/update': (params) => {
        const { value } = params as { value: string };
        seen.push(value);
        if (value === 'broken') throw new Error('cannot be handled');
      },
    },
    onUnknownNotification: (method) => seen.push(method),
  });
  return { pair, seen };
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise(setImmediate);
}

describe('the order of the wire', () => {
  it('SU-7 holds among updates, answers, requests and unknown notifications of one piece', async () => {
    const { pair, seen } = logging();
    const settled = (async () => {
      await pair.connection.request('session/prompt', {});
      // What follows an answer takes some more steps, as in a turn.
      for (let n = 0; n < 20; n++) await Promise.resolve();
      seen.push('answer');
    })();
    const { id } = await pair.next();
    const ask = { jsonrpc: '2.0', id: 'r', method: 'ask', params: {} };
    const unknown = { jsonrpc: '2.0', method: 'other', params: {} };
    pair.send(note('1'), note('2'), { jsonrpc: '2.0', id, result: {} }, note('3'), ask, note('4'));
    pair.send(unknown, note('5'));
    await until(() => seen.includes('5'));
    await settled;
    assert.deepEqual(seen, ['1', '2', 'answer', '3', 'request', '4', 'other', '5']);
  });

  it('SU-7 SU-4 goes on after an update that can not be handled, one that waits and one that does not', async () => {
    const { pair, seen } = logging();
    const ask = { jsonrpc: '2.0', id: 'r', method: 'ask', params: {} };
    pair.send(note('broken'), note('1'), ask, note('broken'), note('2'));
    await until(() => seen.includes('2'));
    assert.deepEqual(seen, ['broken', '1', 'request', 'broken', '2']);
  });

  it('SU-7 handles updates at once where nothing waits before them', async () => {
    const { pair, seen } = logging();
    const count = 1_000;
    pair.send(...Array.from({ length: count }, (_, at) => note(String(at))));
    let turns = 0;
    while (seen.length < count) {
      await new Promise(setImmediate);
      turns++;
    }
    assert.ok(turns < 20, `took ${turns} turns of the event loop`);
  });

  it('TR-9 CA-7 ends with its stream after requests were cancelled', async () => {
    const { pair, seen } = logging();
    const cancel = { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'r' } };
    pair.send({ jsonrpc: '2.0', id: 'r', method: 'ask', params: {} }, cancel, note('1'));
    await until(() => seen.includes('1'));
    pair.send(cancel, note('2'));
    pair.input.end();
    await pair.connection.closed;
    assert.deepEqual(seen, ['request', '1', '2']);
  });

  it('SU-7 reads on after each pause, however many requests come', async () => {
    const { pair, seen } = logging();
    for (let n = 0; n < 200; n++) {
      pair.send({ jsonrpc: '2.0', id: n, method: 'ask', params: {} }, note(String(n)));
    }
    await until(() => seen.length === 400);
    const expected = Array.from({ length: 200 }, (_, n) => ['request', String(n)]).flat();
    assert.deepEqual(seen, expected);
  });
});
