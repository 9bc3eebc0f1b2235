import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { Watchdog } from '../../../src/host/terminal/watchdog';
import { until } from '../../vscode/until';
import { isRunning } from './terminalHarness';

const WATCHDOG = ['--import', 'tsx', join(__dirname, '../../../src/host/terminal/watchdogMain.ts')];

/** A shell whose child ignores TERM and HUP, as does a child of that in a process group of its own. */
const DEAF =
  `sh -c 'trap "" TERM HUP; echo "pid $$"; setsid sh -c "trap \\"\\" TERM HUP; echo pid \\$\\$; while :; do sleep 1; done" & ` +
  `while :; do sleep 1; done' & echo "pid $$"; wait`;

const gone = (pids: readonly number[]): Promise<true> =>
  until('the processes to be gone', () => (pids.some(isRunning) ? undefined : true));

describe('Watchdog', function () {
  this.timeout(40_000);
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });

  for (const mode of ['pty', 'pipe']) {
    it(`TE-13 ends every process of a command when the extension host is killed (${mode})`, async () => {
      const host = spawn(
        process.execPath,
        ['--import', 'tsx', join(__dirname, 'watchedHost.ts'), DEAF, mode],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      started.push(host);
      let said = '';
      host.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const pids = await until(
        'the pids',
        () => {
          const found = [...said.matchAll(/(?:pid|watchdog) (\d+)/g)].map((match) => Number(match[1]));
          return found.length === 4 ? found : undefined;
        },
        20_000,
      );
      assert.ok(pids.every(isRunning), said);
      host.kill('SIGKILL');
      await gone(pids);
    });
  }

  it('TE-13 leaves alone what it no longer watches, and ends when there is nothing to do', async () => {
    const watchdog = new Watchdog({ args: WATCHDOG, log: (line) => assert.fail(line) });
    const child = spawn('sleep', ['1000'], { detached: true });
    started.push(child);
    const pid = Number(child.pid);
    watchdog.watch(pid);
    const dog = Number(watchdog.pid);
    watchdog.unwatch(pid);
    watchdog.dispose();
    await gone([dog]);
    assert.equal(isRunning(pid), true);
  });

  it('TE-13 is started anew, with all that it has to know, where it was killed', async () => {
    const lines: string[] = [];
    const watchdog = new Watchdog({ args: WATCHDOG, log: (line) => lines.push(line) });
    const children = [0, 1].map(() => spawn('sleep', ['1000'], { detached: true }));
    started.push(...children);
    const [first, second] = children.map(({ pid }) => Number(pid));
    watchdog.watch(Number(first));
    process.kill(Number(watchdog.pid), 'SIGKILL');
    await until('the end of the watchdog', () => (watchdog.pid === undefined ? true : undefined));
    assert.deepEqual(lines, ['The watchdog of commands ended: SIGKILL']);
    watchdog.watch(Number(second));
    watchdog.dispose();
    await gone([Number(first), Number(second)]);
  });
});
