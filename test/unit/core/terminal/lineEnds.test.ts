import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PtyLineEnds, withoutPtyCr } from '../../../../src/core/terminal/lineEnds';

function through(...chunks: string[]): string {
  const ends = new PtyLineEnds();
  return [...chunks.map((chunk) => ends.push(chunk)), ends.end()].map(withoutPtyCr).join('');
}

describe('PtyLineEnds', () => {
  it('TE-15 gives back the text of the program, however the output of the pty is cut', () => {
    const program = fc.string({ unit: fc.constantFrom('a', '\r', '\n', 'é', '\u001b[K'), maxLength: 30 });
    fc.assert(
      fc.property(program, fc.array(fc.nat(40), { maxLength: 6 }), (written, cuts) => {
        const pty = written.replaceAll('\n', '\r\n');
        const borders = [
          0,
          ...cuts.map((cut) => Math.min(cut, pty.length)).sort((a, b) => a - b),
          pty.length,
        ];
        const chunks = borders.slice(1).map((border, i) => pty.slice(borders[i], border));
        assert.equal(through(...chunks), written);
      }),
    );
  });

  it('keeps a carriage return of the program, also a last one', () => {
    assert.equal(through('50%\r', '100%\r'), '50%\r100%\r');
    assert.equal(through('a\r', '\nb'), 'a\nb');
  });
});
