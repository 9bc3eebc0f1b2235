import { MAX_KEPT_FILE } from './contents';
import { statText } from './diskFile';
import type { Git, GitCall } from './git';

/** A file in the index of git. */
export interface IndexEntry {
  name: string;
  mode: string;
  oid: string;
  /** Bytes of the file when git last looked at it. */
  size: number;
  /** Of the file when git last looked at it, as the signature of a file has it. */
  readonly stat: string;
  /** The file is in step with its entry as far as git knows; not so while a merge goes on, or where git was told not to look. */
  certain: boolean;
}

/** `CE_VALID` (assume unchanged), `CE_INTENT_TO_ADD` and `CE_SKIP_WORKTREE`. */
const NOT_LOOKED_AT = 0x8000 | 0x20000000 | 0x40000000;
const SECOND = 1_000_000_000n;
/** Filters that are run for one question. */
const MAX_FILTERED = 20;
/** ms that a filter may take. */
const FILTER_TIME = 10_000;
/** Names that go into one command. */
export const NAMES_AT_ONCE = 200;

/** The entries of those names that the index has; undefined where git fails. */
export async function readEntries(
  git: Git,
  place: Pick<GitCall, 'folder' | 'index'>,
  names: readonly string[],
): Promise<Map<string, IndexEntry> | undefined> {
  const found = new Map<string, IndexEntry>();
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const some = names.slice(at, at + NAMES_AT_ONCE);
    const out = await git.run({ ...place, args: ['ls-files', '-s', '--debug', '-z', '--', ...some] });
    if (!out) return undefined;
    for (const entry of parseEntries(out.toString('utf8'))) found.set(entry.name, entry);
  }
  return found;
}

/** `MODE OID STAGE TAB NAME NUL`, then lines that are indented. */
export function parseEntries(text: string): IndexEntry[] {
  const pattern = /([0-7]{6}) ([0-9a-f]{40,64}) ([0-3])\t([^\0]*)\0((?: {2}[^\n]*\n)*)/gy;
  return [...text.matchAll(pattern)].map(([, mode = '', oid = '', stage, name = '', more = '']) => {
    const [, size, flags] = /size: (\d+)\tflags: ([0-9a-f]+)/.exec(more) ?? [];
    const looked = flags !== undefined && (parseInt(flags, 16) & NOT_LOOKED_AT) === 0;
    return {
      name,
      mode,
      oid,
      size: Number(size ?? NaN),
      // Few are asked for, and there may be thousands.
      get stat() {
        return statOf(more, size ?? '');
      },
      certain: stage === '0' && looked,
    };
  });
}

export interface FilesWanted {
  entries: readonly IndexEntry[];
  /** As `namesWithFilter` gives them. */
  filtered: () => Promise<Set<string> | undefined>;
}

function statOf(lines: string, size: string): string {
  const times = /ctime: (\d+):(\d+)\n +mtime: (\d+):(\d+)\n/.exec(lines)?.slice(1).map(BigInt) ?? [];
  const [ctime = 0n, ctimeNs = 0n, mtime = 0n, mtimeNs = 0n] = times;
  return statText(size, mtime * SECOND + mtimeNs, ctime * SECOND + ctimeNs);
}

/**
 * The bytes that the files of these entries had, by name, for files that were in step with the index. What git would write today may
 * be something else, by other settings for line ends; so the size that git noted must fit, and what does not is left out.
 */
export async function readFiles(
  git: Git,
  place: Pick<GitCall, 'folder' | 'index'>,
  { entries, filtered }: FilesWanted,
): Promise<Map<string, Buffer>> {
  const wanted = entries.filter(({ size, certain }) => certain && size <= MAX_KEPT_FILE);
  const found = new Map<string, Buffer>();
  if (wanted.length === 0) return found;
  const [blobs, names] = await Promise.all([readBlobs(git, place, wanted), filtered()]);
  let filters = 0;
  for (const entry of wanted) {
    const isFiltered = names?.has(entry.name) ?? true;
    const blob = blobs.get(entry.oid);
    const bytes = isFiltered
      ? filters++ < MAX_FILTERED && (await readFiltered(git, place, entry))
      : blob && withLineEnds(blob, entry.size);
    if (bytes && bytes.byteLength === entry.size) found.set(entry.name, bytes);
  }
  return found;
}

async function readBlobs(
  git: Git,
  { folder }: Pick<GitCall, 'folder'>,
  entries: readonly IndexEntry[],
): Promise<Map<string, Buffer>> {
  const input = [...new Set(entries.map(({ oid }) => `${oid}\n`))].join('');
  const out = await git.run({ folder, args: ['cat-file', '--batch'], input });
  return out ? parseBatch(out) : new Map<string, Buffer>();
}

/** `OID SP TYPE SP SIZE LF BYTES LF`, or `OID SP missing LF`. */
export function parseBatch(out: Buffer): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < out.byteLength;) {
    const end = out.indexOf(0x0a, at);
    if (end < 0) break;
    const [oid = '', type, size = ''] = out.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === '') continue;
    const stop = at + Number(size);
    if (type === 'blob') blobs.set(oid, out.subarray(at, stop));
    at = stop + 1;
  }
  return blobs;
}

/** A blob as it was checked out: as it is, or with the line ends of Windows; undefined where neither has the size. */
export function withLineEnds(blob: Buffer, size: number): Buffer | undefined {
  if (blob.byteLength === size) return blob;
  if (blob.includes(0x0d)) return undefined;
  const text = blob.toString('latin1').replaceAll('\n', '\r\n');
  return text.length === size ? Buffer.from(text, 'latin1') : undefined;
}

/** The names whose files are made by a program, an encoding or keywords; undefined where git fails. */
export async function namesWithFilter(
  git: Git,
  place: Pick<GitCall, 'folder' | 'index'>,
  entries: readonly IndexEntry[],
): Promise<Set<string> | undefined> {
  const out = await git.run({
    ...place,
    args: ['check-attr', '--cached', '-z', '--stdin', 'filter', 'working-tree-encoding', 'ident'],
    input: entries.map(({ name }) => `${name}\0`).join(''),
  });
  if (!out) return undefined;
  const parts = out.toString('utf8').split('\0');
  const names = new Set<string>();
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const value = parts[at + 2];
    if (value !== 'unspecified' && value !== 'unset') names.add(parts[at] ?? '');
  }
  return names;
}

async function readFiltered(
  git: Git,
  place: Pick<GitCall, 'folder' | 'index'>,
  { name, oid }: IndexEntry,
): Promise<Buffer | undefined> {
  const args = ['cat-file', '--filters', `--path=${name}`, oid];
  return git.run({ ...place, args, signal: AbortSignal.timeout(FILTER_TIME) });
}
