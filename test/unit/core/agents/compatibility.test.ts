import assert from 'node:assert/strict';
import {
  COMPATIBILITY_ROWS,
  compareVersions,
  compatibilityOf,
  isInRange,
} from '../../../../src/core/agents/compatibility';

const isNothing = (known: object): boolean => Object.values(known).every((value) => value === false);

describe('what Parley does for an agent by its name', () => {
  it('FS-6 reads a missing file as empty for gemini-cli alone', () => {
    assert.equal(compatibilityOf({ name: 'gemini-cli', version: '0.61.0' }).missingFileIsEmpty, true);
    assert.equal(compatibilityOf({ name: 'gemini' }).missingFileIsEmpty, false);
  });

  it('MO-3 takes a mode out of a message for gemini-cli alone', () => {
    assert.equal(compatibilityOf({ name: 'gemini-cli', version: '0.61.0' }).modeInMessages, true);
    assert.equal(compatibilityOf({ name: 'other', version: '0.61.0' }).modeInMessages, false);
  });

  it('NO-2 takes notices out of messages for Copilot alone', () => {
    assert.equal(compatibilityOf({ name: 'Copilot', version: '1.0.102' }).noticesInMessages, true);
    assert.equal(compatibilityOf({ name: 'other', version: '1.0.102' }).noticesInMessages, false);
  });

  it('is nothing for an agent that gives no name', () => {
    assert.ok(isNothing(compatibilityOf({})));
    assert.ok(isNothing(compatibilityOf({ version: '1.0.0' })));
  });

  it('has a reason and a switch in each row', () => {
    for (const { reason, switches } of COMPATIBILITY_ROWS) {
      assert.match(reason, /\.$/);
      assert.deepEqual(Object.values(switches), [true]);
    }
  });

  it('follows the range of versions of a row', () => {
    const rows = [
      {
        name: 'a',
        versions: { from: '1.2', below: '2.0.0' },
        switches: { modeInMessages: true },
        reason: 'As a test.',
      },
    ];
    const has = (version?: string): boolean =>
      compatibilityOf({ name: 'a', ...(version === undefined ? {} : { version }) }, rows).modeInMessages;
    assert.deepEqual(['1.1.9', '1.2.0', '1.10.0', '1.99.0-beta.1', '2.0.0', '10.0'].map(has), [
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
    assert.ok(has(), 'one that does not say its version');
    assert.ok(has('main'), 'one whose version is no number');
    assert.equal(compatibilityOf({ name: 'b', version: '1.5.0' }, rows).modeInMessages, false);
  });

  it('compares versions by their numbers', () => {
    assert.ok(compareVersions('0.9.0', '0.10.0') < 0);
    assert.ok(compareVersions('v2', '1.9.9') > 0);
    assert.equal(compareVersions('1.2', '1.2.0'), 0);
    assert.equal(compareVersions('0.36.0 (commit 7c61)', '0.36.0'), 0);
    assert.ok(isInRange('1.0.0', {}));
  });
});
