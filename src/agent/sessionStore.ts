import { closeSync, openSync, readdirSync, readSync, rmSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { WireError } from '../core/errors';
import { asList, compact } from '../core/json';
import { conversationOf, type Conversation } from './events/conversation';
import type { TimedEvent } from './events/event';
import { EventLog, parseEvents, readEvents } from './events/eventLog';

/** Sessions in one answer of the list. */
const PAGE = 50;

/** An id that is a folder's name and nothing else. */
const ID = /^[\w-]{1,100}$/;

/** Bytes in which the first line of a log ends. */
const HEAD = 65_536;

/** A place in the list. */
interface Place {
  /** ms since the epoch of the last write. */
  at: number;
  id: string;
}

interface StoredFile extends Place {
  /** Another one when the file was written to. */
  key: string;
}

/** A session as the list tells it. */
export interface ListedSession extends Pick<
  Conversation,
  'cwd' | 'additionalDirectories' | 'title' | 'taskComplete'
> {
  sessionId: string;
  /** ms since the epoch. */
  updatedAt: number;
  modelCalls: number;
}

/** The sessions on disk: a folder each, whose `events.jsonl` is all that is kept of it. */
export class SessionStore {
  private readonly folder: string;
  /** What was read of each file, as long as that is the same. */
  private readonly known = new Map<string, { key: string; listed: ListedSession | undefined }>();

  /** @param home the agent's data folder; nothing is made before there is something to keep. */
  constructor(
    home: string,
    private readonly now: () => number,
  ) {
    this.folder = join(home, 'sessions');
  }

  /** The log of a new session. */
  begin(sessionId: string): EventLog {
    return new EventLog(this.file(sessionId), 0, this.now);
  }

  /** What was kept of a session, and the log to go on with. Throws -32002 for one that is not there. */
  open(sessionId: string): { events: TimedEvent[]; log: EventLog } {
    const { events, size } = this.read(sessionId);
    if (!events.some(isStart)) throw WireError.notFound('The session', { sessionId });
    return { events, log: new EventLog(this.file(sessionId), size, this.now) };
  }

  /**
   * Sessions by their last event, the newest first; those of a folder where one is given.
   *
   * @param cursor where the page before ended (SE-15). Throws -32602 for one that was not given.
   */
  list(
    cwd: string | undefined,
    cursor: string | undefined,
  ): { sessions: ListedSession[]; nextCursor?: string } {
    const after = placeOf(cursor);
    const sessions: ListedSession[] = [];
    const files = this.files().filter((file) => after === undefined || isAfter(file, after));
    for (const [at, file] of files.entries()) {
      if (cwd !== undefined && this.folderOf(file) !== cwd) continue;
      const listed = this.listed(file);
      if (listed) sessions.push(listed);
      if (sessions.length === PAGE && at < files.length - 1) return { sessions, nextCursor: cursorOf(file) };
    }
    return { sessions };
  }

  /** Deletes a session; one that is not there is deleted already. */
  remove(sessionId: string): void {
    if (ID.test(sessionId)) rmSync(join(this.folder, sessionId), { recursive: true, force: true });
  }

  private read(sessionId: string): { events: TimedEvent[]; size: number } {
    try {
      return readEvents(this.file(sessionId));
    } catch (error) {
      if (isMissing(error)) throw WireError.notFound('The session', { sessionId });
      throw error;
    }
  }

  /** The folder of a session, from its first line alone: most sessions belong to other folders. */
  private folderOf({ id, key }: StoredFile): string | undefined {
    const known = this.known.get(id);
    if (known?.key === key) return known.listed?.cwd;
    try {
      const file = openSync(this.file(id), 'r');
      try {
        const head = Buffer.alloc(HEAD);
        const text = head.toString('utf8', 0, readSync(file, head, 0, HEAD, 0));
        const [first] = parseEvents(text.slice(0, text.indexOf('\n') + 1));
        return first?.type === 'session.start' ? first.cwd : undefined;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined; // Deleted meanwhile.
    }
  }

  private listed({ id: sessionId, key }: StoredFile): ListedSession | undefined {
    const known = this.known.get(sessionId);
    if (known?.key === key) return known.listed;
    const listed = this.look(sessionId);
    this.known.set(sessionId, { key, listed });
    return listed;
  }

  private look(sessionId: string): ListedSession | undefined {
    try {
      const { events } = this.read(sessionId);
      if (!events.some(isStart)) return undefined;
      const conversation = conversationOf(events);
      const {
        cwd,
        additionalDirectories,
        title,
        taskComplete,
        started: modelCalls,
        updatedAt,
      } = conversation;
      const more = compact({ title, taskComplete });
      return { sessionId, cwd, additionalDirectories, updatedAt, modelCalls, ...more };
    } catch {
      return undefined; // Deleted meanwhile, or by another version: what can't be read can't be loaded.
    }
  }

  /** All sessions, the one that was written to last first. */
  private files(): StoredFile[] {
    let names: string[];
    try {
      names = readdirSync(this.folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
    const found = names
      .filter((name) => ID.test(name))
      .flatMap((id) => {
        const stats = this.statsOf(id);
        return stats ? [{ id, at: stats.mtimeMs, key: `${stats.mtimeMs} ${stats.size}` }] : [];
      });
    return found.sort((a, b) => (isAfter(a, b) ? 1 : -1));
  }

  private statsOf(id: string): Stats | undefined {
    try {
      return statSync(this.file(id), { throwIfNoEntry: false });
    } catch {
      return undefined; // A file among the folders, or a folder that may not be read: no session, and no reason to list none.
    }
  }

  private file(sessionId: string): string {
    if (!ID.test(sessionId)) throw WireError.notFound('The session', { sessionId });
    return join(this.folder, sessionId, 'events.jsonl');
  }
}

/** A log without its beginning is that of a process that was killed before the session was one. */
const isStart = ({ type }: TimedEvent): boolean => type === 'session.start';

/** True where the first is further down in the list. */
function isAfter(file: Place, other: Place): boolean {
  return file.at === other.at ? file.id > other.id : file.at < other.at;
}

function cursorOf({ at, id }: Place): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url');
}

function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [at, id] = asList(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (typeof at === 'number' && typeof id === 'string') return { at, id };
  } catch {
    // Not made here, as all others that come to the next line.
  }
  throw WireError.invalidParams('This cursor is not one of the list.');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
