import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineSplitter } from '../../../src/core/ndjson';

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

function split(chunks: Uint8Array[], maxBytes = 1_000): string[] {
  const splitter = new LineSplitter(maxBytes);
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()].map((found) =>
    'line' in found ? decode(found.line) : `dropped ${found.droppedBytes}`,
  );
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('LineSplitter', () => {
  it('TR-11 gives the same lines however the bytes are cut', () => {
    const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n]/g, '·'));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.array(fc.nat(40)), (lines, cuts) => {
        const whole = bytes(lines.map((item) => `${item}\n`).join(''));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of cuts) {
          chunks.push(whole.subarray(at, at + size));
          at += size;
        }
        chunks.push(whole.subarray(Math.min(at, whole.length)));
        assert.deepEqual(
          split(chunks, 1e6),
          lines.map((item) => decode(bytes(item))),
        );
      }),
    );
  });

  it('TR-11 takes CR LF and an empty line', () => {
    assert.deepEqual(split([bytes('a\r\n\r'), bytes('\nb\n')]), ['a', '', 'b']);
  });

  it('TR-11 keeps a separator that is no line end: U+2028, a lone CR', () => {
    assert.deepEqual(split([bytes('a\u2028b\rc\n')]), ['a\u2028b\rc']);
  });

  it('TR-11 gives the last line without its end', () => {
    assert.deepEqual(split([bytes('a\nb')]), ['a', 'b']);
  });

  it('TR-11 drops a line over the limit and goes on with the next', () => {
    assert.deepEqual(split([bytes('x'.repeat(6)), bytes('y'.repeat(6)), bytes('\nok\n')], 10), [
      'dropped 12',
      'ok',
    ]);
  });

  it('TR-11 keeps bytes that the stream overwrites later', () => {
    const buffer = bytes('ab');
    const splitter = new LineSplitter(100);
    splitter.push(buffer);
    buffer.fill(0x7a);
    const [found] = splitter.push(bytes('\n'));
    assert.ok(found && 'line' in found);
    assert.equal(decode(found.line), 'ab');
  });
});
