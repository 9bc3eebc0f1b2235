import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { accessSync, chmodSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ToolFailure } from '../tools/tool';
import { childEnvironment } from './childEnvironment';

/** Longest record that is taken, in characters; a longer one is skipped. */
const MAX_RECORD = 16 * 1024 * 1024;

/** The ripgrep that is shipped beside the agent's bundle; undefined where there is none for this platform. */
export function bundledRipgrep(folder = __dirname): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const path = join(folder, 'ripgrep', `${process.platform}-${process.arch}`, name);
  return canRun(path) ? path : undefined;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // What unpacked the program may have dropped its mode.
  }
  try {
    chmodSync(path, 0o755);
    return true;
  } catch {
    return false;
  }
}

export interface RipgrepRun {
  /** Absolute path of the program. */
  program: string;
  args: readonly string[];
  cwd: string;
  /** What ends each record of the output. */
  separator: '\n' | '\0';
  signal: AbortSignal;
}

/**
 * The records of ripgrep's output as they come. It runs without a shell, and is killed when the signal aborts or the records are not
 * read to their end.
 *
 * @throws ToolFailure with what ripgrep says, for a pattern that it can't read.
 */
export async function* ripgrepRecords(run: RipgrepRun): AsyncGenerator<string> {
  const { program, args, cwd, signal } = run;
  signal.throwIfAborted();
  const child = spawn(program, args, {
    cwd,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const ended = endOf(child);
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    yield* recordsOf(child.stdout, run.separator);
    signal.throwIfAborted();
    const { code, complaint } = await ended;
    // 1: nothing was found.
    if (code !== 0 && code !== 1 && complaint !== '')
      throw new ToolFailure(`The search failed: ${complaint}`);
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

async function* recordsOf(stream: Readable, separator: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const records = (rest + String(chunk)).split(separator);
    rest = records.pop() ?? '';
    if (rest.length > MAX_RECORD) rest = '';
    yield* records;
  }
}

function endOf(
  child: ChildProcessByStdio<null, Readable, Readable>,
): Promise<{ code: number | null; complaint: string }> {
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, 500);
  });
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: -1, complaint: message }));
    child.once('close', (code) => resolve({ code, complaint: oneLine(complaint) }));
  });
}

function oneLine(text: string): string {
  return text
    .replace(/^rg: /, '')
    .replace(/\s*\n[\s^]*/g, ' ')
    .trim();
}
