import { isAbsolute, relative } from 'node:path';
import type { Disposable } from '../../core/lifecycle';
import type { ChangedFileView, ChangesView } from '../../core/review/changes';
import { isSameContent } from '../../core/review/plan';
import type { SessionAction } from '../../core/session/actions';
import type { SessionState } from '../../core/session/state';
import type { ChangeRecords, Contents, TurnRecord } from './changeRecords';
import { forEach } from './diskFile';
import type { LineCounts } from './lineCounts';
import { composeChange, pendingFiles, type PendingFile } from './pending';

/** Rows of a list; more are not shown. */
const MAX_ROWS = 2_000;
/** Files that are compared side by side. */
const WIDTH = 4;

/** A list that was made because records changed is not made again for so many times what it took, up to so many ms. */
const REST = { times: 20, most: 500 };

type Counted = Omit<ChangedFileView, 'path' | 'name' | 'shared'>;

export interface ChangeViewsOptions {
  records: Pick<ChangeRecords, 'turns' | 'onDidChange'>;
  contents: Contents;
  countChanges: (before: Uint8Array, after: Uint8Array) => Promise<LineCounts>;
  /** An open session by Parley's key. */
  session: (
    key: string,
  ) => { readonly state: SessionState; dispatch: (action: SessionAction) => void } | undefined;
  log: (line: string) => void;
}

/** Keeps the lists of changed files in the open sessions up to date. What was counted once is not counted again. */
export class ChangeViews implements Disposable {
  private readonly counted = new Map<string, Map<string, Counted | undefined>>();
  /** Sessions whose list is being made. */
  private readonly making = new Map<string, { done: Promise<void>; again: boolean }>();
  private readonly listening: Disposable;
  /** Sessions whose records changed meanwhile; those without a timer are being made. */
  private readonly resting = new Map<string, { timer?: NodeJS.Timeout; again: boolean }>();

  constructor(private readonly options: ChangeViewsOptions) {
    this.listening = options.records.onDidChange((key) => void this.onChange(key));
  }

  /** Makes the list of a session and shows it, where it is open and the list is another one. Never rejects. */
  show(key: string): Promise<void> {
    const known = this.making.get(key);
    if (known) {
      known.again = true;
      return known.done;
    }
    const making = { done: Promise.resolve(), again: true };
    this.making.set(key, making);
    making.done = this.make(key, making).finally(() => this.making.delete(key));
    return making.done;
  }

  dispose(): void {
    this.listening.dispose();
    for (const { timer } of this.resting.values()) clearTimeout(timer);
    this.resting.clear();
  }

  /** An agent may change hundreds of files one by one, and each list has all of them. */
  private async onChange(key: string): Promise<void> {
    const known = this.resting.get(key);
    if (known) {
      known.again = true;
      return;
    }
    const rest: { timer?: NodeJS.Timeout; again: boolean } = { again: false };
    this.resting.set(key, rest);
    const from = performance.now();
    await this.show(key);
    const over = (): void => {
      this.resting.delete(key);
      if (rest.again) void this.onChange(key);
    };
    if (this.resting.get(key) === rest)
      rest.timer = setTimeout(over, Math.min(REST.most, REST.times * (performance.now() - from)));
  }

  private async make(key: string, making: { again: boolean }): Promise<void> {
    try {
      while (making.again) {
        making.again = false;
        await this.showOnce(key);
      }
    } catch (error) {
      this.options.log(`the list of changed files could not be made: ${String(error)}`);
    }
  }

  private async showOnce(key: string): Promise<void> {
    if (!this.options.session(key)) {
      this.counted.delete(key);
      return;
    }
    const changes = await this.view(key, await this.options.records.turns(key));
    const session = this.options.session(key);
    if (session && JSON.stringify(session.state.changes) !== JSON.stringify(changes))
      session.dispatch({ type: 'changesShown', changes });
  }

  private async view(key: string, turns: readonly TurnRecord[]): Promise<ChangesView> {
    const newest = turns.findLast(({ files }) => files.length > 0);
    const used = new Map<string, Counted | undefined>();
    const known = this.counted.get(key) ?? new Map<string, Counted | undefined>();
    const cwd = this.options.session(key)?.state.cwd ?? null;
    const rows = async (files: PendingFile[]): Promise<ChangedFileView[]> => {
      const found = new Map<PendingFile, Counted>();
      const shown = files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MAX_ROWS);
      const look = async (file: PendingFile): Promise<void> => {
        const id = idOf(file);
        const from = [used, known].find((map) => map.has(id));
        const counted = from ? from.get(id) : await this.count(file);
        used.set(id, counted);
        if (counted) found.set(file, counted);
      };
      await forEach(shown, look, undefined, WIDTH);
      return shown.flatMap((file) => {
        const counted = found.get(file);
        return counted ? [toView(file, counted, cwd)] : [];
      });
    };
    const { undo, ...done } = newest ?? { number: 0, files: [] };
    const turn = newest && {
      number: newest.number,
      files: await rows(pendingFiles([done], 'turn')),
      undone: undo !== undefined,
    };
    const session = await rows(pendingFiles(turns, 'session'));
    this.counted.set(key, used);
    return { turn: turn ?? null, session };
  }

  /** Undefined for a file that is as it was. */
  private async count(file: PendingFile): Promise<Counted | undefined> {
    const { from, to } = await composeChange(file, this.options.contents);
    if (isSameContent(from, to)) return undefined;
    const change = kindOf(file);
    if (from === undefined || to === undefined) return { change, added: 0, removed: 0, special: 'unknown' };
    const none = new Uint8Array();
    const { added, removed, binary } = await this.options.countChanges(to ?? none, from ?? none);
    return { change, added, removed, ...(binary ? { special: 'binary' } : {}) };
  }
}

function kindOf({ steps }: PendingFile): ChangedFileView['change'] {
  if (steps.at(-1)?.after === 'absent') return 'deleted';
  return steps[0]?.base === 'absent' ? 'added' : 'modified';
}

function toView(file: PendingFile, counted: Counted, cwd: string | null): ChangedFileView {
  const { path, steps } = file;
  const inside = cwd === null ? path : relative(cwd, path);
  const name = inside.startsWith('..') || isAbsolute(inside) ? path : inside;
  const shared = steps.some((step) => step.shared);
  return { path, name, ...counted, ...(shared ? { shared } : {}) };
}

/** The same for the same texts. */
function idOf({ path, steps }: PendingFile): string {
  return JSON.stringify([path, steps.map(({ base, after }) => [base, after])]);
}
