import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ChunkJoiner } from '../../core/history/chunkJoiner';
import { keptOf, readKept, type KeptSession } from '../../core/history/kept';
import { actionLine, headerLine, metaLine, RESUMED_LINE, snapshotLine } from '../../core/history/log';
import { endsTurn, isHeavy, isUrgent, recorded } from '../../core/history/record';
import { screenActions } from '../../core/history/screens';
import type { SessionAction } from '../../core/session/actions';
import type { SessionState } from '../../core/session/state';
import { trimmed, withEntries } from '../../core/session/trim';
import { atomicWrite } from './atomicWrite';
import { LogFile } from './logFile';
import { readMetaLines } from './readLog';

/** How long an action that is not urgent may wait, in ms. */
const DELAY = 250;

/** Parts of the cap that entries may need after a rewrite: so that there is room for what follows, and as much as is safe. */
const HALF = 0.5;
const MOST = 0.75;

/** Records one session. No method throws because of the disk. */
export interface Recorder {
  /** To be told of each action, after it is applied. */
  take(action: SessionAction): void;
  /** Puts the state as it is now in the place of what is kept, after a transcript was replaced. */
  rewrite(): void;
  /** Resolves when everything taken so far is on disk, or could not be written. */
  written(): Promise<void>;
  /** Writes the rest and lets go of the file; later actions are ignored. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  key: string;
  state: () => SessionState;
  /** Path of the log; `list` is the small file next to it for the list of sessions. */
  files: { log: string; list: string };
  log: (line: string) => void;
  notKept: string;
  now: () => number;
  maxFileBytes: number;
  /** A file was made for a session that had none. */
  onCreated: () => void;
  onClosed: () => void;
  /** Nothing is written before it resolves: another recorder of the session closes. */
  after: Promise<void>;
}

/** Appends to the log of a session, in order, one write at a time. Nothing runs while nothing waits. */
export class SessionRecorder implements Recorder {
  private readonly joiner = new ChunkJoiner();
  private readonly file: LogFile;
  private lines: string[] = [];
  /** False until the session is worth a file. */
  private begun: boolean;
  private created = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private pumping: Promise<void> | undefined;
  private wanted = false;
  private rewriteDue = false;
  private listDue = false;
  /** What is wrong with the disk was said. */
  private complained = false;
  private limit: number;
  private listed = '';
  private updatedAt: number | undefined;
  /** ms since the epoch, of the actions. */
  private lastAt = 0;
  /** Terminals whose screen is newer than what was written of it. */
  private readonly screens = new Set<string>();
  /** Ids of entries that are live only (NO-1). */
  private readonly liveNotices = new Set<number>();

  constructor(private readonly options: RecorderOptions) {
    const { key, files, state, maxFileBytes } = options;
    const begin = `${headerLine(key, state().agent.id)}\n`;
    this.file = new LogFile(files.log, { begin, goOn: `${RESUMED_LINE}\n` });
    this.begun = existsSync(files.log);
    this.limit = maxFileBytes;
  }

  /** What the list says of the session now; undefined if nothing of it is kept. */
  get kept(): KeptSession | undefined {
    const { key, state, now } = this.options;
    return this.begun && this.created ? keptOf(key, state(), this.updatedAt ?? now()) : undefined;
  }

  take(action: SessionAction): void {
    if (this.stopped) return;
    try {
      this.note(action);
    } catch (error) {
      this.complain(error);
    }
  }

  rewrite(): void {
    if (this.stopped) return;
    this.rewriteDue = true;
    this.listDue = true;
    this.begun ||= this.options.state().entries.length > 0;
    this.schedule(true);
  }

  written(): Promise<void> {
    return this.pump();
  }

  async close(): Promise<void> {
    if (!this.stopped) {
      this.stopped = true;
      this.writeScreens([...this.screens]);
    }
    await this.written();
    await this.file.close();
    this.options.onClosed();
  }

  /** Ends the recording without writing what waits: the files are about to be removed. */
  async abandon(): Promise<void> {
    this.stopped = true;
    this.begun = false;
    await this.close();
  }

  private note(action: SessionAction): void {
    this.noteLiveNotice(action);
    if (action.type === 'terminalScreen') {
      this.screens.add(action.terminalId);
      return;
    }
    const kept = recorded(action);
    if (!kept) return;
    if ('at' in kept) this.lastAt = Math.max(this.lastAt, kept.at);
    if (kept.type === 'terminalExited' || kept.type === 'terminalReleased')
      this.writeScreens([kept.terminalId]);
    else if (endsTurn(kept.type)) this.writeScreens([...this.screens]);
    this.push(kept);
    this.noteForList(kept);
    if (isHeavy(kept)) this.begun = true;
    this.schedule(isUrgent(kept));
  }

  /** A notice of the agent adds an entry to the state, which a snapshot must leave out. */
  private noteLiveNotice(action: SessionAction): void {
    if (action.type !== 'update' || action.update.kind !== 'notice' || action.update.kept) return;
    const last = this.options.state().entries.at(-1);
    if (last?.kind === 'notice' && last.title === action.update.title) this.liveNotices.add(last.id);
  }

