import assert from 'node:assert/strict';
import { cutMessage } from '../../../../src/core/traffic/cutMessage';
import type { TrafficEntry } from '../../../../src/core/traffic/entry';
import { TrafficRing } from '../../../../src/core/traffic/ring';

const entry = (seq: number, text = 'x', more: Partial<TrafficEntry> = {}): TrafficEntry => ({
  seq,
  at: seq,
  agent: 'a',
  run: 1,
  kind: 'in',
  text,
  size: text.length,
  ...more,
});
const seqs = (ring: TrafficRing): number[] => ring.all().map(({ seq }) => seq);

describe('what is kept of the traffic', () => {
  it('is bounded by the count', () => {
    const ring = new TrafficRing(3, 1_000);
    for (let seq = 1; seq <= 5; seq++) ring.add(entry(seq));
    assert.deepEqual(seqs(ring), [3, 4, 5]);
    assert.equal(ring.count, 3);
    assert.equal(ring.get(1), undefined);
    assert.equal(ring.get(4)?.seq, 4);
  });

  it('is bounded by the length, and has the newest in any case', () => {
    const ring = new TrafficRing(100, 10);
    for (let seq = 1; seq <= 4; seq++) ring.add(entry(seq, 'abcd'));
    assert.deepEqual(seqs(ring), [3, 4]);
    ring.add(entry(5, 'a'.repeat(50)));
    assert.deepEqual(seqs(ring), [5]);
  });

  it('has what opened the sessions longer than the rest, though not for ever', () => {
    const ring = new TrafficRing(8, 1_000);
    ring.add(entry(1, 'x', { opens: true }));
    for (let seq = 2; seq <= 20; seq++) ring.add(entry(seq));
    assert.deepEqual(seqs(ring), [1, 14, 15, 16, 17, 18, 19, 20]);
    for (let seq = 21; seq <= 60; seq++) ring.add(entry(seq, 'x', { opens: true }));
    assert.equal(ring.count, 8);
    assert.ok(!seqs(ring).includes(1));
    ring.clear();
    assert.equal(ring.count, 0);
  });

  it('has long messages cut, as JSON that still says what they are', () => {
    const message = {
      jsonrpc: '2.0',
      id: 7,
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'tool_call', title: 'x'.repeat(5_000) } },
    };
    assert.deepEqual(cutMessage(message, 10_000), { text: JSON.stringify(message), cut: false });
    const shorter = cutMessage(message, 3_000);
    assert.ok(shorter.cut && shorter.text.length < 3_000);
    assert.match(shorter.text, /x… \(3000 more\)/);
    const many = {
      ...message,
      params: { ...message.params, list: Array.from({ length: 5_000 }, (_, i) => i) },
    };
    assert.deepEqual(JSON.parse(cutMessage(many, 3_000).text), {
      jsonrpc: '2.0',
      id: 7,
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'tool_call' } },
    });
  });
});
