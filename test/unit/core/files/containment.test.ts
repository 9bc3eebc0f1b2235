import assert from 'node:assert/strict';
import { isAbsolutePath, isInside } from '../../../../src/core/files/containment';

const POSIX = { windows: false, ignoreCase: false };
const WINDOWS = { windows: true, ignoreCase: true };

describe('isInside', () => {
  it('FS-11 takes the root itself and what is below it, by whole names', () => {
    assert.ok(isInside('/a/b', '/a/b', POSIX));
    assert.ok(isInside('/a/b/c', '/a/b/', POSIX));
    assert.ok(!isInside('/a/bc', '/a/b', POSIX));
    assert.ok(!isInside('/a', '/a/b', POSIX));
    assert.ok(isInside('/x', '/', POSIX));
  });

  it('FS-11 minds the case only where the platform does', () => {
    assert.ok(!isInside('/A/b', '/a', POSIX));
    assert.ok(isInside('/A/b', '/a', { windows: false, ignoreCase: true }));
    assert.ok(isInside('C:\\Work\\x', 'c:\\work', WINDOWS));
    assert.ok(!isInside('C:\\workshop', 'c:\\work', WINDOWS));
    assert.ok(isInside('\\\\host\\share\\x', '\\\\HOST\\share', WINDOWS));
  });
});

describe('isAbsolutePath', () => {
  it('RP-5 goes by the rule of the platform', () => {
    assert.ok(isAbsolutePath('/a', false));
    for (const path of ['a', './a', '../a', '~/a', 'C:\\a', ''])
      assert.ok(!isAbsolutePath(path, false), path);
    for (const path of ['C:\\a', 'c:/a', '\\\\host\\share']) assert.ok(isAbsolutePath(path, true), path);
    for (const path of ['a', 'C:a', '\\a', '/a', '']) assert.ok(!isAbsolutePath(path, true), path);
  });
});
