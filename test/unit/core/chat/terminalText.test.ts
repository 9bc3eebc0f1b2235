import assert from 'node:assert/strict';
import { terminalCommandText, terminalText, TextTail } from '../../../../src/core/chat/terminalText';

describe('the output of a terminal as text', () => {
  it('has no escapes', () => {
    const output =
      '\u001b]633;C\u0007\u001b[1;31mred\u001b[0m \u001b]8;;https://x.y\u001b\\link\u001b]8;;\u001b\\\u001b(B\r\nnext\u0007\r\n';
    assert.equal(terminalText(output), 'red link\nnext\n');
    assert.equal(terminalText('\u001b[?25l\u001b[2Kdone\u001b[38;2;1;2;3m!\u001b[K'), 'done!');
    assert.equal(terminalText('half \u001b['), 'half ');
  });

  it('shows of a line that is written over what is left to read', () => {
    assert.equal(terminalText('10 %\r 50 %\r100 %\r\nend'), '100 %\nend');
    assert.equal(terminalText('abcdef\rxy'), 'xycdef');
    assert.equal(terminalText('typpo\b\bo'), 'typo');
    assert.equal(terminalText('\b\bx'), 'x');
  });

  it('keeps the end of what is long, from the beginning of a line', () => {
    const tail = new TextTail(10);
    tail.push('12345\n');
    assert.deepEqual([tail.read(), tail.isCut], ['12345\n', false]);
    tail.push('789\n');
    assert.deepEqual([tail.read(), tail.isCut], ['12345\n789\n', false]);
    for (let i = 0; i < 50; i++) tail.push(`${i}\n`);
    assert.deepEqual([tail.read(), tail.isCut], ['47\n48\n49\n', true]);
  });

  it('goes to the agent with its command and how that ended', () => {
    const base = { command: 'npm test', output: 'one\r\n\u001b[31mtwo\u001b[0m\r\n', isCut: false };
    assert.equal(
      terminalCommandText({ ...base, exitCode: 1, ended: true }),
      '$ npm test\none\ntwo\n(exit code 1)',
    );
    assert.equal(
      terminalCommandText({ ...base, output: '', exitCode: undefined, ended: false }),
      '$ npm test\n(still running)',
    );
    assert.equal(
      terminalCommandText({ ...base, isCut: true, exitCode: undefined, ended: true }),
      '$ npm test\n(the beginning is cut)\none\ntwo',
    );
  });
});
