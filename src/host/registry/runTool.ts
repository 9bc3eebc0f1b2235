import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ProcessTree } from '../../acp/processTree';
import { findPrograms } from '../agents/foundAgents';
import { InstallFailure } from './installFailure';

/** A run of npm or uv. */
export interface ToolRun {
  tool: 'npm' | 'uv';
  args: readonly string[];
  cwd: string;
  /** Environment of the agents. */
  env: NodeJS.ProcessEnv;
  /** Folders from which no program is taken: those of the workspace. */
  except: readonly string[];
  signal: AbortSignal;
  /** ms. */
  limit: number;
  onLine: (line: string) => void;
}

/**
 * Runs a tool to its end; its whole tree ends with the signal and with the limit.
 *
 * @throws InstallFailure where it is not there, fails, or takes too long
 */
export async function runTool(run: ToolRun): Promise<void> {
  const { tool, cwd, signal } = run;
  const [program, ...first] = await programOf(run);
  if (program === undefined) throw new InstallFailure({ reason: 'toolMissing', tool });
  if (signal.aborted) throw new InstallFailure({ reason: 'cancelled' });
  const child = spawn(program, [...first, ...run.args], {
    cwd,
    env: run.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let lastLine = '';
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => {
      if (line.trim() !== '') lastLine = line.trim();
      run.onLine(line);
    });
  const tree = new ProcessTree(child.pid ?? 0);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(run.limit)]);
  const end = (): void => tree.kill();
  limited.addEventListener('abort', end);
  const code = await new Promise<number | string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', resolve);
  });
  limited.removeEventListener('abort', end);
  if (signal.aborted) throw new InstallFailure({ reason: 'cancelled' });
  if (limited.aborted)
    throw new InstallFailure({ reason: 'toolSlow', tool, minutes: Math.ceil(run.limit / 60_000) });
  if (typeof code === 'string') throw new InstallFailure({ reason: 'toolFailed', tool, lastLine: code });
  if (code !== 0) throw new InstallFailure({ reason: 'toolFailed', tool, lastLine });
}

/** The words that start a tool; none where it is not on the PATH. */
async function programOf({ tool, env, except }: ToolRun): Promise<string[]> {
  const found = await findPrograms([tool, 'node'], { env, except });
  const path = found.get(tool)?.path;
  if (path === undefined) return [];
  if (!/\.(cmd|bat)$/i.test(path)) return [path];
  // The batch file of Windows hands its arguments to a shell; what it starts is beside it.
  const node = found.get('node')?.path ?? join(dirname(path), 'node.exe');
  const script = join(dirname(path), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return existsSync(node) && existsSync(script) ? [node, script] : [];
}
