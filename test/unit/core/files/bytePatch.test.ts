import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSameBytes, markLength, planBytePatch } from '../../../../src/core/files/bytePatch';

/** Encodings as the editor has them; `latin1` stands for all that have no mark and one byte for ASCII. */
const ENCODINGS = ['utf8', 'utf8bom', 'utf16le', 'utf16be', 'latin1'];

function encode(text: string, encoding: string, mark = ''): Buffer {
  const marked = mark + text;
  if (encoding === 'latin1') return Buffer.from(marked, 'latin1');
  if (encoding.startsWith('utf8')) return Buffer.from(marked, 'utf8');
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf16be' ? bytes.swap16() : bytes;
}

function decode(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'latin1') return Buffer.from(bytes).toString('latin1');
  const names: Record<string, string> = { utf16le: 'utf-16le', utf16be: 'utf-16be' };
  return new TextDecoder(names[encoding] ?? 'utf-8').decode(bytes);
}

/** Patches bytes as the host does, without its checks. */
function patch(bytes: Uint8Array, encoding: string, next: string): { bytes: Buffer; text: string } {
  const plan = planBytePatch({ bytes, encoding, text: decode(bytes, encoding) }, next);
  assert.ok(plan);
  const result = plan.build(plan.added === undefined ? undefined : encode(plan.added, encoding));
  assert.ok(result);
  return { bytes: Buffer.from(result), text: plan.text };
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('planBytePatch', () => {
  it('FS-10 keeps the bytes of lines that stay, whatever they are', () => {
    // Shift-JIS read as UTF-8; its bytes are in lines 1 and 3.
    const before = Buffer.concat([hex('93fa 96 0a'), Buffer.from('plain\n'), hex('8ca9 0a')]);
    const text = decode(before, 'utf8');
    const after = patch(before, 'utf8', text.replace('plain', 'simple\nlines'));
    assert.deepEqual(
      after.bytes,
      Buffer.concat([hex('93fa 96 0a'), Buffer.from('simple\nlines\n'), hex('8ca9 0a')]),
    );
  });

  it('FS-10 gives a changed line the end of the line that it replaces, an added one that of its neighbour', () => {
    const mixed = Buffer.from('one\r\ntwo\nthree\r\nfour');
    const next = 'ONE\nTWO\nthree\nfour\nfive\n';
    assert.equal(patch(mixed, 'utf8', next).bytes.toString(), 'ONE\r\nTWO\nthree\r\nfour\r\nfive\r\n');
    assert.equal(patch(mixed, 'utf8', next).text, 'ONE\r\nTWO\nthree\r\nfour\r\nfive\r\n');
    assert.equal(
      patch(mixed, 'utf8', 'one\ntwo\n2\nthree\nfour').bytes.toString(),
      'one\r\ntwo\n2\nthree\r\nfour',
    );
    assert.equal(
      patch(mixed, 'utf8', 'zero\none\ntwo\nthree\nfour').bytes.toString(),
      'zero\r\none\r\ntwo\nthree\r\nfour',
    );
    assert.equal(patch(Buffer.from('one'), 'utf8', 'one\ntwo').bytes.toString(), 'one\ntwo');
    assert.equal(patch(Buffer.from('one\r\n'), 'utf8', 'one').bytes.toString(), 'one');
  });

  it('FS-10 tells which text goes, and with which bytes', () => {
    const bytes = hex('61 ff 0d0a 62 0a 63 0a');
    const text = decode(bytes, 'utf8');
    const plan = planBytePatch({ bytes, encoding: 'utf8', text }, 'A\nB\nc\n');
    assert.equal(plan?.removed?.text, 'a\uFFFD\nb');
    assert.deepEqual(Buffer.from(plan.removed.bytes), hex('61ff 0a 62'));
    assert.equal(plan.added, 'A\nB');
    const same = planBytePatch({ bytes, encoding: 'utf8', text }, text.replaceAll('\r\n', '\n'));
    assert.equal(same?.removed, undefined);
    assert.equal(same?.added, undefined);
  });

  it('FS-10 finds no way where the lines of the bytes are not those of the text', () => {
    const plan = (bytes: string, text: string): unknown =>
      planBytePatch({ bytes: hex(bytes), encoding: 'x', text }, 'new');
    assert.equal(plan('81 0a 61', '\uFFFDa'), undefined);
    assert.equal(plan('61 0d 0a', 'a\n'), undefined);
    assert.ok(plan('61 0d 0a', 'a\r\n'));
  });

  it('FS-10 builds nothing from bytes that have other lines than were added', () => {
    const plan = planBytePatch({ bytes: hex('61'), encoding: 'utf8', text: 'a' }, 'b');
    assert.equal(plan?.build(hex('62 0a 62')), undefined);
    assert.equal(plan?.build(undefined), undefined);
  });

  it('FS-10 does not take parts of two-byte characters for line ends', () => {
    // U+0A0A and U+010A have a byte 0A.
    for (const encoding of ['utf16le', 'utf16be']) {
      const before = encode('\u0A0A\u010A\r\nb\n', encoding, '\uFEFF');
      const after = patch(before, encoding, '\u0A0A\u010A\nB\n').bytes;
      assert.deepEqual(after, encode('\u0A0A\u010A\r\nB\n', encoding, '\uFEFF'));
    }
  });

  const content = fc.oneof(fc.constantFrom('a', 'b', 'é', '\r', ''), fc.string({ maxLength: 3 }));
  const lines = fc.array(fc.tuple(content, fc.constantFrom('\n', '\r\n')), { maxLength: 8 });
  const joined = lines.map((all) => all.map(([text, end]) => text.replaceAll('\n', '') + end).join(''));
  const latin = (text: string): string => text.replaceAll(/[^\0-\u00ff]/gu, '?');

  it('FS-10 makes the text that was wanted, in every encoding, line ends apart', () => {
    fc.assert(
      fc.property(joined, joined, fc.constantFrom(...ENCODINGS), (before, next, encoding) => {
        const [old, now] = encoding === 'latin1' ? [latin(before), latin(next)] : [before, next];
        const mark = ['utf8bom', 'utf16le', 'utf16be'].includes(encoding) ? '\uFEFF' : '';
        const bytes = encode(old, encoding, mark);
        const result = patch(bytes, encoding, now);
        const even = (text: string): string => text.replaceAll(/\r+\n/g, '\n');
        assert.equal(even(result.text), even(now));
        assert.equal(decode(result.bytes, encoding), result.text);
        assert.ok(
          isSameBytes(result.bytes.subarray(0, encode(mark, encoding).length), encode(mark, encoding)),
        );
        assert.deepEqual(patch(bytes, encoding, old).bytes, bytes, 'the same text keeps every byte');
      }),
    );
  });

  const raw = fc
    .uint8Array({ maxLength: 5 })
    .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)));
  const rawLine = fc.tuple(raw, fc.constantFrom('\n', '\r\n')).map(([bytes, end]) => ({ bytes, end }));

  it('FS-10 leaves every byte before and after a replaced line as it was, also those that are no text', () => {
    const part = fc.array(rawLine, { maxLength: 5 });
    fc.assert(
      fc.property(part, part, fc.constantFrom('\n', '\r\n'), (head, tail, end) => {
        const join = (all: typeof head): Buffer =>
          Buffer.concat(all.flatMap((line) => [line.bytes, Buffer.from(line.end)]));
        const whole = (line: string): Buffer =>
          Buffer.concat([join(head), Buffer.from(line + end), join(tail)]);
        const before = whole('the line');
        const next = decode(before, 'utf8').replace('the line', 'another one');
        const after = patch(before, 'utf8', next).bytes;
        assert.deepEqual(after, whole('another one'));
      }),
    );
  });
});

describe('markLength', () => {
  it('FS-10 knows the marks of the encodings that have one', () => {
    assert.equal(markLength(hex('efbbbf61'), 'utf8'), 3);
    assert.equal(markLength(hex('efbbbf61'), 'utf8bom'), 3);
    assert.equal(markLength(hex('fffe6100'), 'utf16le'), 2);
    assert.equal(markLength(hex('feff0061'), 'utf16be'), 2);
    assert.equal(markLength(hex('efbbbf61'), 'shiftjis'), 0);
    assert.equal(markLength(hex('fffe6100'), 'utf8'), 0);
  });
});
