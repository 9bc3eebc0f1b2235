import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a session and one beside it. */
export interface Folders {
  root: string;
  outside: string;
  remove(): Promise<void>;
}

export async function makeFolders(): Promise<Folders> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'parley-')));
  const folders = { root: join(base, 'root'), outside: join(base, 'root-outside') };
  await mkdir(folders.root);
  await mkdir(folders.outside);
  return { ...folders, remove: () => rm(base, { recursive: true, force: true }) };
}
