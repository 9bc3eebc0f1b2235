import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isKey } from '../../core/history/key';
import { keptOf, type KeptSession } from '../../core/history/kept';
import type { SessionState } from '../../core/session/state';
import { atomicWrite, UNFINISHED } from './atomicWrite';
import { readLog, type ReadLog } from './readLog';
import { readList, SessionRecorder, type Recorder } from './sessionRecorder';

export type { KeptSession, Recorder };

const LOG = '.ndjson';
const LIST = '.json';
const DAY = 24 * 60 * 60 * 1000;

export interface HistoryOptions {
  folder: string;
  log: (line: string) => void;
  /** Stands at the top of a transcript whose beginning was dropped for size; localised. */
  notKept: string;
  /** ms since the epoch. */
  now: () => number;
  /** A log that grows larger is rewritten. */
  maxFileBytes?: number;
  maxTotalBytes?: number;
  maxSessions?: number;
}

interface Found {
  key: string;
  bytes: number;
  updatedAt: number;
  /** Undefined where there is nothing to show. */
  kept: KeptSession | undefined;
}

/**
 * The transcripts on disk: for each session a log that is appended to, and a small file for the list. No method throws because of the
 * disk or of what is in the files. Two windows may use one folder: reading writes to no log, and only a session that both record at
 * once, which keys that are random rule out, could become muddled.
 */
export class History {
  private readonly recorders = new Map<string, SessionRecorder>();
  private pruning: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: HistoryOptions) {}

  /** The sessions that are kept, newest first. Removes the oldest ones where there are too many. */
  async list(): Promise<KeptSession[]> {
    const found = this.pruning.then(() => this.prune());
    this.pruning = found;
    return (await found).flatMap(({ kept }) => kept ?? []);
  }

  /**
   * A session as it was, with everything closed that was open: an unfinished turn is interrupted, questions are cancelled, the queue is
   * paused, nothing is connected. Undefined if nothing of it is kept.
   */
  async load(key: string): Promise<SessionState | undefined> {
    if (!isKey(key)) return undefined;
    await this.recorders.get(key)?.written();
    return (await this.read(key))?.session?.state;
  }

  /**
   * Records a session that is new, or goes on with one that `load` gave. `state` is asked when a screen, a snapshot or a row of the list
   * is written. Throws for a key that cannot be the name of a file.
   */
  record(key: string, state: () => SessionState): Recorder {
    if (!isKey(key)) throw new Error(`not a session key: ${key}`);
    const before = this.recorders.get(key);
    const { log, notKept, now, maxFileBytes = 16_000_000 } = this.options;
    const recorder = new SessionRecorder({
      key,
      state,
      files: { log: this.path(key, LOG), list: this.path(key, LIST) },
      log,
      notKept,
      now,
      maxFileBytes,
      after: before?.close() ?? Promise.resolve(),
      onCreated: () => {
        this.pruning = this.pruning.then(() => this.prune());
      },
      onClosed: () => {
        if (this.recorders.get(key) === recorder) this.recorders.delete(key);
      },
    });
    this.recorders.set(key, recorder);
    return recorder;
  }

  /** Removes all that is kept of a session; if it is being recorded, that ends. */
  async remove(key: string): Promise<void> {
    if (!isKey(key)) return;
    await this.recorders.get(key)?.abandon();
    await this.erase(key);
  }

  /** Resolves when all is on disk that was recorded so far. */
  async flush(): Promise<void> {
    await Promise.all([...this.recorders.values()].map((recorder) => recorder.written()));
    await this.pruning;
  }

  private path(key: string, end: string): string {
    return join(this.options.folder, `${key}${end}`);
  }

  private async read(key: string): Promise<ReadLog | undefined> {
    try {
      const read = await readLog(this.path(key, LOG));
      if (read.unreadable > 0)
        this.options.log(`${read.unreadable} lines of the transcript ${key} could not be read`);
      return read;
    } catch {
      return undefined; // There is none, or nobody may read it.
    }
  }

  /** Removes sessions beyond the caps, oldest first, and gives the others, newest first. */
  private async prune(): Promise<Found[]> {
    const { maxSessions = 100, maxTotalBytes = 300_000_000 } = this.options;
    const found = (await this.survey()).sort((a, b) => b.updatedAt - a.updatedAt);
    let bytes = 0;
    const stay: Found[] = [];
    for (const session of found) {
      bytes += session.bytes;
      const fits = stay.length < maxSessions && bytes <= maxTotalBytes;
      if (fits || stay.length === 0 || this.recorders.has(session.key)) stay.push(session);
      else await this.erase(session.key);
    }
    return stay;
  }

  private async survey(): Promise<Found[]> {
    const names = await readdir(this.options.folder).catch((): string[] => []);
    const keys = names.filter((name) => name.endsWith(LOG)).map((name) => name.slice(0, -LOG.length));
    await this.sweep(names.filter((name) => name.endsWith(UNFINISHED)));
    const found: Found[] = [];
    for (const key of keys.filter(isKey)) {
      const session = await this.find(key).catch(() => undefined);
      if (session) found.push(session);
    }
    return found;
  }

  private async find(key: string): Promise<Found> {
    const { size, mtimeMs } = await stat(this.path(key, LOG));
    const recorder = this.recorders.get(key);
    const kept =
      recorder?.kept ??
      (await readList(this.path(key, LIST), key)) ??
      (recorder ? undefined : await this.rebuild(key, mtimeMs));
    return { key, bytes: size, updatedAt: kept?.updatedAt ?? mtimeMs, kept };
  }

  /** Makes the small file anew, from the log. */
  private async rebuild(key: string, changedAt: number): Promise<KeptSession | undefined> {
    const session = (await this.read(key))?.session;
    if (!session) return undefined;
    const kept = keptOf(key, session.state, session.at || Math.round(changedAt));
    await atomicWrite(this.path(key, LIST), JSON.stringify(kept)).catch(() => undefined);
    return kept;
  }

  /** Removes what a crash left half written; what is young may be another window's. */
  private async sweep(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const file = join(this.options.folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found && found.mtimeMs < this.options.now() - DAY)
        await rm(file, { force: true }).catch(() => undefined);
    }
  }

  /** The log goes first: without it the small file means nothing. */
  private async erase(key: string): Promise<void> {
    for (const end of [LOG, LIST]) {
      await rm(this.path(key, end), { force: true }).catch((error: unknown) =>
        this.options.log(`the transcript ${key} could not be removed: ${String(error)}`),
      );
    }
  }
}
