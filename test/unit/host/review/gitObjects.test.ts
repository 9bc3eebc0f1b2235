import assert from 'node:assert/strict';
import { parseBatch, parseEntries, withLineEnds } from '../../../../src/host/review/gitObjects';

const OID = 'a'.repeat(40);
const stat = (size: number, flags: string): string =>
  `  ctime: 1:2\n  mtime: 1:2\n  dev: 1\tino: 2\n  uid: 0\tgid: 0\n  size: ${size}\tflags: ${flags}\n`;

describe('What git says of its index and objects', () => {
  it('has the entries with their sizes, whatever is in the names', () => {
    const text = `100644 ${OID} 0\ta b\nc.txt\0${stat(2, '0')}100755 ${OID} 0\té.sh\0${stat(3, '0')}`;
    assert.deepEqual(
      parseEntries(text).map(({ name, mode, size, certain }) => [name, mode, size, certain]),
      [
        ['a b\nc.txt', '100644', 2, true],
        ['é.sh', '100755', 3, true],
      ],
    );
  });

  it('is not certain during a merge, nor where git was told not to look', () => {
    for (const [stage, flags] of [
      [1, '1000'],
      [0, '8000'],
      [0, '40000000'],
      [0, '20000000'],
    ])
      assert.equal(parseEntries(`100644 ${OID} ${stage}\ta\0${stat(2, String(flags))}`)[0]?.certain, false);
  });

  it('is not certain in a form that is not known', () => {
    assert.deepEqual(parseEntries(`100644 ${OID} 0\ta\0`), [
      { name: 'a', mode: '100644', oid: OID, size: NaN, stat: ':0:0', certain: false },
    ]);
    assert.deepEqual(parseEntries('something else'), []);
  });

  it('has the bytes of objects, and none of what is missing', () => {
    const out = Buffer.from(`${OID} blob 3\na\nb\nmissing missing\n${'b'.repeat(40)} blob 0\n\n`);
    const blobs = parseBatch(out);
    assert.deepEqual([...blobs.values()].map(String), ['a\nb', '']);
  });

  it('gives line ends back only where the size fits', () => {
    const blob = Buffer.from('a\nb\n');
    assert.equal(withLineEnds(blob, 4)?.toString(), 'a\nb\n');
    assert.equal(withLineEnds(blob, 6)?.toString(), 'a\r\nb\r\n');
    assert.equal(withLineEnds(blob, 5), undefined);
    assert.equal(withLineEnds(Buffer.from('a\r\nb\n'), 6), undefined);
  });
});
