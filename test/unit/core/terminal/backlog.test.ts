import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Backlog, HIGH_WATER, type BacklogPart } from '../../../../src/core/terminal/backlog';

const LINE = '0123456789\n';
const FLOOD = LINE.repeat(20_000);

function takeAll(backlog: Backlog, units = 8_192): BacklogPart[] {
  const parts: BacklogPart[] = [];
  for (let part = backlog.take(units); part !== undefined; part = backlog.take(units)) parts.push(part);
  return parts;
}

const textOf = (parts: BacklogPart[]): string => parts.filter((part) => typeof part === 'string').join('');
const leftOut = (parts: BacklogPart[]): number =>
  parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : 0), 0);
const countLines = (text: string): number => text.split('\n').length - 1;

describe('Backlog', () => {
  it('gives back what was written, in parts of at most the wanted size', () => {
    const backlog = new Backlog();
    backlog.push('abc');
    backlog.push('');
    backlog.push('defg');
    assert.equal(backlog.size, 7);
    assert.deepEqual(takeAll(backlog, 2), ['ab', 'c', 'de', 'fg']);
    assert.equal(backlog.size, 0);
    assert.equal(backlog.take(2), undefined);
  });

  it('leaves out whole lines in the middle of a flood, and tells how many', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 300_000 }), { maxLength: 12 }),
        fc.boolean(),
        (sizes, reads) => {
          const backlog = new Backlog();
          const parts: BacklogPart[] = [];
          let at = 0;
          const all = `start ${FLOOD.repeat(20)}`;
          for (const size of sizes) {
            backlog.push(all.slice(at, (at += size)));
            const part = reads ? backlog.take(5_000) : undefined;
            if (part !== undefined) parts.push(part);
            assert.ok(backlog.size <= HIGH_WATER, 'the size stays bounded');
          }
          parts.push(...takeAll(backlog));
          const written = all.slice(0, at);
          assert.equal(countLines(textOf(parts)) + leftOut(parts), countLines(written));
          for (const line of textOf(parts).split('\n').slice(1, -1)) assert.equal(`${line}\n`, LINE);
          assert.ok(written.endsWith(textOf(parts).slice(-600 * LINE.length)), 'the end is whole');
        },
      ),
      { numRuns: 40 },
    );
  });

  it('keeps the colour that holds at the end of what it leaves out', () => {
    const backlog = new Backlog();
    backlog.push(`x\n\u001b[31mred\n${FLOOD}${FLOOD}${FLOOD}`);
    const parts = takeAll(backlog, HIGH_WATER);
    assert.equal(parts[0], 'x\n');
    assert.ok(leftOut(parts) > 50_000);
    assert.match(String(parts[2]), /^\u001b\[31m0123456789\n/);
    backlog.push(`x\n${'\u001b[31mred\u001b[0m\n'.repeat(60_000)}`);
    assert.match(String(takeAll(backlog, HIGH_WATER)[2]), /^\u001b\[0m(\u001b\[\d+m){16}/);
  });

  it('asks to pause where something else than plain lines would be lost', () => {
    const backlog = new Backlog();
    backlog.push(`${FLOOD}\u001b[2J${FLOOD}${FLOOD}`);
    assert.equal(backlog.full, true);
    assert.equal(leftOut(takeAll(backlog)), 0);
    assert.equal(backlog.full, false);
  });

  it('asks to pause in one endless line', () => {
    const backlog = new Backlog();
    for (let i = 0; i < 20; i++) backlog.push('x'.repeat(15_000));
    assert.equal(backlog.full, true);
    assert.equal(textOf(takeAll(backlog)).length, 300_000);
  });

  it('never holds more than eight times as much, whatever a writer does that can not be paused', () => {
    const backlog = new Backlog();
    for (let i = 0; i < 200; i++) backlog.push(`\u001b[2J${FLOOD}`);
    assert.ok(backlog.size <= 9 * HIGH_WATER, String(backlog.size));
    const endless = new Backlog();
    for (let i = 0; i < 200; i++) endless.push('x'.repeat(60_000));
    assert.ok(endless.size <= 9 * HIGH_WATER, String(endless.size));
  });
});
