import { randomUUID } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { join, normalize, relative, resolve, sep } from 'node:path';
import { isInside } from '../../core/files/containment';
import { PATH_RULES } from '../files/boundary';
import {
  fromSnapshot,
  isAsCopied,
  isInSnapshot,
  isUntouched,
  isWrittenSince,
  type Baseline,
  type Earlier,
  type Found,
} from './baseline';
import { MAX_KEPT_FILE } from './contents';
import type { Copies, Taken } from './copies';
import { forEach, type OnDisk } from './diskFile';
import type { Git } from './git';
import { NAMES_AT_ONCE, type IndexEntry } from './gitObjects';
import { IndexCopy } from './indexCopy';
import { walk } from './walk';

/** Files of a repository that was made in this turn. */
const MAX_MADE = 5_000;

export interface GitTools {
  git: Git;
  copies: Copies;
  /** Where the copy of the index is kept; outside the workspace. */
  storage: string;
}

/** A folder in a work tree. */
interface Tree {
  folder: string;
  /** Real path of the work tree. */
  top: string;
  /** The folder in it, with slashes and one at the end; empty for the work tree itself. */
  prefix: string;
}

/** What git says of the files that are not in step with the index; undefined where it did not say in time. */
interface Listing {
  dirty: string[] | undefined;
  untracked: string[] | undefined;
  ignored: string[] | undefined;
}

/**
 * The files of a folder in a git work tree: a copy of the index says what was tracked, the object database has the bytes of what was in
 * step with it, and what was not is copied.
 */
export class GitBaseline implements Baseline {
  private readonly listed: ReadonlySet<string>;
  private readonly ignored: ReadonlySet<string>;
  private readonly nested: ReadonlySet<string>;

  private constructor(
    private readonly tools: GitTools,
    private readonly tree: Tree,
    private readonly index: IndexCopy,
    private readonly state: { listing: Listing; taken: Taken; submodules: string[] },
  ) {
    const { dirty = [], untracked = [], ignored = [] } = state.listing;
    this.listed = new Set([...dirty, ...untracked].map((name) => this.path(name)));
    // Git names a folder whose files are all ignored one by one, too; that folder is not ignored itself.
    const parents = new Set(ignored.flatMap(parentsOf));
    this.ignored = new Set(ignored.filter((name) => !parents.has(name)));
    this.nested = new Set([
      ...untracked.filter(isFolder).map((name) => this.path(name)),
      ...state.submodules,
    ]);
  }

  get folder(): string {
    return this.tree.folder;
  }

  /** Undefined for a folder that is in no work tree, or is ignored by it, and where git can't be run. */
  static async take(folder: string, tools: GitTools, signal: AbortSignal): Promise<Found | undefined> {
    const found = await findTree(folder, tools.git, signal);
    if (!found) return undefined;
    const { tree } = found;
    const place = { folder: tree.top, index: join(tools.storage, `${randomUUID()}.index`) };
    const index = await IndexCopy.make(tools.git, found.index, place);
    const [listing, submodules] = await Promise.all([
      list(tools.git, tree, { index: place.index, signal, withIgnored: true }),
      listSubmodules(tools.git, tree, place.index, signal),
    ]);
    const names = [...(listing.dirty ?? []), ...(listing.untracked ?? [])].filter((name) => !isFolder(name));
    const rules = { maxFile: MAX_KEPT_FILE, textOnly: false };
    const taken = await tools.copies.take(
      names.map((name) => pathIn(tree, name)),
      rules,
      signal,
    );
    const baseline = new GitBaseline(tools, tree, index, { listing, taken, submodules });
    return { baseline, nested: [...baseline.nested] };
  }

  async isAsBegun(path: string, now: OnDisk): Promise<boolean> {
    const copied = this.state.taken.files.get(path);
    if (copied !== undefined) return isAsCopied(copied, now);
    const name = this.name(path);
    if (now.kind === 'other' || this.isUncertain(path)) return false;
    const entries = await this.index.entries([name]);
    const entry = entries?.get(name);
    // What was there and not tracked is listed, be it ignored or not.
    if (now.kind === 'absent') return entries !== undefined && !entry && !this.wasIgnored(name);
    return entry?.certain === true && isFile(entry) && entry.stat === now.signature.stat;
  }

  async has(path: string): Promise<boolean> {
    if (isInSnapshot(this.state.taken.files, path)) return true;
    if (this.isUncertain(path)) return false;
    const name = this.name(path);
    const entry = (await this.index.entries([name]))?.get(name);
    return entry?.certain === true && isFile(entry) && entry.size <= MAX_KEPT_FILE;
  }

