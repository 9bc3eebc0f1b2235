import { carryOver } from '../../core/review/hunks';
import type { ChangeScope } from '../../core/review/changes';
import {
  isSameContent,
  planChange,
  resultOf,
  type Change,
  type Content,
  type Plan,
} from '../../core/review/plan';
import {
  isSameVersion,
  type Contents,
  type FileChange,
  type TurnRecord,
  type Version,
} from './changeRecords';

/** A file that waits for a review. */
export interface PendingFile {
  /** Absolute. */
  path: string;
  /** What the turns did to it, oldest first: from the first turn that waits to the last one that touched it. */
  steps: FileChange[];
}

/** The change of a file over all of its turns. */
export interface PendingChange extends Change {
  path: string;
  /** The person changed, between two turns, what the agent changed too: nobody but them can say what the earlier text is. */
  clash: boolean;
}

/** The turns that a scope means. A turn that is undone has nothing to review. */
function turnsOf(turns: readonly TurnRecord[], scope: ChangeScope): TurnRecord[] {
  const used = turns.filter(({ files }) => files.length > 0);
  return (scope === 'turn' ? used.slice(-1) : used).filter(({ undo }) => !undo);
}

/** The files that wait for a review, in the order in which they were first changed. */
export function pendingFiles(turns: readonly TurnRecord[], scope: ChangeScope): PendingFile[] {
  const found = new Map<string, PendingFile>();
  for (const step of turnsOf(turns, scope).flatMap(({ files }) => files)) {
    const known = found.get(step.path);
    if (known) known.steps.push(step);
    else if (!isSameVersion(step.base, step.after)) found.set(step.path, { path: step.path, steps: [step] });
  }
  return [...found.values()];
}

/** The bytes of a version. */
export async function contentOf(contents: Contents, version: Version): Promise<Content> {
  if (version === 'absent') return null;
  return version === 'unknown' ? undefined : contents.get(version);
}

/**
 * Puts the turns of a file together: from what the last one left to the text before all of them. What the person changed between two
 * turns stays in the earlier text, so that it is no change of the agent.
 */
export async function composeChange(
  { path, steps }: PendingFile,
  contents: Contents,
): Promise<PendingChange> {
  const last = steps.at(-1);
  const from = last && (await contentOf(contents, last.after));
  let to: Content = from;
  let clash = false;
  for (const step of steps.toReversed()) {
    if (to === undefined) break;
    const change = {
      from: await contentOf(contents, step.after),
      to: await contentOf(contents, step.base),
    };
    const plan: Plan = planChange(change, to);
    clash ||= plan.kind === 'conflict';
    to = plan.kind === 'stuck' ? undefined : withResult(plan, to);
  }
  return { path, from, to, clash };
}

function withResult(plan: Plan, current: Content): Content {
  const result = resultOf(plan);
  return result === undefined ? current : result;
}

/** What takes a pending change back; one that clashes in itself is for the person to decide. */
export function planPending(change: PendingChange, current: Content): Plan {
  const plan = planChange(change, current);
  const earlier = resultOf(plan);
  return change.clash && earlier !== undefined ? { kind: 'conflict', earlier } : plan;
}

/** The records without some files to review: `kept` as the agent left them, or `reverted` to the text before. */
export function reviewed(
  turns: readonly TurnRecord[],
  scope: ChangeScope,
  { paths, how }: { paths: ReadonlySet<string>; how: 'kept' | 'reverted' },
): TurnRecord[] {
  const meant = new Set(turnsOf(turns, scope));
  return turns.map((turn) => {
    if (!meant.has(turn)) return turn;
    const files = turn.files.flatMap((file) => {
      if (!paths.has(file.path)) return [file];
      if (how === 'reverted') return [{ ...file, after: file.base }];
      // What is not known can't be told from what was kept, and can't be undone either.
      return file.after === 'unknown' ? [] : [{ ...file, base: file.after }];
    });
    return { ...turn, files };
  });
}

/** Which versions of a file a hunk changes: a kept one what is compared with, a reverted one all that the agent left. */
type VersionName = 'before' | 'after' | 'base';

/** One hunk of a file, as a change from one text to the other. */
export interface HunkEdit {
  path: string;
  from: Uint8Array;
  to: Uint8Array;
  versions: readonly VersionName[];
}

/**
 * Works out what a hunk makes of the versions that the edit names; a version that it does not fit stays. The answer has the changed
 * records by those that they replace.
 */
export async function hunkEdits(
  turns: readonly TurnRecord[],
  edit: HunkEdit,
  contents: Contents,
): Promise<ReadonlyMap<FileChange, FileChange>> {
  const edits = new Map<FileChange, FileChange>();
  const files = turns.filter(({ undo }) => !undo).flatMap((turn) => turn.files);
  for (const file of files)
    if (file.path === edit.path) edits.set(file, await editVersions(file, edit, contents));
  return edits;
}

async function editVersions(file: FileChange, edit: HunkEdit, contents: Contents): Promise<FileChange> {
  const edited = { ...file };
  for (const name of edit.versions) {
    const bytes = await contentOf(contents, file[name]);
    const carried = bytes && carryOver(bytes, edit.from, edit.to);
    if (!carried || isSameContent(carried, bytes)) continue;
    const version = await contents.put(carried);
    if (version !== 'unknown') edited[name] = version;
  }
  return edited;
}
