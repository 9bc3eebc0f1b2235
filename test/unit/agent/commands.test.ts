import assert from 'node:assert/strict';
import { clientCommands } from '../../../src/agent/access/clientCommands';
import type { CommandRun } from '../../../src/agent/access/commands';
import { ownCommands } from '../../../src/agent/access/ownCommands';
import type { ToolCallContent } from '../../../src/core/acp';

function runOf(command: string, more: Partial<CommandRun> = {}): CommandRun & { shown: ToolCallContent[][] } {
  const shown: ToolCallContent[][] = [];
  return {
    command,
    cwd: process.cwd(),
    signal: new AbortController().signal,
    timeLimitMs: 60_000,
    show: (content) => shown.push(content),
    shown,
    ...more,
  };
}

describe('commands', () => {
  it('TE-14 keeps a time limit by kill, and still reads the output and releases', async () => {
    const calls: string[] = [];
    let exit: (end: object) => void = () => undefined;
    const commands = clientCommands('s', (method) => {
      calls.push(method);
      if (method === 'terminal/create') return Promise.resolve({ terminalId: 't' });
      if (method === 'terminal/wait_for_exit') return new Promise((resolve) => (exit = resolve));
      if (method === 'terminal/kill') exit({ exitCode: null, signal: 'SIGKILL' });
      return Promise.resolve({ output: 'so far', truncated: false });
    });
    const end = await commands.run(runOf('sleep 60', { timeLimitMs: 1 }));
    assert.deepEqual(end, { exitCode: null, signal: 'SIGKILL', output: 'so far', timedOut: true });
    assert.deepEqual(calls, [
      'terminal/create',
      'terminal/wait_for_exit',
      'terminal/kill',
      'terminal/output',
      'terminal/release',
    ]);
  });

  it('TE-9 releases the terminal of a wait that fails', async () => {
    const calls: string[] = [];
    const commands = clientCommands('s', (method) => {
      calls.push(method);
      if (method === 'terminal/wait_for_exit') return Promise.reject(new Error('lost'));
      return Promise.resolve({ terminalId: 't' });
    });
    await assert.rejects(commands.run(runOf('x')), /lost/);
    assert.equal(calls.at(-1), 'terminal/release');
  });

  it('TE-14 keeps the time limit of its own command', async () => {
    const end = await ownCommands().run(runOf('sleep 60', { timeLimitMs: 100 }));
    assert.equal(end.timedOut, true);
  });

  it('TE-6 keeps the end of a long output', async () => {
    const line = 'process.stdout.write("x".repeat(99999) + "end")';
    const run = runOf(`"${process.execPath}" -e '${line}'`);
    const { output, exitCode } = await ownCommands().run(run);
    assert.equal(exitCode, 0);
    assert.equal(output.length, 64 * 1024);
    assert.match(output, /xend$/);
    assert.equal(run.shown.length > 0, true);
  });
});
