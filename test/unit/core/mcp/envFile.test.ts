import assert from 'node:assert/strict';
import { parseEnvFile } from '../../../../src/core/mcp/envFile';

describe('the envFile of an MCP server', () => {
  it('MC-2: is read with export, comments and quotes', () => {
    const text = [
      '\uFEFF# comment',
      'PLAIN=a b # rest',
      'export EXPORTED = x',
      'COLON: y',
      'DOUBLE="a\\nb # no comment" # rest',
      "SINGLE='a\\nb'",
      'BACK=`c`',
      'EMPTY=',
      'URL=https://x.example/?a=b',
      'INNER=it"s # in" # rest',
      "LONE=it's # kept",
      'HASH=a#b',
      'not a line',
      '=value',
      'PLAIN=again',
    ].join('\r\n');
    assert.deepEqual(parseEnvFile(text), {
      PLAIN: 'again',
      EXPORTED: 'x',
      COLON: 'y',
      DOUBLE: 'a\nb # no comment',
      SINGLE: 'a\\nb',
      BACK: 'c',
      EMPTY: '',
      URL: 'https://x.example/?a=b',
      INNER: 'it"s # in"',
      LONE: "it's # kept",
      HASH: 'a',
    });
  });
});
