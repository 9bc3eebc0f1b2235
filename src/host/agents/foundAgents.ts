import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { knownCommands, type FoundProgram } from '../../core/agents/knownAgents';
import { isInside } from '../../core/files/containment';
import { pathEndings, pathEntries } from '../../core/launch/programPath';
import { PATH_RULES } from '../files/boundary';

/** Folders of the PATH that are looked into; a PATH that has grown by mistake is cut here. */
const MAX_FOLDERS = 200;

/** ms for the whole look: a network folder in the PATH may not answer. */
const TIME_LIMIT = 5_000;

export interface SearchOptions {
  /** Environment of the login shell. */
  env: NodeJS.ProcessEnv;
  /** Folders from which nothing is taken, such as those of the workspace. */
  except: readonly string[];
  /** Like on Windows: names get the endings of PATHEXT. */
  windows?: boolean;
  /** Ends the search with what it has by then; by default after 5 s. */
  late?: Promise<void>;
}

/** The programs of the names, as far as they are on the PATH; none of them is started. */
export async function findPrograms(
  names: readonly string[],
  options: SearchOptions,
): Promise<Map<string, FoundProgram>> {
  const found = new Map<string, FoundProgram>();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((done) => (timer = setTimeout(done, TIME_LIMIT)));
  try {
    await Promise.race([search(names, options, found), options.late ?? limit]);
    // A copy: a folder that answers too late adds nothing.
    return new Map(found);
  } finally {
    clearTimeout(timer);
  }
}

async function search(
  names: readonly string[],
  { env, except, windows = process.platform === 'win32' }: SearchOptions,
  found: Map<string, FoundProgram>,
): Promise<void> {
  const endings = windows ? pathEndings(env) : [''];
  const roots = await Promise.all(except.map(realOf));
  let byName = true;
  for (const folder of [...new Set(pathEntries(env, windows))].slice(0, MAX_FOLDERS)) {
    // What such an entry means is in the project, and no name is looked up there (core/launch/programPath.ts).
    if (!isAbsolute(folder)) continue;
    if (await isOurs(folder, roots)) {
      byName = false;
      continue;
    }
    await Promise.all(
      names.map(async (name) => {
        if (found.has(name)) return;
        const path = await programIn(folder, name, endings);
        if (path !== undefined) found.set(name, { path, byName });
      }),
    );
  }
}

/** True for a folder of the project, from which nothing is picked up. */
async function isOurs(folder: string, roots: readonly string[]): Promise<boolean> {
  const real = await realOf(folder);
  return roots.some((root) => isInside(real, root, PATH_RULES));
}

/** Where a folder leads; one that is not there leads to itself. */
const realOf = (folder: string): Promise<string> => realpath(folder).catch(() => resolve(folder));

async function programIn(
  folder: string,
  name: string,
  endings: readonly string[],
): Promise<string | undefined> {
  for (const ending of endings) {
    const path = join(folder, `${name}${ending}`);
    if (await isProgram(path)) return path;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false; // Most names are in most folders not there.
  }
}

/** Looks for the programs of known agents, once for the folders that are open, and anew when asked to. */
export class ProgramsOnPath {
  private asked: { folders: string; found: Promise<ReadonlyMap<string, FoundProgram>> } | undefined;

  constructor(
    private readonly environment: () => Promise<NodeJS.ProcessEnv>,
    private readonly except: () => readonly string[],
  ) {}

  /** @param anew true looks again, for what has been installed since. */
  find(anew: boolean): Promise<ReadonlyMap<string, FoundProgram>> {
    const except = this.except();
    const folders = JSON.stringify(except);
    if (anew || this.asked?.folders !== folders) this.asked = { folders, found: this.look(except) };
    return this.asked.found;
  }

  private async look(except: readonly string[]): Promise<ReadonlyMap<string, FoundProgram>> {
    return findPrograms(knownCommands(), { env: await this.environment(), except });
  }
}
