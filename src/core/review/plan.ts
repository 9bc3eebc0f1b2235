import { merge } from '../diff/merge';
import { isSameBytes } from '../files/bytePatch';
import { isBinary, toBytes, toUnits } from './units';

/** The bytes of a file; null where there is no file, undefined where they are not known. */
export type Content = Uint8Array | null | undefined;

/** A change of a file that is to be taken back: what the agent left, and what the file is to be again. */
export interface Change {
  from: Content;
  to: Content;
}

/** Why nothing can be done: a version is not kept; no text, and changed since; can't be read as it stands now. */
export type Obstacle = 'unknown' | 'binary' | 'unreadable';

/** What taking a change back does to a file as it stands now. */
export type Plan =
  /** The file is as wanted already. */
  | { kind: 'unchanged' }
  /** Nobody touched the file since, so that it becomes exactly what it was. */
  | { kind: 'replace'; bytes: Uint8Array }
  /** The file was changed since, and those changes stay. */
  | { kind: 'merged'; bytes: Uint8Array }
  /** Later changes are at the same places; `earlier` is the file with the earlier text there, null for no file. */
  | { kind: 'conflict'; earlier: Uint8Array | null }
  | { kind: 'create'; bytes: Uint8Array }
  | { kind: 'delete' }
  | { kind: 'stuck'; why: Obstacle };

/**
 * Works out what takes a change back, by a three-way merge that keeps what was done to the file since. A file that the agent made is
 * deleted only while it is as the agent left it.
 */
export function planChange({ from, to }: Change, current: Content): Plan {
  if (from === undefined || to === undefined) return { kind: 'stuck', why: 'unknown' };
  if (current === undefined) return { kind: 'stuck', why: 'unreadable' };
  if (isSameContent(current, to)) return { kind: 'unchanged' };
  if (isSameContent(current, from)) {
    if (to === null) return { kind: 'delete' };
    return { kind: from === null ? 'create' : 'replace', bytes: to };
  }
  if (from === null || to === null || current === null) return { kind: 'conflict', earlier: to };
  return mergeBytes(from, to, current);
}

/** The bytes that a plan makes, null for no file; undefined where it leaves the file alone. */
export function resultOf(plan: Plan): Uint8Array | null | undefined {
  switch (plan.kind) {
    case 'replace':
    case 'merged':
    case 'create':
      return plan.bytes;
    case 'conflict':
      return plan.earlier;
    case 'delete':
      return null;
    case 'unchanged':
    case 'stuck':
      return undefined;
  }
}

/** True for the same bytes, or for no file twice. What is not known equals nothing. */
export function isSameContent(a: Content, b: Content): boolean {
  if (a === undefined || b === undefined) return false;
  if (a === null || b === null) return a === b;
  return isSameBytes(a, b);
}

function mergeBytes(from: Uint8Array, to: Uint8Array, current: Uint8Array): Plan {
  if ([from, to, current].some(isBinary)) return { kind: 'stuck', why: 'binary' };
  const [base, theirs, mine] = [toUnits(from), toUnits(to), toUnits(current)];
  const { form } = mine;
  // Texts in different forms have no lines in common.
  if (base.form !== form || theirs.form !== form) return { kind: 'conflict', earlier: to };
  const merged = merge({ base: base.text, mine: mine.text, theirs: theirs.text }, 'theirs');
  if (merged.text === mine.text) return { kind: 'unchanged' };
  const bytes = toBytes({ text: merged.text, form });
  return merged.conflicts.length > 0 ? { kind: 'conflict', earlier: bytes } : { kind: 'merged', bytes };
}

/** How many files a review would change, and in which way. */
export interface PlanCounts {
  restored: number;
  merged: number;
  created: number;
  deleted: number;
  conflicts: number;
  stuck: number;
}

/** Counts plans by what they do. */
export function countPlans(plans: readonly Plan[]): PlanCounts {
  const count = (...kinds: Plan['kind'][]): number => plans.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    restored: count('replace'),
    merged: count('merged'),
    created: count('create'),
    deleted: count('delete'),
    conflicts: count('conflict'),
    stuck: count('stuck'),
  };
}

/** True where two plans come to the same. */
export function isSamePlan(a: Plan, b: Plan): boolean {
  const [one, other] = [resultOf(a), resultOf(b)];
  return a.kind === b.kind && ((one === undefined && other === undefined) || isSameContent(one, other));
}
