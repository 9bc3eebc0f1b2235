import { asNumber, asObject, asString, isObject, type JsonObject } from '../json';
import type { SessionAction } from '../session/actions';
import { applyAction } from '../session/reduce';
import { emptySession, type SessionState } from '../session/state';
import { isRecordedType } from './record';
import { settle } from './settle';

/** Grows when an older Parley could not read what a newer one writes. */
const VERSION = 1;

/** The first line of a log. */
export function headerLine(key: string, agentId: string): string {
  return JSON.stringify({ v: VERSION, key, agentId });
}

/**
 * Says that the session was loaded and goes on: what was open above was closed then. Without it a turn that never ended would swallow
 * what follows.
 */
export const RESUMED_LINE = JSON.stringify({ resumed: true });

/** The line of one action. */
export function actionLine(action: SessionAction): string {
  return JSON.stringify(action);
}

/** Stands for all lines above it. `at`: ms since the epoch of the last thing in it. */
export function snapshotLine(state: SessionState, at: number): string {
  const { agents, authMethods, banner, abilities, connection, commands, config } = emptySession('');
  const live = { agents, authMethods, banner, abilities, connection, commands, config };
  return JSON.stringify({ snapshot: { ...state, ...live }, at });
}

/** What a line holds under `_meta`, to be kept next to a snapshot, which has none (EX-7); undefined for lines without. */
export function metaLine(line: string): string | undefined {
  if (!line.includes('"meta":')) return undefined;
  const { meta, kind, of, at, update, type } = asObject(parse(line));
  if (!isObject(meta)) return undefined;
  if (type === undefined) return JSON.stringify({ meta, kind, of, at });
  const { kind: updateKind, patch, messageId } = asObject(update);
  return JSON.stringify({ meta, kind: updateKind, of: asObject(patch)['toolCallId'] ?? messageId, at });
}

/** Makes a session of the lines of its log. */
export class LogReader {
  private current: SessionState;
  private at = 0;
  /** Lines that nobody can read. */
  unreadable = 0;
  /** True for a log of a later Parley, of which nothing can be said. */
  foreign = false;

  constructor(agentId: string) {
    this.current = emptySession(agentId);
  }

  /** Takes the next line. Never throws: what cannot be read is counted. */
  take(line: string): void {
    if (line === '' || this.foreign) return;
    const value = parse(line);
    try {
      if (!isObject(value) || !this.apply(value)) this.unreadable++;
    } catch {
      this.unreadable++;
    }
  }

  /** The session with everything closed that was open; undefined where nothing of it can be shown. */
  finish(): { state: SessionState; at: number } | undefined {
    const state = this.current;
    settle(state, this.at);
    const isEmpty = state.entries.length === 0 && state.queue.items.length === 0;
    return this.foreign || isEmpty ? undefined : { state, at: this.at };
  }

  private apply(line: JsonObject): boolean {
    if (isRecordedType(line['type'])) {
      this.applyAction(line as SessionAction);
    } else if ('v' in line) {
      this.foreign = line['v'] !== VERSION;
      const { agentId } = line;
      if (this.current.entries.length === 0) this.current = emptySession(asString(agentId) ?? '');
    } else if (line['resumed'] === true) {
      settle(this.current, this.at);
    } else if (isObject(line['snapshot'])) {
      return this.applySnapshot(line['snapshot'], line['at']);
    } else {
      return 'meta' in line;
    }
    return true;
  }

  private applyAction(action: SessionAction): void {
    if (this.unreadable > 0) this.follow(action);
    applyAction(this.current, action, () => undefined);
    if ('at' in action) this.at = Math.max(this.at, asNumber(action.at) ?? 0);
  }

  /** The line that nobody can read may be that of a prompt; the turns after it keep their numbers. */
  private follow(action: SessionAction): void {
    const { turn } = this.current;
    if ((action.type === 'turnEnded' || action.type === 'turnFailed') && action.turn > turn.number)
      turn.number = action.turn;
  }

  private applySnapshot(snapshot: JsonObject, at: unknown): boolean {
    if (!Array.isArray(snapshot['entries']) || !isObject(snapshot['agent'])) return false;
    const agentId = asString(snapshot['agent']['id']) ?? this.current.agent.id;
    this.current = { ...emptySession(agentId), ...snapshot };
    this.at = asNumber(at) ?? this.at;
    return true;
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
