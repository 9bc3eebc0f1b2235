import type { Git } from '../../review/git';

/** ms that git gets; a folder on a slow disk is listed without it. */
const GIT_TIME = 5_000;

/** Ignored folders that a search is told to leave out; files are taken out of what it finds. */
const MAX_PATTERNS = 200;

/** What git leaves out below a folder. */
export interface Ignored {
  /** @param path below the folder, by `/` */
  has: (path: string) => boolean;
  /** Patterns of ignored folders, for a search that need not enter them. */
  patterns: string[];
}

const NOTHING: Ignored = { has: () => false, patterns: [] };

/** What the `.gitignore` files and git's own settings leave out below a folder; nothing where git is not there or not in charge. */
export async function ignoredIn(git: Pick<Git, 'names'>, folder: string): Promise<Ignored> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const names = await git.names({ folder, args, signal: AbortSignal.timeout(GIT_TIME) });
  // A folder that is ignored as a whole was opened on purpose.
  if (!names || names.length === 0 || names.includes('./')) return NOTHING;
  const known = new Set(names);
  const folders = names.filter((name) => name.endsWith('/'));
  return { has: (path) => isIn(known, path), patterns: folders.slice(0, MAX_PATTERNS).map(patternOf) };
}

function isIn(known: ReadonlySet<string>, path: string): boolean {
  if (known.has(path)) return true;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    if (known.has(path.slice(0, at + 1))) return true;
  return false;
}

/** The pattern of a folder (which ends with `/`) by its exact name. */
function patternOf(folder: string): string {
  // A comma or brace has no escape in a list of patterns; any one character stands for it.
  return `${folder.replace(/[{},]/g, '?').replace(/[[\]*]/g, '[$&]')}**`;
}
