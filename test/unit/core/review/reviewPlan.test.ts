import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countPlans, isSamePlan, planChange, resultOf, type Plan } from '../../../../src/core/review/plan';
import { isBinary, toBytes, toUnits } from '../../../../src/core/review/units';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const shown = (plan: Plan): string | null | undefined => {
  const result = resultOf(plan);
  return result && Buffer.from(result).toString('latin1');
};
const plan = (from: string | null, to: string | null, current: string | null): Plan => {
  const content = (text: string | null): Uint8Array | null => (text === null ? null : bytes(text));
  return planChange({ from: content(from), to: content(to) }, content(current));
};

describe('the plan that takes a change back', () => {
  it('restores the exact bytes of a file that nobody touched since, whatever they are', () => {
    const any = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(any, any, (from, to) => {
        const made = planChange({ from, to }, from.slice());
        assert.deepEqual(resultOf(made) ?? from, to);
      }),
    );
  });

  it('keeps what the person changed since', () => {
    const made = plan('1\nagent\n3\n4\n5\n', '1\n2\n3\n4\n5\n', '1\nagent\n3\n4\nmine\n');
    assert.equal(made.kind, 'merged');
    assert.equal(shown(made), '1\n2\n3\n4\nmine\n');
  });

  it('keeps bytes that are no UTF-8, and mixed line ends', () => {
    const made = plan(
      '\x93a\x94\r\nagent\n\xff\n\xe9\r\n',
      '\x93a\x94\r\nold\n\xff\n\xe9\r\n',
      '\x93a\x94\r\nagent\n\xff\n\xe9!\r\n',
    );
    assert.equal(shown(made), '\x93a\x94\r\nold\n\xff\n\xe9!\r\n');
  });

  it('merges UTF-16 by whole units', () => {
    // U+0A0A and U+000A have the byte of a line feed in both halves and in one of them.
    const wide = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, 'utf16le');
    for (const swap of [false, true]) {
      const form = (text: string): Uint8Array =>
        swap ? Buffer.from(wide(text)).swap16() : Buffer.from(wide(text));
      const made = planChange(
        { from: form('\u0A0Aa\nagent\nz\n\uD800\n'), to: form('\u0A0Aa\nold\nz\n\uD800\n') },
        form('\u0A0Aa\nagent\nz\n\uD800mine\n'),
      );
      assert.equal(made.kind, 'merged');
      assert.deepEqual(Buffer.from(resultOf(made) ?? []), form('\u0A0Aa\nold\nz\n\uD800mine\n'));
    }
  });

  it('gives a conflict where both changed the same lines, and the earlier text for these alone', () => {
    const made = plan('1\nagent\n3\n4\n5\n', '1\n2\n3\n4\n5\n', '1\nmine\n3\n4\nmine too\n');
    assert.equal(made.kind, 'conflict');
    assert.equal(shown(made), '1\n2\n3\n4\nmine too\n');
  });

  it('deletes a file only while it is as the agent left it', () => {
    assert.equal(plan('new\n', null, 'new\n').kind, 'delete');
    assert.deepEqual(plan('new\n', null, 'new\nmine\n'), { kind: 'conflict', earlier: null });
    assert.equal(plan('new\n', null, null).kind, 'unchanged');
  });

  it('brings a deleted file back only where there is none now', () => {
    assert.equal(plan(null, 'old\n', null).kind, 'create');
    assert.equal(plan(null, 'old\n', 'mine\n').kind, 'conflict');
    assert.equal(plan('a\n', 'old\n', null).kind, 'conflict', 'the person deleted it');
    assert.equal(plan(null, 'old\n', 'old\n').kind, 'unchanged');
  });

  it('does nothing where a version is not known', () => {
    const unknown = { kind: 'stuck', why: 'unknown' };
    assert.deepEqual(planChange({ from: bytes('a'), to: undefined }, bytes('a')), unknown);
    assert.deepEqual(planChange({ from: undefined, to: bytes('a') }, bytes('a')), unknown);
  });

  it('restores a binary file only while it is as the agent left it', () => {
    assert.equal(plan('\0b', '\0a', '\0b').kind, 'replace');
    assert.deepEqual(plan('\0b', '\0a', '\0c'), { kind: 'stuck', why: 'binary' });
    assert.equal(plan('\0b', null, '\0b').kind, 'delete');
  });

  it('never loses a line of the person that is not at a place of the agent', () => {
    const line = fc.constantFrom('a\n', 'b\n', '\n', 'c\r\n');
    const edit = fc.record({ at: fc.nat(30), drop: fc.nat(3), add: fc.array(line, { maxLength: 3 }) });
    const from = fc.array(line, { maxLength: 30 });
    fc.assert(
      fc.property(from, edit, fc.array(edit, { maxLength: 3 }), fc.nat(30), (old, agent, more, where) => {
        const left = old.slice();
        for (const { at, drop, add } of [agent, ...more]) left.splice(at, drop, ...add);
        const now: string[] = left.slice();
        now.splice(where, 0, 'mine\n');
        const made = planChange({ from: bytes(left.join('')), to: bytes(old.join('')) }, bytes(now.join('')));
        // A conflict asks the person before anything is lost.
        if (made.kind === 'conflict') return;
        const result = shown(made) ?? now.join('');
        assert.ok(result.split('\n').includes('mine'), result);
        assert.equal(result.replace('mine\n', ''), old.join(''));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same only as one that comes to the same', () => {
    assert.ok(isSamePlan(plan('a', 'b', 'a'), plan('a', 'b', 'a')));
    assert.ok(!isSamePlan(plan('a', 'b', 'a'), plan('a', 'c', 'a')));
    assert.ok(!isSamePlan(plan('a', null, 'a'), plan('a', null, 'c')));
    assert.ok(isSamePlan(plan('a', 'b', 'b'), plan('c', 'b', 'b')));
  });

  it('is counted by what it does', () => {
    const plans = [
      plan('a', 'b', 'a'),
      plan('a', null, 'a'),
      plan('a', null, 'b'),
      plan('\0a', '\0b', '\0c'),
    ];
    const none = { restored: 0, merged: 0, created: 0, deleted: 0, conflicts: 0, stuck: 0 };
    assert.deepEqual(countPlans(plans), { ...none, restored: 1, deleted: 1, conflicts: 1, stuck: 1 });
  });
});

describe('the units of a file', () => {
  it('are its bytes again, whatever it holds', () => {
    const mark = fc.constantFrom([], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]);
    fc.assert(
      fc.property(mark, fc.uint8Array({ maxLength: 30 }), (head, rest) => {
        const all = Uint8Array.from([...head, ...rest]);
        assert.deepEqual(toBytes(toUnits(all)), all);
      }),
    );
  });

  it('take a file that is longer than one call can', () => {
    const all = new Uint8Array(300_001).fill(7);
    assert.equal(toUnits(all).text.length, 300_001);
  });

  it('are no text where a NUL is near the beginning', () => {
    assert.ok(isBinary(bytes('a\0')));
    assert.ok(!isBinary(bytes('\xff\xfea\0')));
    assert.ok(!isBinary(bytes(`${'a'.repeat(9_000)}\0`)));
  });
});
