import assert from 'node:assert/strict';
import { Emitter } from '../../../src/core/emitter';
import {
  TerminalCommands,
  type ShellExecution,
  type TerminalEvents,
} from '../../../src/host/chat/mentions/mentionsTerminal';

/** A command of a terminal, whose output the test writes. */
class FakeExecution implements ShellExecution {
  readonly commandLine: { value: string };
  private readonly pieces: (string | undefined)[] = [];
  private wake: () => void = () => undefined;

  constructor(command: string) {
    this.commandLine = { value: command };
  }

  /** Without a text: the end. */
  write(piece?: string): void {
    this.pieces.push(piece);
    this.wake();
  }

  async *read(): AsyncIterable<string> {
    for (;;) {
      while (this.pieces.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
      const piece = this.pieces.shift();
      if (piece === undefined) return;
      yield piece;
    }
  }
}

describe('the last command of a terminal', () => {
  const started = new Emitter<{ terminal: object; execution: ShellExecution }>();
  const ended = new Emitter<{ terminal: object; execution: ShellExecution; exitCode: number | undefined }>();
  const closed = new Emitter<object>();
  let front: object | undefined;
  let commands: TerminalCommands;
  const events: TerminalEvents = {
    onDidStart: started.event,
    onDidEnd: ended.event,
    onDidClose: closed.event,
    active: () => front,
  };
  beforeEach(() => {
    front = undefined;
    commands = new TerminalCommands(events);
  });
  afterEach(() => commands.dispose());
  const run = async (terminal: object, command: string, output: string, exitCode?: number): Promise<void> => {
    const execution = new FakeExecution(command);
    started.fire({ terminal, execution });
    execution.write(output);
    execution.write();
    await new Promise(setImmediate);
    ended.fire({ terminal, execution, exitCode });
  };

  it('is there with its output and exit code when it has ended', async () => {
    assert.equal(commands.text(), undefined);
    const terminal = {};
    await run(terminal, 'npm test', 'failed\r\n', 1);
    assert.equal(commands.text(), '$ npm test\nfailed\n(exit code 1)');
  });

  it('is the one that runs while none has ended, else the one that ended', async () => {
    const terminal = {};
    const server = new FakeExecution('npm start');
    started.fire({ terminal, execution: server });
    server.write('listening\r\n');
    await new Promise(setImmediate);
    assert.equal(commands.text(), '$ npm start\nlistening\n(still running)');
    ended.fire({ terminal, execution: server, exitCode: 0 });
    started.fire({ terminal, execution: new FakeExecution('sleep 9') });
    assert.equal(commands.latest()?.command, 'npm start');
  });

  it('is that of the terminal in front, and gone with its terminal', async () => {
    const [one, two] = [{}, {}];
    await run(one, 'one', '', 0);
    await run(two, 'two', '', 0);
    assert.equal(commands.latest()?.command, 'two');
    front = one;
    assert.equal(commands.latest()?.command, 'one');
    closed.fire(one);
    assert.equal(commands.latest()?.command, 'two');
    closed.fire(two);
    assert.equal(commands.latest(), undefined);
  });

  it('keeps the end of a long output only', async () => {
    await run({}, 'seq', Array.from({ length: 60_000 }, (_, i) => `line ${i}\n`).join(''), 0);
    const text = commands.text() ?? '';
    assert.ok(text.length < 66_000, `${text.length} characters`);
    assert.match(text, /^\$ seq\n\(the beginning is cut\)\nline \d+\n[^]*line 59999\n\(exit code 0\)$/);
  });
});
