import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { repository } from '../vscode/setup.mjs';

/** Runs the first script in a process of its own; gives the JSON that it prints. */
export type RunScript = (...args: string[]) => Promise<unknown>;

/** Longest time that one run may take, ms. */
const timeout = 600_000;

/** Builds scripts, named by their paths in the repository, as the extension is built, and takes them away after the work. */
export async function withScripts<T>(
  sources: readonly [string, ...string[]],
  work: (run: RunScript) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-measure-'));
  const fileOf = (source: string): string => source.replace(/^.*\/|\.ts$/g, '');
  try {
    await build({
      entryPoints: sources.map((source) => ({ in: join(repository, source), out: fileOf(source) })),
      outdir: folder,
      bundle: true,
      minify: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      logLevel: 'silent',
    });
    return await work(async (...args) => {
      // The options of the process that measures, as a loader of TypeScript, would be measured too.
      const env = { ...process.env, NODE_OPTIONS: '' };
      const script = join(folder, `${fileOf(sources[0])}.js`);
      const command = ['--expose-gc', script, ...args];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { env, timeout });
      process.stderr.write(stderr);
      return JSON.parse(stdout) as unknown;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
