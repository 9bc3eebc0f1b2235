import assert from 'node:assert/strict';
import { isUniform } from '../../../../src/core/files/eol';

describe('isUniform', () => {
  it('FS-10 is true where an editor would save every line end as it is', () => {
    for (const text of ['', 'a', 'a\n', 'a\nb\n', 'a\r\nb\r\n']) assert.equal(isUniform(text), true, text);
  });

  it('FS-10 is false for line ends of several kinds, and for lone CRs', () => {
    for (const text of ['a\nb\r\n', 'a\rb\n', 'a\r', 'a\r\r\n']) assert.equal(isUniform(text), false, text);
  });
});
