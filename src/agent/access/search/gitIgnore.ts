import { lstat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { readText } from '../files';
import { compileGlob } from './glob';

interface Rule {
  ignores: boolean;
  onlyFolders: boolean;
  /** Of a path below the folder of the rule, with slashes. */
  matches: (path: string) => boolean;
}

/** The rules of one `.gitignore`. */
export interface IgnoreLevel {
  folder: string;
  rules: readonly Rule[];
}

/** The folder of the repository that a real folder belongs to; undefined outside of any. */
export async function gitRootOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if (await exists(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The rules that hold in a folder where a search begins: its own, and those above it in its repository. */
export async function levelsAbove(folder: string): Promise<readonly IgnoreLevel[]> {
  const root = await gitRootOf(folder);
  const folders = [];
  for (let at = folder; root !== undefined && at !== root; at = dirname(at)) folders.unshift(dirname(at));
  const levels: IgnoreLevel[] = [];
  for (const at of folders) levels.push(...(await levelOf(at)));
  return levels;
}

/** The rules that hold in a folder, given those that hold above it; a repository of its own begins anew. */
export async function levelsIn(
  folder: string,
  above: readonly IgnoreLevel[],
): Promise<readonly IgnoreLevel[]> {
  const own = await levelOf(folder);
  return (await exists(join(folder, '.git'))) ? own : [...above, ...own];
}

/** The last rule that names a path decides; those of an inner folder come before those of an outer one. */
export function isIgnored(levels: readonly IgnoreLevel[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of levels.toReversed()) {
    const below = relative(folder, path).split(sep).join('/');
    const rule = rules.findLast(({ onlyFolders, matches }) => (isFolder || !onlyFolders) && matches(below));
    if (rule) return rule.ignores;
  }
  return false;
}

async function levelOf(folder: string): Promise<IgnoreLevel[]> {
  const text = await readText(join(folder, '.gitignore')).catch(() => '');
  const rules = text.split(/\r?\n/).flatMap((line) => parseRule(line) ?? []);
  return rules.length > 0 ? [{ folder, rules }] : [];
}

/** Undefined for a line that is no rule. */
function parseRule(line: string): Rule | undefined {
  // A space at the end counts only behind a backslash.
  const end = line.trimEnd();
  const trimmed = end.endsWith('\\') ? `${end} ` : end;
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const ignores = !trimmed.startsWith('!');
  const named = (ignores ? trimmed : trimmed.slice(1)).replace(/^\\(?=[#!])/, '');
  const onlyFolders = named.endsWith('/');
  const pattern = onlyFolders ? named.slice(0, -1) : named;
  // A slash at the beginning or within binds a pattern to its folder; others hold at any depth.
  const bound = pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`;
  const matches = compileGlob(bound, { braces: false });
  return matches && { ignores, onlyFolders, matches };
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
