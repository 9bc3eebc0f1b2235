import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import type { PtyProcess, TerminalPlan } from '../../../src/host/terminal/ptyProcess';
import { PtySpawner } from '../../../src/host/terminal/ptySpawner';
import { until } from '../../vscode/until';
import { spawnerFor } from './terminalHarness';

const ENV = { PATH: process.env['PATH'] ?? '' };

interface Run {
  process: PtyProcess;
  text: () => string;
}

function run(spawner: PtySpawner, args: string[], more: Partial<TerminalPlan> = {}): Run {
  let text = '';
  const process = spawner.spawn({
    file: '/bin/sh',
    args,
    cwd: tmpdir(),
    env: ENV,
    onData: (chunk) => (text += chunk),
    ...more,
  });
  return { process, text: () => text };
}

for (const mode of ['pty', 'pipe'] as const) {
  describe(`PtySpawner (${mode})`, function () {
    this.timeout(60_000);
    const spawner = spawnerFor(mode);

    it('TE-5 has delivered all output when the exit is told, 20 times in a row', async () => {
      const program = `process.stdout.write('0123456789\\n'.repeat(20_000) + 'the end', () => process.exit(7))`;
      for (let round = 0; round < 20; round++) {
        const { process: child, text } = run(spawner, ['-e', program], { file: process.execPath });
        assert.deepEqual(await child.exited, { code: 7, signal: null });
        const output = text().replaceAll('\r\n', '\n');
        assert.equal(output.length, 11 * 20_000 + 7, `round ${round}`);
        assert.ok(output.endsWith('the end'));
      }
    });

    it('TE-5 loses nothing while reading is paused at the exit', async () => {
      const { process: child, text } = run(spawner, ['-c', 'seq 1 500; exit 3']);
      child.pause();
      assert.equal((await child.exited).code, 3);
      assert.match(text(), /\b500\r?\n$/);
    });

    it('TE-5 loses nothing while the event loop is blocked at the exit', async () => {
      const { process: child, text } = run(spawner, ['-c', 'seq 1 500; exit 3']);
      for (let i = 0; i < 3; i++) {
        const end = Date.now() + 250;
        while (Date.now() < end);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await child.exited;
      assert.match(text(), /\b500\r?\n$/);
    });

    it('TE-15 decodes a character that comes in two chunks', async () => {
      const program = `
        const bytes = Buffer.from('é漢😀'); let i = 0;
        const next = () => i < bytes.length ? process.stdout.write(bytes.subarray(i, ++i), () => setTimeout(next, 5)) : 0;
        next();`;
      const { process: child, text } = run(spawner, ['-e', program], { file: process.execPath });
      await child.exited;
      assert.equal(text(), 'é漢😀');
    });

    it('TE-15 merges stdout and stderr', async () => {
      const { process: child, text } = run(spawner, ['-c', 'echo out; echo err >&2']);
      await child.exited;
      assert.match(text(), /out/);
      assert.match(text(), /err/);
    });

    it('TE-5 tells the name of a signal', async () => {
      const { process: child } = run(spawner, ['-c', 'kill -KILL $$']);
      assert.deepEqual(await child.exited, { code: null, signal: 'SIGKILL' });
    });

    it(`TE-15 says ${mode === 'pty' ? 'xterm-256color' : 'dumb'} for TERM unless it is set`, async () => {
      const plain = run(spawner, ['-c', 'printf %s "$TERM"']);
      await plain.process.exited;
      assert.equal(plain.text(), mode === 'pty' ? 'xterm-256color' : 'dumb');
      const set = run(spawner, ['-c', 'printf %s "$TERM"'], { env: { ...ENV, TERM: 'vt100' } });
      await set.process.exited;
      assert.equal(set.text(), 'vt100');
    });

    it('does not wait for what the command left running, and finds it', async () => {
      const { process: child, text } = run(spawner, ['-c', 'trap "" HUP; sleep 100 & echo started']);
      assert.deepEqual(await child.exited, { code: 0, signal: null });
      assert.match(text(), /started/);
      assert.equal(child.hasLeftovers(), true);
      child.killNow();
      await until('the rest to end', () => !child.hasLeftovers() || undefined);
    });

    it('accepts everything after the exit', async () => {
      const { process: child } = run(spawner, ['-c', 'true']);
      await child.exited;
      child.write('x');
      child.resize(10, 10);
      child.pause();
      child.resume();
      child.kill();
      child.killNow();
    });
  });
}

describe('PtySpawner', function () {
  this.timeout(20_000);

  it('TE-15 gives a terminal that can be typed into and resized', async () => {
    const { process: child, text } = run(spawnerFor('pty'), [
      '-c',
      'stty size; read line; stty size; echo "got $line"',
    ]);
    await until('the first size', () => /30 120/.test(text()) || undefined);
    child.resize(80, 24);
    child.write('hello\r');
    await child.exited;
    assert.match(text(), /24 80/);
    assert.match(text(), /got hello/);
  });

  it('TE-15 has closed stdin without a pty, so that nothing waits for input', async () => {
    const { process: child, text } = run(spawnerFor('pipe'), ['-c', 'read line || echo nothing']);
    await child.exited;
    assert.equal(text(), 'nothing\n');
  });

  it('falls back to pipes, once said, where node-pty can not be loaded', async () => {
    const lines: string[] = [];
    const spawner = new PtySpawner({
      nodePty: '/missing/node-pty/lib/index.js',
      log: (line) => lines.push(line),
    });
    for (let i = 0; i < 2; i++) {
      const { process: child, text } = run(spawner, ['-c', 'echo works']);
      assert.equal(child.mode, 'pipe');
      assert.equal((await child.exited).code, 0);
      assert.equal(text(), 'works\n');
    }
    assert.equal(lines.length, 1);
  });
});
