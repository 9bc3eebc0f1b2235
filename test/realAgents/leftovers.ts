import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../vscode/until';
import type { PreparedAgent } from './prepare';

/** Ends what an agent left running, known by its home folder, and removes that folder. */
export async function endLeftovers({ home }: PreparedAgent): Promise<void> {
  if (process.platform === 'linux') {
    await until('the processes of the agent to end', () => {
      const left = processesOf(home);
      for (const pid of left) endProcess(pid);
      return left.length === 0 || undefined;
    }).catch(() => undefined);
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function processesOf(home: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && environmentOf(pid).includes(`HOME=${home}\0`));
}

function environmentOf(pid: number): string {
  const file = join('/proc', String(pid), 'environ');
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  } catch {
    return ''; // it has ended, or is not ours
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}
