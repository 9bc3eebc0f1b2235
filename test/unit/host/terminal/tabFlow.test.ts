import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { HIGH_WATER } from '../../../../src/core/terminal/backlog';
import { TabFlow } from '../../../../src/host/terminal/tabFlow';

const FRAME = 16;

describe('TabFlow', () => {
  let written: string[];
  let pressure: boolean[];
  let leftOut: number;
  let flow: TabFlow;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    written = [];
    pressure = [];
    leftOut = 0;
    flow = new TabFlow({
      write: (text) => written.push(text),
      leftOut: (lines) => (leftOut += lines),
      onPressure: (high) => pressure.push(high),
    });
  });
  afterEach(() => {
    flow.dispose();
    mock.timers.reset();
  });

  it('writes at once, and what comes within a frame together', () => {
    for (const text of ['a', 'b', 'c']) flow.push(text);
    assert.deepEqual(written, ['a']);
    mock.timers.tick(FRAME);
    assert.deepEqual(written, ['a', 'bc']);
    mock.timers.tick(FRAME);
    flow.push('d');
    assert.deepEqual(written, ['a', 'bc', 'd']);
  });

  it('writes no more in a frame than the editor can show', () => {
    flow.push('x'.repeat(200_000));
    assert.equal(written.join('').length, 65_536);
    mock.timers.tick(FRAME);
    assert.equal(written.join('').length, 131_072);
  });

  it('asks to pause while too much waits that can not be left out', () => {
    flow.push('\u001b[2J'.repeat(HIGH_WATER / 2));
    assert.deepEqual(pressure, [true]);
    for (let frames = 0; frames < 40; frames++) mock.timers.tick(FRAME);
    assert.deepEqual(pressure, [true, false]);
  });

  it('leaves lines of a flood out, in their place', () => {
    for (let i = 0; i < 10; i++) flow.push(`${i}\n`.repeat(100_000));
    flow.flush();
    assert.equal(written.join('').split('\n').length - 1 + leftOut, 1_000_000);
    assert.ok(written.at(-1)?.endsWith('9\n'));
    assert.deepEqual(pressure, []);
  });

  it('lets the command go on when the tab is gone', () => {
    flow.push('\u001b[2J'.repeat(HIGH_WATER / 2));
    flow.dispose();
    assert.deepEqual(pressure, [true, false]);
    const before = written.length;
    flow.push('more');
    mock.timers.tick(FRAME);
    assert.equal(written.length, before);
  });
});
