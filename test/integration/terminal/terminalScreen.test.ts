import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emptySession, type StyledRun, type TerminalView } from '../../../src/core/session/state';
import { applyTerminal, MAX_TERMINAL_LINES } from '../../../src/core/session/terminals';
import { TerminalScreen, type ScreenChange } from '../../../src/host/terminal/terminalScreen';
import { until } from '../../vscode/until';

/** A screen whose changes go into a state as in the extension. */
class Card {
  readonly changes: ScreenChange[] = [];
  readonly pressure: boolean[] = [];
  readonly view: TerminalView;
  readonly screen: TerminalScreen;

  constructor() {
    const state = emptySession('test');
    const terminalId = 't';
    applyTerminal(
      state,
      { type: 'terminalStarted', terminalId, command: '', cwd: '/', at: 0 },
      () => undefined,
    );
    this.view = state.terminals[terminalId] as TerminalView;
    this.screen = new TerminalScreen({
      convertEol: true,
      onChange: (change) => {
        this.changes.push(change);
        applyTerminal(state, { type: 'terminalScreen', terminalId, ...change }, () => undefined);
      },
      onPressure: (high) => this.pressure.push(high),
    });
  }

  /** The lines without their styles. */
  text(): string[] {
    return this.view.lines.map((line) => line.map((run) => run.text).join(''));
  }

  /** Writes and waits until it is told. */
  async show(...parts: string[]): Promise<this> {
    for (const part of parts) {
      this.screen.write(part);
      await this.screen.finish();
    }
    return this;
  }
}

const linesOf = async (...parts: string[]): Promise<StyledRun[][]> =>
  (await new Card().show(...parts)).view.lines;
const textOf = async (...parts: string[]): Promise<string[]> => (await new Card().show(...parts)).text();

