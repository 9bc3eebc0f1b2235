import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { TerminalBridge } from '../../../../src/host/bridges/terminalBridge';
import type { PtyProcess, TerminalExit } from '../../../../src/host/terminal/ptyProcess';

const WEEK = 7 * 24 * 3_600_000;

/** A command that runs until it is told to end. */
class LastingCommand implements PtyProcess {
  readonly pid = 1;
  readonly mode = 'pipe';
  kills = 0;
  end: (exit: TerminalExit) => void = () => undefined;
  readonly exited = new Promise<TerminalExit>((resolve) => (this.end = resolve));

  write(): void {}
  resize(): void {}
  pause(): void {}
  resume(): void {}
  killNow(): void {}

  kill(): void {
    this.kills++;
  }

  hasLeftovers(): boolean {
    return false;
  }
}

describe('waiting for the end of a command', () => {
  afterEach(() => mock.timers.reset());

  it('TE-14 has no limit of its own, and leaves the command alone', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const command = new LastingCommand();
    const bridge = new TerminalBridge({
      session: () => ({ cwd: process.cwd() }),
      environment: () => Promise.resolve(process.env),
      dispatch: () => undefined,
      agentTitle: () => 'Agent',
      extensionPath: '',
      gate: () => Promise.resolve(),
      presenter: {
        present: () => ({
          write: () => undefined,
          exited: () => undefined,
          leftOut: () => undefined,
          reveal: () => undefined,
          dispose: () => undefined,
        }),
      },
      spawner: { spawn: () => command },
      log: () => undefined,
    });
    const { terminalId } = await bridge.create({ sessionId: 's', command: process.execPath, args: ['-v'] });
    let settled = false;
    const exit = bridge.waitForExit({ sessionId: 's', terminalId }).finally(() => (settled = true));
    mock.timers.tick(WEEK);
    await new Promise(setImmediate);
    assert.deepEqual([settled, command.kills], [false, 0]);
    command.end({ code: 4, signal: null });
    // The screen takes what was printed in steps of its own.
    for (let turn = 0; turn < 100 && !settled; turn++) {
      mock.timers.tick(1_000);
      await new Promise(setImmediate);
    }
    assert.deepEqual(await exit, { exitCode: 4, signal: null });
    bridge.dispose();
  });
});
