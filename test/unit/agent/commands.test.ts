import assert from 'node:assert/strict';
import { clientCommands } from '../../../src/agent/access/clientCommands';
import { childEnvironment } from '../../../src/agent/access/childEnvironment';
import { CommandOutput, type CommandRun } from '../../../src/agent/access/commands';
import { ownCommands } from '../../../src/agent/access/ownCommands';
import type { ToolCallContent } from '../../../src/core/acp';
import { asObject } from '../../../src/core/json';

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

  it('CA-3 TE-14 ends with a cancel or its time limit, also where a process that left the tree holds the output (Linux alone has setsid)', async function () {
    if (process.platform !== 'linux') this.skip();
    const command = 'setsid sleep 20 & echo $!';
    const left: number[] = [];
    const limited = await ownCommands().run(runOf(command, { timeLimitMs: 100 }));
    assert.equal(limited.timedOut, true);
    left.push(Number(limited.output));
    const stop = new AbortController();
    const cancelled = ownCommands().run(runOf(command, { signal: stop.signal, show: () => stop.abort() }));
    left.push(Number((await cancelled).output));
    for (const pid of left) process.kill(pid);
  }).timeout(10_000);

  it('TE-6 keeps the beginning and the end of a long output, and says how much is left out', async () => {
    const line = 'process.stdout.write("begin" + "x".repeat(99992) + "end")';
    const run = runOf(`"${process.execPath}" -e '${line}'`);
    const { output, exitCode } = await ownCommands().run(run);
    assert.equal(exitCode, 0);
    const note = '\n\n[Note: 34464 bytes were left out here.]\n\n';
    assert.equal(output.length, 64 * 1024 + note.length);
    assert.match(output, /^beginx+\n\n\[Note: 34464 bytes were left out here\.\]\n\nx+end$/);
    assert.equal(run.shown.length > 0, true);
  });

  it('TE-6 gives a short output as it is, and cuts at characters', () => {
    const short = new CommandOutput();
    for (const part of ['a', 'b\n', '', 'c']) short.append(part);
    assert.equal(short.text(), 'ab\nc');
    const long = new CommandOutput();
    for (let i = 0; i < 40_000; i++) long.append('€');
    const [head = '', note = '', tail = ''] = long.text().split('\n\n');
    assert.match(head, /^€+$/);
    assert.match(tail, /^€+$/);
    assert.ok(Buffer.byteLength(head + tail) <= 64 * 1024);
    const left = 120_000 - Buffer.byteLength(head + tail);
    assert.equal(note, `[Note: ${left} bytes were left out here.]`);
  });

  it('TE-6 asks the client for the end of the output within a limit, and keeps that limit itself', async () => {
    const outputs: unknown[] = [{ output: 'the end', truncated: true }, { output: 'x'.repeat(99_999) }];
    const limits: unknown[] = [];
    const commands = clientCommands('s', (method, params) => {
      if (method === 'terminal/create') limits.push(asObject(params)['outputByteLimit']);
      if (method === 'terminal/wait_for_exit') return Promise.resolve({ exitCode: 0 });
      if (method === 'terminal/output') return Promise.resolve(outputs.shift());
      return Promise.resolve({ terminalId: 't' });
    });
    const cut = await commands.run(runOf('x'));
    assert.equal(cut.output, '[Note: The beginning was left out.]\n\nthe end');
    const { output } = await commands.run(runOf('x'));
    assert.match(output, /^\[Note: The beginning was left out\.\]\n\nx{65536}$/);
    assert.deepEqual(limits, [65_536, 65_536]);
  });

  it('gives its own commands the environment without the settings and keys of the agent', async () => {
    const own = { PARLEY_AGENT_API_KEY: 'the key', Parley_Agent_Other: 'other', ELECTRON_RUN_AS_NODE: '1' };
    assert.deepEqual(childEnvironment({ ...own, PATH: '/bin', PARLEY: 'x' }), { PATH: '/bin', PARLEY: 'x' });
    Object.assign(process.env, { PARLEY_AGENT_API_KEY: 'the key' });
    try {
      const line =
        'console.log(Object.keys(process.env).filter((n) => /PARLEY_AGENT/.test(n)).length, !!process.env.PATH)';
      const { output } = await ownCommands().run(runOf(`"${process.execPath}" -e '${line}'`));
      assert.equal(output, '0 true\n');
    } finally {
      delete process.env['PARLEY_AGENT_API_KEY'];
    }
  });
});