describe('TerminalScreen', function () {
  this.timeout(20_000);

  it('TE-10 shows a progress bar as its last state', async () => {
    assert.deepEqual(await textOf('10%\r', '50%\r', '100%\ndone\n'), ['100%', 'done']);
  });

  it('TE-10 follows cursor moves and erasing', async () => {
    assert.deepEqual(await textOf('one\ntwo\nthree\n', '\u001b[2A\u001b[2K2\r\n'), ['one', '2', 'three']);
    assert.deepEqual(await textOf('a\nb\nc\n', '\u001b[H\u001b[Jnew'), ['new']);
  });

  it('TE-10 tells colours and styles', async () => {
    const [line] = await linesOf(
      '\u001b[31mred\u001b[0m \u001b[1;94mblue\u001b[0m \u001b[38;5;208morange\u001b[0m \u001b[48;2;1;2;3mrgb\u001b[0m ' +
        '\u001b[2;3;4mx\u001b[0m\u001b[38;5;244my\u001b[7mz',
    );
    assert.deepEqual(line, [
      { text: 'red', fg: '1' },
      { text: ' ' },
      { text: 'blue', fg: '12', bold: true },
      { text: ' ' },
      { text: 'orange', fg: '#ff8700' },
      { text: ' ' },
      { text: 'rgb', bg: '#010203' },
      { text: ' ' },
      { text: 'x', dim: true, italic: true, underline: true },
      { text: 'y', fg: '#808080' },
      { text: 'z', fg: '0', bg: '#808080' },
    ]);
  });

  it('TE-10 keeps wide and combined characters', async () => {
    assert.deepEqual(await textOf('漢字 e\u0301 😀|'), ['漢字 e\u0301 😀|']);
  });

  it('TE-10 leaves out blanks at the end of a line and empty lines at the end', async () => {
    assert.deepEqual(await textOf('a   \n\n b \n\n\n'), ['a', '', ' b']);
  });

  it('TE-10 keeps the last lines of a long output and counts the others', async () => {
    const all = Array.from({ length: 12_345 }, (_, i) => `line ${i}`);
    const card = await new Card().show(all.join('\n'));
    assert.deepEqual(card.text(), all.slice(-MAX_TERMINAL_LINES));
    assert.equal(card.view.hiddenLines, all.length - MAX_TERMINAL_LINES);
  });

  it('TE-10 tells the same in the end, however the output is cut', async () => {
    const part = fc.tuple(
      fc.constantFrom('\n', '\r', '\u001b[A', '\u001b[2K', '\u001b[31m', 'x'.repeat(150)),
      fc.nat(9),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 20 }),
        fc.integer({ min: 0, max: 700 }),
        async (parts, n) => {
          const chunks = parts.map(([control, i]) => `${control}word ${i}`);
          const start = Array.from({ length: n }, (_, i) => `${i}\n`).join('');
          const [whole, cut] = [new Card(), new Card()];
          await whole.show(start + chunks.join(''));
          await cut.show(start, ...chunks);
          assert.deepEqual(cut.view.lines, whole.view.lines);
          assert.equal(cut.view.hiddenLines, whole.view.hiddenLines);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('TE-10 tells only lines from the first changed one on', async () => {
    const card = await new Card().show('a\nb\nc\n', 'd\n');
    assert.deepEqual(card.changes.at(-1), { from: 3, lines: [[{ text: 'd' }]], hiddenLines: 0 });
    await card.show('\r');
    assert.equal(card.changes.length, 2);
  });

  it('TE-10 empties the card when the program erases screen and scrollback', async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `${i}\n`).join('');
    const card = await new Card().show(lines, '\u001b[H\u001b[2J\u001b[3J', 'fresh\n');
    assert.deepEqual(card.text(), ['fresh']);
    await card.show(lines);
    assert.equal(card.text().at(0), 'fresh');
    assert.equal(card.text().at(-1), '99');
  });

  it('TE-10 shows a full-screen program below what was printed, and takes it away at its end', async () => {
    const card = await new Card().show('before\n', '\u001b[?1049h\u001b[Hfull\nscreen');
    assert.deepEqual(card.text(), ['before', 'full', 'screen']);
    await card.show('\u001b[?1049l', 'after\n');
    assert.deepEqual(card.text(), ['before', 'after']);
  });

  it('TE-10 tells what happened in between when screens change within one update', async () => {
    assert.deepEqual(await textOf('a\nb\n\u001b[?1049h\u001b[Hfull'), ['a', 'b', 'full']);
  });

  it('TE-10 wraps anew when the terminal is resized', async () => {
    const card = await new Card().show(`${'x'.repeat(100)}\nend\n`);
    card.screen.resize(60, 20);
    await until('the change', () => card.text().length === 3 || undefined);
    assert.deepEqual(
      card.text().map((line) => line.length),
      [60, 40, 3],
    );
  });

  it('TE-10 tells by itself what was written, and keeps no timer when nothing happens', async () => {
    const card = new Card();
    card.screen.write('x');
    await until('the change', () => card.changes.length > 0 || undefined);
    assert.deepEqual(card.text(), ['x']);
    assert.equal((card.screen as unknown as { timer: unknown }).timer, undefined);
  });

  it('draws of a flood of lines what is seen of it, and counts the others', async () => {
    const card = new Card();
    card.screen.write('first\n');
    for (let i = 0; i < 50; i++) card.screen.write(`${i}\n`.repeat(20_000));
    card.screen.write('last\n');
    assert.deepEqual(card.pressure, []);
    await card.screen.finish();
    assert.equal(card.view.hiddenLines, 1_000_002 - MAX_TERMINAL_LINES);
    assert.deepEqual(card.text().slice(-2), ['49', 'last']);
    assert.equal(card.text().length, MAX_TERMINAL_LINES);
  });

  it('goes on in the usual way after a flood', async () => {
    const card = new Card();
    card.screen.write('x\n'.repeat(400_000));
    await card.screen.finish();
    await card.show('after\n', '\u001b[32mgreen\u001b[0m\n');
    assert.deepEqual(card.text().slice(-3), ['x', 'after', 'green']);
    assert.equal(card.view.hiddenLines, 400_002 - MAX_TERMINAL_LINES);
  });

  it('asks for less while much waits that has to be drawn, and for more afterwards', async () => {
    const card = new Card();
    card.screen.write('\u001b[2J0123456789\n'.repeat(60_000));
    assert.deepEqual(card.pressure, [true]);
    await card.screen.finish();
    assert.deepEqual(card.pressure, [true, false]);
  });

  it('can be disposed at any time', async () => {
    const card = new Card();
    card.screen.write('x');
    card.screen.dispose();
    await card.screen.finish();
    card.screen.write('y');
    assert.deepEqual(card.changes, []);
  });
});
