import { AgentMethod, ClientMethod } from '../acp';
import { asObject, asString, isObject, type JsonObject } from '../json';
import { note, type FaultNote } from './faultNote';
import type { OpenRequest, OpenRequests } from './openRequests';
import type { SessionTrack, SessionTracks } from './sessionTracks';
import { updateFaults } from './shapes';

/** What came back: one of both. */
export interface Outcome {
  result?: JsonObject;
  error?: unknown;
}

/** Kinds of updates that a client must have announced (CC-6), by the capability. */
const ANNOUNCED: Record<string, string> = {
  notice: 'notices',
  compaction_update: 'compaction',
  compaction_summary_chunk: 'compaction',
};

interface Need {
  duty: string;
  has(announced: JsonObject, params: JsonObject): boolean;
}

const terminal: Need = { duty: 'TE-1', has: (announced) => announced['terminal'] === true };
const file = (name: string): Need => ({
  duty: 'FS-1',
  has: (announced) => asObject(announced['fs'])[name] === true,
});

/** What a client must have announced before it is called. */
const NEEDED: Record<string, Need> = {
  [ClientMethod.readTextFile]: file('readTextFile'),
  [ClientMethod.writeTextFile]: file('writeTextFile'),
  [ClientMethod.createTerminal]: terminal,
  [ClientMethod.terminalOutput]: terminal,
  [ClientMethod.waitForTerminalExit]: terminal,
  [ClientMethod.killTerminal]: terminal,
  [ClientMethod.releaseTerminal]: terminal,
  [ClientMethod.createElicitation]: {
    duty: 'EL-5',
    has: (announced, params) => isObject(asObject(announced['elicitation'])[asString(params['mode']) ?? '']),
  },
};

const OPENING = [AgentMethod.newSession, AgentMethod.loadSession, AgentMethod.resumeSession];

const CLOSING: readonly string[] = [AgentMethod.closeSession, AgentMethod.deleteSession];

/** What an agent must do, as far as its messages show it. */
export class AgentRules {
  constructor(
    private readonly requests: OpenRequests,
    private readonly tracks: SessionTracks,
    private readonly midway: boolean,
  ) {}

  /** What the client has announced; undefined where its `initialize` was not seen. */
  private announced: JsonObject | undefined;

  call(method: string, params: JsonObject): FaultNote[] {
    const found = this.announcedFaults(method, params);
    const sessionId = asString(params['sessionId']);
    if (sessionId === undefined) return found;
    const track = this.trackOf(sessionId);
    if (!track) return [...found, note('SU-6', 'unknownSession', method, sessionId)];
    if (method === ClientMethod.update && isObject(params['update']))
      found.push(...updateFaults(params['update']), ...this.updateRules(params['update'], track));
    if (method === ClientMethod.requestPermission) found.push(...questionRules(params, track));
    return found;
  }

  answer({ method, params }: OpenRequest, { result, error }: Outcome): FaultNote[] {
    if (method === AgentMethod.initialize) return this.versionFaults(params, result);
    if (method === AgentMethod.newSession) this.opened(result?.['sessionId']);
    const sessionId = asString(params['sessionId']);
    if (sessionId === undefined) return [];
    if (CLOSING.includes(method)) this.tracks.close(sessionId);
    const track = method === AgentMethod.prompt && this.tracks.find(sessionId);
    return track ? turnEnd(track, error) : [];
  }

  private opened(sessionId: unknown): void {
    if (typeof sessionId === 'string' && !this.tracks.find(sessionId)) this.tracks.open(sessionId);
  }

  /** A version that Parley did not ask for is legal (IN-5); none, or one that is no number, is a matter of the shape. */
  private versionFaults(params: JsonObject, result: JsonObject | undefined): FaultNote[] {
    this.announced = asObject(params['clientCapabilities']);
    const version = result?.['protocolVersion'];
    const fine = typeof version !== 'number' || (Number.isInteger(version) && version >= 1);
    return fine ? [] : [note('IN-5', 'version', version)];
  }

  /** While a session is being opened, its traffic may come before its id (SE-5). */
  private trackOf(sessionId: string): SessionTrack | undefined {
    const track = this.tracks.find(sessionId);
    if (track) return track;
    return this.requests.of('out', ...OPENING).length > 0 ? this.tracks.open(sessionId) : undefined;
  }

  private announcedFaults(method: string, params: JsonObject): FaultNote[] {
    const announced = this.announced ?? this.announcing();
    if (!announced) return this.midway ? [] : [note('IN-1', 'tooEarly', method)];
    if (method === ClientMethod.update) return updateAnnounced(announced, params);
    const needs = Object.hasOwn(NEEDED, method) ? NEEDED[method] : undefined;
    return needs && !needs.has(announced, params) ? [note(needs.duty, 'notAnnounced', method)] : [];
  }

  /** Before its answer to `initialize` an agent may already speak, though it should not rely on it. */
  private announcing(): JsonObject | undefined {
    const [initialize] = this.requests.of('out', AgentMethod.initialize);
    return initialize && asObject(initialize.params['clientCapabilities']);
  }

  private updateRules(update: JsonObject, track: SessionTrack): FaultNote[] {
    const { sessionUpdate: kind, toolCallId: id } = update;
    if (typeof id !== 'string' || (kind !== 'tool_call' && kind !== 'tool_call_update')) return [];
    const before = track.tools.get(id);
    track.tools.set(id, asString(update['status']) ?? before ?? 'pending');
    if (kind === 'tool_call')
      return before === 'completed' || before === 'failed' ? [note('TC-5', 'reusedToolCall', id)] : [];
    return before === undefined && !track.midway ? [note('TC-6', 'unknownToolCall', id)] : [];
  }
}

function turnEnd(track: SessionTrack, error: unknown): FaultNote[] {
  const { cancelled } = track;
  track.running = Math.max(0, track.running - 1);
  if (track.running === 0) track.cancelled = false;
  return cancelled && error !== undefined ? [note('CA-2', 'cancelledWithError')] : [];
}

function updateAnnounced(announced: JsonObject, params: JsonObject): FaultNote[] {
  const kind = asString(asObject(params['update'])['sessionUpdate']) ?? '';
  const needed = Object.hasOwn(ANNOUNCED, kind) ? ANNOUNCED[kind] : undefined;
  const missing = needed !== undefined && !isObject(asObject(announced['session'])[needed]);
  return missing ? [note('CC-6', 'notAnnounced', kind)] : [];
}

/** A question may introduce its tool call (PE-6). */
function questionRules(params: JsonObject, track: SessionTrack): FaultNote[] {
  const id = asString(asObject(params['toolCall'])['toolCallId']);
  if (id !== undefined && !track.tools.has(id)) track.tools.set(id, 'pending');
  return track.cancelled ? [note('CA-3', 'askedAfterCancel', id ?? '')] : [];
}
