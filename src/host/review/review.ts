import type { ChangeScope } from '../../core/review/changes';
import { hunkAt, type HunkAt, type LineSpan } from '../../core/review/hunks';
import { isSameContent, planChange, type Change, type Content } from '../../core/review/plan';
import {
  isSameVersion,
  type ChangeRecords,
  type Contents,
  type TurnRecord,
  type Undo,
  type Version,
} from './changeRecords';
import {
  composeChange,
  contentOf,
  hunkEdits,
  pendingFiles,
  planPending,
  reviewed,
  type HunkEdit,
  type PendingChange,
} from './pending';
import { runPlan, type Applied, type Outcome } from './planRun';
import type { ReviewActions } from './reviewActions';
import type { PlannedFile, ReviewFiles, ReviewScreen } from './reviewPorts';

export interface ReviewOptions {
  records: ChangeRecords;
  contents: Contents;
  files: ReviewFiles;
  screen: ReviewScreen;
  /** True while a turn runs in the session. */
  isBusy(key: string): boolean;
}

/**
 * What a person does with the changes of agents: looks at them, keeps them, takes them back. Taking back is a three-way merge, so that
 * what was changed since is never lost.
 */
export class Review implements ReviewActions {
  private asking = false;
  private tail: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ReviewOptions) {}

  /** The earlier text of a file that waits for a review; undefined for one that does not, or whose text is not kept. */
  async baseOf(key: string, scope: ChangeScope, path: string): Promise<Content> {
    return (await this.pendingChange(key, scope, path))?.to;
  }

  async open(key: string, scope: ChangeScope, path?: string): Promise<void> {
    const paths = await this.pendingPaths(key, scope, path);
    if (paths.length === 0) {
      this.options.screen.tell('nothingToReview');
      return;
    }
    await this.options.screen.open(key, scope, paths);
  }

  async keep(key: string, scope: ChangeScope, path?: string): Promise<void> {
    const paths = await this.pendingPaths(key, scope, path);
    if (paths.length === 0) {
      this.options.screen.tell('nothingToReview');
      return;
    }
    await this.leave(key, scope, 'kept', paths);
  }

  revert(key: string, scope: ChangeScope, path?: string): Promise<void> {
    return this.once(async () => {
      const { screen } = this.options;
      if ((await this.pendingPaths(key, scope, path)).length === 0) {
        screen.tell('nothingToReview');
        return;
      }
      const outcome = await runPlan(
        { purpose: 'revert', asks: true, plan: () => this.planReview(key, scope, path) },
        this.options,
      );
      if (!outcome) return;
      const { applied, unchanged } = outcome;
      await this.leave(key, scope, 'reverted', [...applied.map((file) => file.path), ...unchanged]);
      if (applied.length === 0 && unchanged.length > 0) screen.tell('asBefore');
    });
  }

  /** Keeps the agent's changes at some lines of a file. Lines from 0. */
  keepHunk(key: string, path: string, span: LineSpan): Promise<void> {
    return this.inOrder(async () => {
      const found = await this.findHunk(key, path, span);
      if (found === 'whole') return this.keep(key, 'session', path);
      if (!found) {
        this.options.screen.tell('notAChange');
        return;
      }
      const { base, after, hunk } = found;
      if (isSameContent(hunk.baseWith, after)) return this.leave(key, 'session', 'kept', [path]);
      await this.editRecords(key, { path, from: base, to: hunk.baseWith, versions: ['base'] });
    });
  }

  /** Takes the agent's changes at some lines of a file back, and touches no other line. Lines from 0. */
  async revertHunk(key: string, path: string, span: LineSpan): Promise<void> {
    const found = await this.inOrder(() => this.findHunk(key, path, span));
    if (found === 'whole') return this.revert(key, 'session', path);
    if (!found) {
      this.options.screen.tell('notAChange');
      return;
    }
    const { base, after, hunk } = found;
    const change = { from: after, to: hunk.afterWithout };
    await this.once(async () => {
      const outcome = await runPlan(
        {
          purpose: 'revert',
          asks: false,
          plan: async () => {
            const current = await this.options.files.read(path);
            return [{ path, current, plan: planChange(change, current) }];
          },
        },
        this.options,
      );
      if (!outcome || outcome.applied.length + outcome.unchanged.length === 0) return;
      if (isSameContent(hunk.afterWithout, base)) return this.leave(key, 'session', 'reverted', [path]);
      await this.editRecords(key, { path, ...change, versions: ['before', 'after', 'base'] });
    });
  }

  undoTurn(key: string): Promise<void> {
    return this.once(async () => {
      const { screen, records, contents } = this.options;
      if (this.options.isBusy(key)) {
        screen.tell('turnRuns');
        return;
      }
      const turn = (await records.turns(key)).findLast(changedFiles);
      if (!turn) {
        screen.tell('nothingToUndo');
        return;
      }
      const changes = turn.files.map(({ path, before, after }) => ({ path, from: after, to: before }));
      let [undo, order]: [Undo, number] = [[], 0];
      const outcome = await runPlan(
        {
          purpose: 'undo',
          asks: true,
          plan: () => this.planVersions(changes),
          // A window that is closed while files are written must know what they were.
          beforeWriting: async (applied) => {
            undo = await keepBoth(applied, contents);
            order = await this.markUndone(key, turn.number, undo);
          },
        },
        this.options,
      );
      if (!outcome) return;
      const { applied, unchanged } = outcome;
      await this.settleUndo(key, { order, undo, outcome });
      if (applied.length + unchanged.length === 0) return;
      if (applied.length > 0) screen.tellUndone(applied.length, () => this.redoTurn(key));
      else screen.tell('asBefore');
    });
  }

  redoTurn(key: string): Promise<void> {
    return this.once(async () => {
      const { screen, records } = this.options;
      if (this.options.isBusy(key)) {
        screen.tell('turnRuns');
        return;
      }
      const undone = (await records.turns(key)).filter(({ undo }) => undo);
      const turn = undone.sort((a, b) => (a.undoOrder ?? 0) - (b.undoOrder ?? 0)).at(-1);
      if (!turn?.undo) {
        screen.tell('nothingToRedo');
        return;
      }
      const changes = turn.undo.map(({ path, from, to }) => ({ path, from: to, to: from }));
      const outcome = await runPlan(
        { purpose: 'redo', asks: false, plan: () => this.planVersions(changes) },
        this.options,
      );
      if (!outcome) return;
      if (changes.length > 0 && outcome.applied.length + outcome.unchanged.length === 0) return;
      // The record may be all that is left of what the person had there.
      const rest = turn.undo.filter(({ path }) => outcome.left.includes(path));
      const done = (item: TurnRecord): TurnRecord =>
        rest.length > 0 ? { ...item, undo: rest } : withoutUndo(item);
      const isIt = ({ number, undo, undoOrder }: TurnRecord): boolean =>
        undo !== undefined && number === turn.number && undoOrder === turn.undoOrder;
      await records.update(key, (turns) => turns.map((item) => (isIt(item) ? done(item) : item)));
    });
  }

  /** Marks the newest of the turns of a number: `settleUndo` may have made two. Gives the number by which the undo is known. */
  private async markUndone(key: string, number: number, undo: Undo): Promise<number> {
    let order = 0;
    await this.options.records.update(key, (turns) => {
      order = Math.max(0, ...turns.map((turn) => turn.undoOrder ?? 0)) + 1;
      const it = turns.findLast((turn) => turn.number === number && changedFiles(turn));
      return turns.map((turn) => (turn === it ? { ...turn, undo, undoOrder: order } : turn));
    });
    return order;
  }

  /** Files that were left alone for now become a turn of their own, which waits for a review and can be undone. */
  private async settleUndo(
    key: string,
    { order, undo, outcome }: { order: number; undo: Undo; outcome: Outcome },
  ): Promise<void> {
    const written = new Set(outcome.applied.map(({ path }) => path));
    const left = new Set(outcome.left);
    const isNone = written.size + outcome.unchanged.length === 0;
    const settle = (turn: TurnRecord): TurnRecord[] => {
      if (turn.undoOrder !== order) return [turn];
      if (isNone) return [withoutUndo(turn)];
      const files = turn.files.filter(({ path }) => !left.has(path));
      const open = turn.files.filter(({ path }) => left.has(path));
      const undone = { ...turn, files, undo: undo.filter(({ path }) => written.has(path)) };
      return open.length > 0 ? [undone, { number: turn.number, files: open }] : [undone];
    };
    await this.options.records.update(key, (turns) => turns.flatMap(settle));
  }

  private async pendingPaths(key: string, scope: ChangeScope, path?: string): Promise<string[]> {
    const files = pendingFiles(await this.options.records.turns(key), scope);
    return files.map((file) => file.path).filter((found) => path === undefined || found === path);
  }

  private async pendingChange(
    key: string,
    scope: ChangeScope,
    path: string,
  ): Promise<PendingChange | undefined> {
    const files = pendingFiles(await this.options.records.turns(key), scope);
    const file = files.find((item) => item.path === path);
    return file && composeChange(file, this.options.contents);
  }

  private async planReview(key: string, scope: ChangeScope, path?: string): Promise<PlannedFile[]> {
    const { records, contents, files } = this.options;
    const planned: PlannedFile[] = [];
    for (const file of pendingFiles(await records.turns(key), scope)) {
      if (path !== undefined && path !== file.path) continue;
      const change = await composeChange(file, contents);
      const current = await files.read(file.path);
      planned.push({ path: file.path, current, plan: planPending(change, current) });
    }
    return planned;
  }

  private async planVersions(
    changes: readonly { path: string; from: Version; to: Version }[],
  ): Promise<PlannedFile[]> {
    const { contents, files } = this.options;
    const planned: PlannedFile[] = [];
    for (const { path, from, to } of changes) {
      const change: Change = { from: await contentOf(contents, from), to: await contentOf(contents, to) };
      const current = await files.read(path);
      planned.push({ path, current, plan: planChange(change, current) });
    }
    return planned;
  }

  /** `whole` for a file that came or went as a whole. */
  private async findHunk(
    key: string,
    path: string,
    span: LineSpan,
  ): Promise<{ base: Uint8Array; after: Uint8Array; hunk: HunkAt } | 'whole' | undefined> {
    const change = await this.pendingChange(key, 'session', path);
    const current = change && (await this.options.files.read(path));
    if (!change?.from || !change.to || !current)
      return change?.from === null || change?.to === null ? 'whole' : undefined;
    const { to: base, from: after } = change;
    const hunk = hunkAt({ base, after, current }, span);
    return hunk && { base, after, hunk };
  }

  private leave(
    key: string,
    scope: ChangeScope,
    how: 'kept' | 'reverted',
    paths: readonly string[],
  ): Promise<void> {
    return this.options.records.update(key, (turns) =>
      reviewed(turns, scope, { paths: new Set(paths), how }),
    );
  }

  private async editRecords(key: string, edit: HunkEdit): Promise<void> {
    const { records, contents } = this.options;
    const edits = await hunkEdits(await records.turns(key), edit, contents);
    await records.update(key, (turns) =>
      turns.map((turn) => ({ ...turn, files: turn.files.map((file) => edits.get(file) ?? file) })),
    );
  }

  /** Runs what asks the person; while that waits, asking again does nothing. */
  private async once(task: () => Promise<void>): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      await task();
    } finally {
      this.asking = false;
    }
  }

  private inOrder<T>(task: () => Promise<T>): Promise<T> {
    const result = this.tail.then(task);
    this.tail = result.catch(() => undefined);
    return result;
  }
}

/** Whether a turn has something that can be undone. */
const changedFiles = ({ files, undo }: TurnRecord): boolean =>
  !undo &&
  files.some(
    ({ before, after }) => before !== 'unknown' && after !== 'unknown' && !isSameVersion(before, after),
  );

function withoutUndo({ number, files }: TurnRecord): TurnRecord {
  return { number, files };
}

/** Keeps the contents before anything is written, so that an undo can be taken back whatever happens. */
async function keepBoth(applied: readonly Applied[], contents: Contents): Promise<Undo> {
  const versionOf = async (content: Uint8Array | null): Promise<Version> =>
    content ? contents.put(content) : 'absent';
  const undo: Undo = [];
  for (const { path, before, after } of applied)
    undo.push({ path, from: await versionOf(before), to: await versionOf(after) });
  return undo;
}
