import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const made: string[] = [];
process.on('exit', () => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder with the given files that is gone when the process ends. */
export function makeWorkspace(files: Readonly<Record<string, string>>): string {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'parley-workspace-')));
  made.push(cwd);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  return cwd;
}