  async earlier(paths: readonly string[]): Promise<Map<string, Earlier>> {
    const found = new Map<string, Earlier>();
    const rest: string[] = [];
    for (const path of paths) {
      const copied = await fromSnapshot(this.state.taken.files, path);
      if (copied) found.set(path, copied);
      else if (this.listed.has(path)) found.set(path, { kind: 'unknown' });
      else rest.push(path);
    }
    for (const [path, earlier] of await this.inStep(rest)) found.set(path, earlier);
    return found;
  }

  async candidates(): Promise<string[]> {
    const { dirty, untracked } = await list(this.tools.git, this.tree, { index: this.index.place.index });
    const names = [...(dirty ?? []), ...(untracked ?? [])];
    const paths = new Set(this.state.taken.files.keys());
    for (const name of names) if (!isFolder(name)) paths.add(this.path(name));
    const made = names.filter(isFolder).map((name) => this.path(name));
    for (const folder of made.filter((path) => !this.nested.has(path)))
      for (const path of (await walk(folder, MAX_MADE)).files) paths.add(path);
    const changed: string[] = [];
    await forEach(paths, async (path) => {
      if (await this.mayDiffer(path)) changed.push(path);
    });
    return changed;
  }

  private isUncertain(path: string): boolean {
    return this.listed.has(path) || !this.isComplete || this.isInRepository(path);
  }

  private async mayDiffer(path: string): Promise<boolean> {
    const { files, takenAt } = this.state.taken;
    if (files.has(path)) return !(await isUntouched(files, path));
    // Git lists what was not copied as well, and that may be all of the repository.
    const isUnknown = this.listed.has(path) || !this.isComplete;
    return !isUnknown || isWrittenSince(path, takenAt);
  }

  /** Git said in time which files were not in step with the index. */
  private get isComplete(): boolean {
    const { dirty, untracked, ignored } = this.state.listing;
    return dirty !== undefined && untracked !== undefined && ignored !== undefined;
  }

  async dispose(): Promise<void> {
    await this.state.taken.release();
    await this.index.dispose();
  }

  private path(name: string): string {
    return pathIn(this.tree, name);
  }

  private name(path: string): string {
    return this.tree.prefix + relative(this.folder, path).split(sep).join('/');
  }

  /** The paths that git did not list: in step with the index, ignored, or not there. */
  private async inStep(paths: readonly string[]): Promise<Map<string, Earlier>> {
    const found = new Map<string, Earlier>();
    if (paths.length === 0) return found;
    const names = new Map(paths.map((path) => [this.name(path), path]));
    const entries = await this.index.entries([...names.keys()]);
    const isListed = this.state.listing.dirty !== undefined;
    const tracked = entries && isListed ? [...names.keys()].flatMap((name) => entries.get(name) ?? []) : [];
    const files = await this.index.files(tracked.filter(isFile));
    const missing: string[] = [];
    for (const [name, path] of names) {
      const entry = entries?.get(name);
      if (!entries) found.set(path, { kind: 'unknown' });
      else if (entry) found.set(path, fromEntry(entry, files.get(name)));
      else missing.push(path);
    }
    for (const [path, earlier] of await this.notTracked(missing)) found.set(path, earlier);
    return found;
  }

  private async notTracked(paths: readonly string[]): Promise<Map<string, Earlier>> {
    const found = new Map<string, Earlier>();
    if (paths.length === 0) return found;
    const { untracked, ignored } = this.state.listing;
    const now = await this.untrackedNow(paths);
    for (const path of paths) {
      const name = this.name(path);
      const isNew = now?.has(name) || parentsOf(name).some((parent) => now?.has(parent));
      // What was ignored when the turn began was not looked at, even if it is not ignored any more.
      if (this.wasIgnored(name)) found.set(path, { kind: 'ignored' });
      else if (!untracked || !ignored || !now || this.isInRepository(path))
        found.set(path, { kind: 'unknown' });
      else found.set(path, { kind: isNew ? 'absent' : 'ignored' });
    }
    return found;
  }

  private wasIgnored(name: string): boolean {
    return this.ignored.has(name) || parentsOf(name).some((parent) => this.ignored.has(parent));
  }

