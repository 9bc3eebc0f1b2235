import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that hold nothing of the person's own. */
export const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn']);

export interface Walked {
  files: string[];
  /** Folders that are repositories of their own; what is in them is not listed. */
  repositories: string[];
  /** Links and the like, and folders that can't be read. */
  others: string[];
  /** False where there are more files than that. */
  complete: boolean;
}

/** The regular files below a folder, folder by folder. Links are not followed; what can't be read is left out. */
export async function walk(folder: string, maxFiles: number, signal?: AbortSignal): Promise<Walked> {
  const found: Walked = { files: [], repositories: [], others: [], complete: true };
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (signal?.aborted || found.files.length >= maxFiles) return { ...found, complete: false };
    const entries = await readdir(next, { withFileTypes: true }).catch(() => undefined);
    if (!entries) {
      found.others.push(next);
      continue;
    }
    if (next !== folder && entries.some(({ name }) => name === '.git')) {
      found.repositories.push(next);
      continue;
    }
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isFile()) found.files.push(path);
      else if (!entry.isDirectory()) found.others.push(path);
      else if (!SKIPPED.has(entry.name)) waiting.push(path);
    }
  }
  return found;
}
