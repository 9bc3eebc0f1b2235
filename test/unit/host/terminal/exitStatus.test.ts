import assert from 'node:assert/strict';
import { toExit } from '../../../../src/host/terminal/exitStatus';

describe('toExit', () => {
  it('TE-5 tells the code of an end by itself', () => {
    for (const windows of [true, false]) {
      assert.deepEqual(toExit(0, undefined, windows), { code: 0, signal: null });
      assert.deepEqual(toExit(7, 0, windows), { code: 7, signal: null });
    }
  });

  it('e.26 tells the name of a signal, and no code', () => {
    assert.deepEqual(toExit(0, 9, false), { code: null, signal: 'SIGKILL' });
    assert.deepEqual(toExit(null, 'SIGTERM', false), { code: null, signal: 'SIGTERM' });
    assert.deepEqual(toExit(0, 250, false), { code: null, signal: 'SIG250' });
  });

  it('TE-5 makes the negative codes of Windows what they are there, and tells no signal', () => {
    assert.deepEqual(toExit(-1073741819, undefined, true), { code: 0xc0000005, signal: null });
    assert.deepEqual(toExit(-1, 0, true), { code: 0xffffffff, signal: null });
    assert.deepEqual(toExit(1, 'SIGKILL', true), { code: 1, signal: null });
  });
});