  /**
   * Which of the names git takes for new files; not those that it ignores, or knows in other letters. Of a repository in this one git
   * says no more than its folder.
   */
  private async untrackedNow(paths: readonly string[]): Promise<Set<string> | undefined> {
    const repositories = new Map<string, boolean>();
    const asked = new Set<string>();
    for (const path of paths) asked.add(await this.nameForGit(path, repositories));
    const names = [...asked];
    const all = new Set<string>();
    for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
      const some = names.slice(at, at + NAMES_AT_ONCE);
      const args = ['ls-files', '-z', '-o', '--exclude-standard', '--', ...some];
      const found = await this.tools.git.names({ ...this.index.place, args });
      if (!found) return undefined;
      for (const name of found) all.add(name);
    }
    return all;
  }

  /** The name of a file, or of the outermost repository that it is in. */
  private async nameForGit(path: string, repositories: Map<string, boolean>): Promise<string> {
    const parents = relative(this.folder, path).split(sep).slice(0, -1);
    for (let depth = 1; depth <= parents.length; depth++) {
      const parent = join(this.folder, ...parents.slice(0, depth));
      const is = repositories.get(parent) ?? (await exists(join(parent, '.git')));
      repositories.set(parent, is);
      if (is) return this.name(parent);
    }
    return this.name(path);
  }

  /** True in a repository that was there when the turn began and has no baseline of its own. */
  private isInRepository(path: string): boolean {
    const parents = relative(this.folder, path).split(sep).slice(0, -1);
    return parents.some((_, at) => this.nested.has(join(this.folder, ...parents.slice(0, at + 1))));
  }
}

const isFolder = (name: string): boolean => name.endsWith('/');
const isFile = ({ mode }: IndexEntry): boolean => mode.startsWith('100');

function fromEntry(entry: IndexEntry, bytes: Buffer | undefined): Earlier {
  if (entry.mode === '120000') return { kind: 'ignored' };
  return bytes ? { kind: 'bytes', bytes } : { kind: 'unknown' };
}

/** The folders of a name, each with a slash at its end; of a folder without itself. */
function parentsOf(name: string): string[] {
  const parents: string[] = [];
  for (let at = name.indexOf('/'); at >= 0 && at < name.length - 1; at = name.indexOf('/', at + 1))
    parents.push(name.slice(0, at + 1));
  return parents;
}

function pathIn({ folder, prefix }: Tree, name: string): string {
  const inside = name.slice(prefix.length).replace(/\/$/, '');
  return join(folder, ...inside.split('/'));
}

async function findTree(
  folder: string,
  git: Git,
  signal: AbortSignal,
): Promise<{ tree: Tree; index: string } | undefined> {
  const args = ['rev-parse', '--show-toplevel', '--git-path', 'index'];
  const out = await git.run({ folder, args, signal, codes: [0, 128] });
  const real = await realpath(folder).catch(() => undefined);
  const lines = out?.toString('utf8').split('\n').slice(0, -1) ?? [];
  const index = lines.pop();
  if (real === undefined || index === undefined || lines.length === 0) return undefined;
  const top = await realpath(normalize(lines.join('\n'))).catch(() => undefined);
  // The settings of a repository may name any folder as its work tree.
  if (top === undefined || !isInside(real, top, PATH_RULES)) return undefined;
  const inside = relative(top, real).split(sep).join('/');
  const prefix = inside === '' ? '' : `${inside}/`;
  if (prefix !== '' && (await isIgnored(git, top, inside, signal))) return undefined;
  return { tree: { folder, top, prefix }, index: resolve(real, index) };
}

/** Ignored, or git can't tell. */
async function isIgnored(git: Git, top: string, name: string, signal: AbortSignal): Promise<boolean> {
  const args = ['check-ignore', '-z', '--stdin'];
  const ignored = await git.names({ folder: top, args, input: `${name}\0`, signal, codes: [0, 1] });
  return ignored?.length !== 0;
}

async function list(
  git: Git,
  { top, prefix }: Tree,
  { index, signal, withIgnored }: { index: string; signal?: AbortSignal; withIgnored?: true },
): Promise<Listing> {
  const names = (...args: string[]): Promise<string[] | undefined> =>
    git.names({
      folder: top,
      index,
      args: [...args, '--', prefix === '' ? '.' : prefix],
      ...(signal ? { signal } : {}),
    });
  const others = ['ls-files', '-z', '-o', '--exclude-standard'];
  const [dirty, untracked, ignored] = await Promise.all([
    names('diff-files', '-z', '--name-only', '--no-renames', '--no-ext-diff', '--ignore-submodules=all'),
    names(...others),
    withIgnored ? names(...others, '-i', '--directory') : undefined,
  ]);
  return { dirty, untracked, ignored };
}

/** The paths of the submodules in the folder. */
async function listSubmodules(git: Git, tree: Tree, index: string, signal: AbortSignal): Promise<string[]> {
  if (!(await exists(join(tree.top, '.gitmodules')))) return [];
  const args = ['ls-files', '-s', '-z', '--', tree.prefix === '' ? '.' : tree.prefix];
  const entries = await git.names({ folder: tree.top, index, args, signal });
  const links = (entries ?? []).filter((entry) => entry.startsWith('160000 '));
  return links.map((entry) => pathIn(tree, entry.slice(entry.indexOf('\t') + 1)));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