  private noteForList(action: SessionAction): void {
    const { type } = action;
    const isTurn = type === 'promptSubmitted' || type === 'turnEnded' || type === 'turnFailed';
    const isWord = isTurn || (!this.begun && isHeavy(action));
    if (isWord) this.updatedAt = this.options.now();
    const isNews = type === 'agentIntroduced' || type === 'sessionChosen' || type === 'sessionOpened';
    const isInfo = type === 'update' && action.update.kind === 'info';
    this.listDue ||= isWord || isNews || isInfo;
  }

  private writeScreens(ids: readonly string[]): void {
    const { terminals } = this.options.state();
    for (const id of ids) {
      const terminal = this.screens.delete(id) && Object.hasOwn(terminals, id) ? terminals[id] : undefined;
      if (terminal) screenActions(terminal).forEach((action) => this.push(action));
    }
  }

  private push(action: SessionAction): void {
    for (const ready of this.joiner.push(action)) this.lines.push(actionLine(ready));
  }

  private schedule(now: boolean): void {
    if (!this.begun) return;
    if (now) void this.pump();
    else this.timer ??= setTimeout(() => void this.pump(), DELAY);
  }

  /** Writes all that waits now; after an error it goes on with the next action. */
  private pump(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wanted = true;
    this.pumping ??= this.drain();
    return this.pumping;
  }

  private async drain(): Promise<void> {
    // What comes in the same step is written together.
    await this.options.after;
    try {
      while (this.wanted && this.begun && this.hasWork()) {
        this.wanted = false;
        await this.step();
        this.complained = false;
      }
    } catch (error) {
      this.complain(error);
      // What waits must not grow without end; the state has all of it.
      if (this.file.waiting > this.options.maxFileBytes) this.rewriteDue = true;
    } finally {
      // Not in a `then`: a call in between would be lost.
      this.pumping = undefined;
    }
  }

  private hasWork(): boolean {
    const { rewriteDue, listDue, lines, joiner, file } = this;
    return rewriteDue || listDue || lines.length > 0 || joiner.isHolding || file.waiting > 0;
  }

  private async step(): Promise<void> {
    if (!this.rewriteDue) this.rewriteDue = !(await this.file.append(this.takeText()));
    if (this.rewriteDue) await this.replace(MOST);
    else if (this.file.size > this.limit) await this.shrink();
    if (!this.created) this.announce();
    if (this.listDue) await this.writeList();
  }

  private announce(): void {
    this.created = true;
    this.options.onCreated();
  }

  private takeText(): string {
    for (const action of this.joiner.take()) this.lines.push(actionLine(action));
    const { lines } = this;
    this.lines = [];
    return lines.map((line) => `${line}\n`).join('');
  }

  /** Makes a log that grew too large smaller. Where that fails, the log is still whole. */
  private async shrink(): Promise<void> {
    this.limit = this.file.size * 2;
    await this.replace(HALF);
  }

  /** Replaces the log with a snapshot; `part` of the cap is what its entries may need. */
  private async replace(part: number): Promise<void> {
    const { key, files, maxFileBytes, now } = this.options;
    const metas = await readMetaLines(files.log, maxFileBytes / 8);
    // From here to the text without a pause: the state holds what the lines say.
    const waiting = this.takeText();
    const state = this.snapshot(maxFileBytes * part);
    const snapshot = snapshotLine(state, this.lastAt || now());
    const news = waiting.split('\n').flatMap((line) => metaLine(line) ?? []);
    const lines = [headerLine(key, state.agent.id), snapshot, ...metas, ...news];
    // Should it fail, the lines are in the state alone.
    this.rewriteDue ||= waiting !== '';
    await this.file.replace(`${lines.join('\n')}\n`);
    this.rewriteDue = false;
    // One entry may be larger than the cap: it must not be written again and again.
    this.limit = this.file.size < maxFileBytes * 0.9 ? maxFileBytes : this.file.size * 2;
  }

  private snapshot(budget: number): SessionState {
    const state = withEntries(this.options.state(), ({ id }) => !this.liveNotices.has(id));
    const sizeOf = (part: object): number => Buffer.byteLength(JSON.stringify(part));
    return trimmed(state, { budget, sizeOf, notKept: this.options.notKept });
  }

  private async writeList(): Promise<void> {
    const { key, files, state, now } = this.options;
    this.listDue = false;
    this.updatedAt ??= (await readList(files.list, key))?.updatedAt ?? now();
    const text = JSON.stringify(keptOf(key, state(), this.updatedAt));
    if (text === this.listed) return;
    try {
      await atomicWrite(files.list, text);
      this.listed = text;
    } catch (error) {
      this.listDue = true;
      throw error;
    }
  }

  private complain(error: unknown): void {
    if (this.complained) return;
    this.complained = true;
    this.options.log(`the transcript of session ${this.options.key} could not be kept: ${String(error)}`);
  }
}

/** Reads the small file of a session for the list; undefined if it is missing or broken. */
export async function readList(file: string, key: string): Promise<KeptSession | undefined> {
  try {
    return readKept(JSON.parse(await readFile(file, 'utf8')), key);
  } catch {
    return undefined;
  }
}
