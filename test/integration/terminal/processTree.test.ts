import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { killTree } from '../../../src/acp/killTree';
import { parsePs, parseStat, ProcessTree, treeOf, type ProcessRow } from '../../../src/acp/processTree';
import { until } from '../../vscode/until';
import { isRunning } from './terminalHarness';

const row = (pid: number, parent: number, more: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  parent,
  group: pid,
  zombie: false,
  ...more,
});

describe('treeOf', () => {
  const pids = (rows: ProcessRow[]): number[] => rows.map(({ pid }) => pid);

  it('TE-13 finds children, and the members of session and group that lost their parent, parents first', () => {
    const table = [row(1, 0), row(12, 11), row(11, 10), row(10, 1), row(20, 1, { group: 10 }), row(21, 20)];
    assert.deepEqual(pids(treeOf(table, 10, new Map())), [10, 11, 12, 20, 21]);
    assert.deepEqual(pids(treeOf([row(30, 1, { session: 10 }), row(31, 1)], 10, new Map())), [30]);
  });

  it('knows what it saw before by its start, so that a reused pid is left alone', () => {
    const table = [row(11, 1, { start: '5' }), row(12, 11, { start: '6' })];
    assert.deepEqual(pids(treeOf(table, 10, new Map([[11, '5']]))), [11, 12]);
    assert.deepEqual(pids(treeOf(table, 10, new Map([[11, '4']]))), []);
  });
});

describe('tables of processes', () => {
  it('reads /proc with a name that holds blanks and parentheses', () => {
    const stat = `42 (a (b) c) Z 7 40 39 ${Array.from({ length: 15 }, (_, i) => i).join(' ')} 987 1`;
    assert.deepEqual(parseStat(stat), {
      pid: 42,
      parent: 7,
      group: 40,
      session: 39,
      zombie: true,
      start: '987',
    });
  });

  it('reads the lines of ps', () => {
    assert.deepEqual(parsePs('  12     1    12 Ss+\n  13    12    12 Z\n\n'), [
      { pid: 12, parent: 1, group: 12, zombie: false },
      { pid: 13, parent: 12, group: 12, zombie: true },
    ]);
  });
});

describe('ProcessTree', function () {
  this.timeout(20_000);

  /** A shell that starts another one in the background; both ignore TERM if they are deaf. */
  async function start(deaf: boolean): Promise<{ child: ChildProcess; pids: number[] }> {
    const trap = deaf ? 'trap "" TERM;' : '';
    const child = spawn(
      '/bin/sh',
      ['-c', `${trap} sh -c 'echo $$; while :; do sleep 1; done' & echo $$; wait`],
      {
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const pids: number[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => pids.push(Number(line)));
    await until('the pids', () => pids.length === 2 || undefined);
    return { child, pids };
  }

  const gone = (pids: number[]): Promise<true> => until('the end', () => !pids.some(isRunning) || undefined);

  it('TE-13 ends a tree that obeys without force', async () => {
    const { child, pids } = await start(false);
    const tree = new ProcessTree(child.pid ?? 0);
    assert.ok(tree.alive());
    await tree.terminate(10_000);
    await gone(pids);
    assert.ok(!tree.alive());
  });

  it('TE-13 ends a tree that ignores TERM by force', async () => {
    const { child, pids } = await start(true);
    await new ProcessTree(child.pid ?? 0).terminate(100);
    await gone(pids);
  });

  it('TE-13 finds an orphan of a process that is gone', async () => {
    const { child, pids } = await start(false);
    const tree = new ProcessTree(child.pid ?? 0);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    assert.ok(tree.alive());
    tree.kill();
    await gone(pids);
  });

  it('TR-8 killTree ends a tree at once', async () => {
    const { child, pids } = await start(true);
    killTree(child.pid ?? 0, true);
    await gone(pids);
  });

  it('touches nothing for the pid of a process that never started', () => {
    for (const pid of [0, 1, process.pid]) killTree(pid, false);
  });
});
