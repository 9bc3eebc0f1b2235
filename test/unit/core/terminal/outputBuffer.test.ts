import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OutputBuffer, utf8Length } from '../../../../src/core/terminal/outputBuffer';

/** The longest tail within the limit, found the slow way. */
function naiveTail(text: string, limit: number): string {
  const characters = Array.from(text);
  while (Buffer.byteLength(characters.join('')) > limit) characters.shift();
  return characters.join('');
}

const text = fc.string({
  unit: fc.constantFrom('a', 'é', '漢', '😀', '\n', '\u001b[0m', 'xyz'),
  maxLength: 40,
});

function filled(limit: number, ...chunks: string[]): OutputBuffer {
  const buffer = new OutputBuffer(limit);
  for (const chunk of chunks) buffer.append(chunk);
  return buffer;
}

describe('OutputBuffer', () => {
  it('TE-7 keeps the longest tail that fits, cut at a character, whatever the chunks', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), fc.integer({ min: 0, max: 120 }), (chunks, limit) => {
        const all = chunks.join('');
        const buffer = filled(limit, ...chunks);
        assert.equal(buffer.text(), naiveTail(all, limit));
        assert.equal(buffer.truncated, Buffer.byteLength(all) > limit);
      }),
    );
  });

  it('TE-7 gives the same when it is read between the chunks', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), fc.integer({ min: 0, max: 60 }), (chunks, limit) => {
        const buffer = new OutputBuffer(limit);
        for (const chunk of chunks) {
          buffer.append(chunk);
          assert.ok(Buffer.byteLength(buffer.text()) <= limit);
        }
        assert.equal(buffer.text(), naiveTail(chunks.join(''), limit));
      }),
    );
  });

  it('TE-7 counts what the program wrote, not the CR that a pty adds', () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 8 }),
        fc.integer({ min: 0, max: 60 }),
        fc.boolean(),
        (chunks, limit, reads) => {
          const buffer = new OutputBuffer(limit, true);
          for (const chunk of chunks) {
            buffer.append(chunk.replaceAll('\n', '\r\n'));
            if (reads) buffer.text();
          }
          const all = chunks.join('');
          assert.equal(buffer.text(), naiveTail(all, limit));
          assert.equal(buffer.truncated, Buffer.byteLength(all) > limit);
        },
      ),
    );
  });

  it('TE-7 leaves a CR that the program wrote before its line end, however often it is read', () => {
    const buffer = new OutputBuffer(100, true);
    buffer.append('a\r\r\n');
    assert.equal(buffer.text(), 'a\r\n');
    assert.equal(buffer.text(), 'a\r\n');
  });

  it('TE-6 stays truncated from the first dropped byte on', () => {
    const buffer = filled(4, 'abcde');
    assert.equal(buffer.text(), 'bcde');
    assert.equal(buffer.truncated, true);
  });

  it('TE-7 with a limit of 0 keeps nothing and is truncated once something was printed', () => {
    assert.equal(filled(0).truncated, false);
    const buffer = filled(0, 'x');
    assert.equal(buffer.text(), '');
    assert.equal(buffer.truncated, true);
  });

  it('TE-7 cuts between characters of several bytes and stays slightly below the limit', () => {
    assert.equal(filled(5, '漢漢').text(), '漢');
    assert.equal(filled(6, '漢漢').text(), '漢漢');
    assert.equal(filled(3, '😀😀').text(), '');
  });

  it('counts bytes as UTF-8 does, a lone surrogate as the replacement character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        assert.equal(utf8Length(any), Buffer.byteLength(any));
      }),
    );
    assert.equal(utf8Length('\ud800x'), Buffer.byteLength('\ud800x'));
  });
});
