import assert from 'node:assert/strict';
import { carryOver, hunkAt } from '../../../../src/core/review/hunks';
import { planChange, resultOf } from '../../../../src/core/review/plan';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const textOf = (content: Uint8Array | undefined | null): string | undefined =>
  content ? Buffer.from(content).toString('latin1') : undefined;

/** Lines `one` to `nine`, some of them replaced; null takes a line away. */
function numbered(changes: Record<number, string | null> = {}): string {
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
  return names
    .map((name, at) => (at + 1 in changes ? changes[at + 1] : name))
    .filter((line) => line !== null)
    .map((line) => `${line ?? ''}\n`)
    .join('');
}

const at = (base: string, after: string, current: string, line: number) =>
  hunkAt(
    { base: bytes(base), after: bytes(after), current: bytes(current) },
    { from: line - 1, to: line - 1 },
  );

describe('the hunk at a line', () => {
  const base = numbered();
  const after = numbered({ 2: 'agent', 5: null, 8: 'agent\nmore' });

  it('is the change of the agent there, taken back or taken over alone', () => {
    const found = at(base, after, after, 2);
    assert.equal(textOf(found?.afterWithout), numbered({ 5: null, 8: 'agent\nmore' }));
    assert.equal(textOf(found?.baseWith), numbered({ 2: 'agent' }));
  });

  it('is found where lines were removed, from either side', () => {
    for (const line of [4, 5]) {
      assert.equal(
        textOf(at(base, after, after, line)?.afterWithout),
        numbered({ 2: 'agent', 8: 'agent\nmore' }),
      );
    }
  });

  it('is not found beside it', () => {
    for (const line of [1, 3, 6, 9]) assert.equal(at(base, after, after, line), undefined, String(line));
  });

  it('is found where later lines of the person moved it', () => {
    const current = `mine\n${after}`;
    assert.equal(at(base, after, current, 2), undefined);
    assert.equal(textOf(at(base, after, current, 3)?.baseWith), numbered({ 2: 'agent' }));
    assert.equal(textOf(at(base, after, current, 9)?.baseWith), numbered({ 8: 'agent\nmore' }));
  });

  it('is not found where only the person changed lines', () => {
    const current = numbered({ 2: 'agent', 5: null, 7: 'mine', 8: 'agent\nmore' });
    assert.equal(at(base, after, current, 6), undefined);
  });

  it('is found in lines that the person changed again, and is a conflict there', () => {
    const current = numbered({ 2: 'agent and me', 5: null, 8: 'agent\nmore' });
    const found = at(base, after, current, 2);
    const plan = planChange({ from: bytes(after), to: found?.afterWithout }, bytes(current));
    assert.equal(plan.kind, 'conflict');
  });

  it('leaves every other line as it is when it is taken back', () => {
    const current = `mine\n${after}mine too\n`;
    const found = at(base, after, current, 9);
    const plan = planChange({ from: bytes(after), to: found?.afterWithout }, bytes(current));
    assert.equal(textOf(resultOf(plan)), `mine\n${numbered({ 2: 'agent', 5: null })}mine too\n`);
  });

  it('is none in a file that is no text', () => {
    assert.equal(at('a\0', 'b\0', 'b\0', 1), undefined);
  });
});

describe('a change carried over to another version', () => {
  it('is applied where the version has the place', () => {
    const carried = carryOver(
      bytes(numbered({ 8: 'x' })),
      bytes(numbered()),
      bytes(numbered({ 2: 'agent' })),
    );
    assert.equal(textOf(carried), numbered({ 2: 'agent', 8: 'x' }));
  });

  it('is nothing where the version differs at the place', () => {
    const carried = carryOver(
      bytes(numbered({ 2: 'x' })),
      bytes(numbered()),
      bytes(numbered({ 2: 'agent' })),
    );
    assert.equal(carried, undefined);
  });
});
