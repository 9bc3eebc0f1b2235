import assert from 'node:assert/strict';
import { toAnsi } from '../../../src/core/terminal/ansi';
import type { StyledRun } from '../../../src/core/session/state';
import { TerminalScreen } from '../../../src/host/terminal/terminalScreen';

async function drawn(text: string): Promise<StyledRun[][]> {
  let lines: StyledRun[][] = [];
  const screen = new TerminalScreen({
    convertEol: false,
    onChange: (change) => (lines = [...lines.slice(0, change.from), ...change.lines]),
    onPressure: () => undefined,
  });
  screen.write(text);
  await screen.finish();
  screen.dispose();
  return lines;
}

describe('toAnsi', () => {
  it('TE-10 gives what a terminal shows in the same way', async () => {
    const lines: StyledRun[][] = [
      [{ text: 'plain' }],
      [],
      ...Array.from({ length: 16 }, (_, index) => [
        { text: 'text', fg: String(index) },
        { text: ' ' },
        { text: 'behind', bg: String(index) },
      ]),
      [
        { text: 'all', fg: '#0a141e', bg: '#fffefd', bold: true, dim: true, italic: true, underline: true },
        { text: '漢é' },
      ],
    ];
    assert.deepEqual(await drawn(toAnsi(lines)), lines);
  });
});
