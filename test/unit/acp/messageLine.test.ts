import assert from 'node:assert/strict';
import { parseMessageLine } from '../../../src/acp/messageLine';

const frame = '{"jsonrpc":"2.0","method":"session/update","params":{"text":"\\u001b[31m}"}}';

describe('a line of an agent', () => {
  for (const [what, line] of [
    ['a number', '42'],
    ['a text', '"hello"'],
    ['true', 'true'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a batch, which v1 does not know (TR-12)', `[${frame}]`],
    ['an empty object', '{}'],
    ['an object that is no message', '{"level":"info","text":"ready"}'],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"x"}'],
    ['a method that is no text', '{"jsonrpc":"2.0","method":5}'],
    ['a line of a log that has a method', '{"level":"info","method":"GET","id":1}'],
    ['a line of a log that looks like an answer', '{"level":"error","error":"no","id":1}'],
    ['half of a message', frame.slice(0, 30)],
    ['a message behind words', `debug: ${frame}`],
    ['escapes alone', '\x1b[2J\x1b]0;title\x07'],
    ['a brace behind escapes', '\x1b[1m{'],
  ] as const) {
    it(`TR-5 TR-12 does not take ${what} for a message`, () => {
      assert.equal(parseMessageLine(line), undefined);
    });
  }

  for (const [what, line] of [
    ['nothing', frame],
    ['colours', `\x1b[0m\x1b[38;5;12m${frame}\x1b[0m`],
    ['a title that ends with BEL', `\x1b]0;my {agent}\x07${frame}`],
    ['a title that ends with ST', `\x1b]2;agent\x1b\\${frame}`],
    ['a private mode and a cleared line', `\x1b[?25l\x1b[2K\r${frame}`],
    ['escapes of two characters', `\x1b7\x1b=\x1bM${frame}\x1b8`],
    ['a BOM', `\uFEFF${frame}`],
    ['a BOM and colours', `\uFEFF\x1b[1m${frame}`],
    ['control characters', `\0\b${frame}\r`],
  ] as const) {
    it(`TR-5 TR-11 takes a message with ${what} around it`, () => {
      const message: unknown = parseMessageLine(line);
      assert.deepEqual(message, JSON.parse(frame));
    });
  }

  it('TR-5 takes a message without "jsonrpc" if it is one in all else', () => {
    assert.ok(parseMessageLine('{"id":1,"method":"session/new","params":{}}'));
    assert.ok(parseMessageLine('{"id":1,"result":null}'));
  });

  it('TR-5 takes time in proportion to the length of a line of blanks', () => {
    const started = process.cpuUsage();
    assert.equal(parseMessageLine(`{${' \t'.repeat(2_000_000)}x}${' '.repeat(2_000_000)}`), undefined);
    assert.equal(parseMessageLine(`${'\x1b[0m '.repeat(400_000)}x{}`), undefined);
    assert.ok(process.cpuUsage(started).user < 3_000_000, 'under 3 s');
  });
});
