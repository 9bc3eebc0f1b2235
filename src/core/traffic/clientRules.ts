import { AgentMethod, ClientMethod } from '../acp';
import { asList, asObject, asString, isObject, type JsonObject } from '../json';
import type { Outcome } from './agentRules';
import { note, type FaultNote } from './faultNote';
import type { OpenRequest, OpenRequests } from './openRequests';
import type { SessionTracks } from './sessionTracks';

/** Methods that an agent must have announced: the duty, and where in its capabilities. */
const GATED: Record<string, readonly [duty: string, group: string, name: string]> = {
  [AgentMethod.resumeSession]: ['SE-10', 'sessionCapabilities', 'resume'],
  [AgentMethod.closeSession]: ['SE-12', 'sessionCapabilities', 'close'],
  [AgentMethod.listSessions]: ['SE-15', 'sessionCapabilities', 'list'],
  [AgentMethod.deleteSession]: ['SE-20', 'sessionCapabilities', 'delete'],
  [AgentMethod.logout]: ['AU-10', 'auth', 'logout'],
};

/** Kinds of content that a prompt may only have where the agent announced them (PT-3). */
const PROMPT: Record<string, string> = { image: 'image', audio: 'audio', resource: 'embeddedContext' };

/** What a client must do, as far as its messages show it: Parley's own side is looked at like the other. */
export class ClientRules {
  /** The agent's answer to `initialize`; undefined where it was not seen. */
  private answered: JsonObject | undefined;
  private initialized = false;

  constructor(
    private readonly requests: OpenRequests,
    private readonly tracks: SessionTracks,
    private readonly midway: boolean,
  ) {}

  call(method: string, params: JsonObject): FaultNote[] {
    if (method === AgentMethod.initialize) {
      const again = this.initialized;
      this.initialized = true;
      return again ? [note('IN-11', 'twice', method)] : [];
    }
    const found = this.orderFaults(method);
    if (this.answered) found.push(...gateFaults(this.answered, method, params));
    return [...found, ...this.sessionFaults(method, params)];
  }

  /** What the agent said of itself, when its answer comes. */
  introduced(result: JsonObject): void {
    this.answered = result;
  }

  /** Parley's answer to a request of the agent. */
  answer({ method, params }: OpenRequest, { result, error }: Outcome): FaultNote[] {
    if (method !== ClientMethod.requestPermission) return [];
    const track = this.tracks.find(asString(params['sessionId']) ?? '');
    const { outcome, optionId } = asObject(result?.['outcome']);
    if (track?.cancelled && error !== undefined) return [note('PE-5', 'notCancelled', 'an error')];
    if (outcome !== 'selected') return [];
    if (track?.cancelled) return [note('CA-3', 'notCancelled', optionId)];
    const offered = asList(params['options']).some((option) => asObject(option)['optionId'] === optionId);
    return offered ? [] : [note('PE-2', 'notOffered', optionId)];
  }

  private orderFaults(method: string): FaultNote[] {
    const early = !this.midway && !this.answered;
    return early ? [note('IN-1', 'tooEarly', method)] : [];
  }

  private sessionFaults(method: string, params: JsonObject): FaultNote[] {
    const sessionId = asString(params['sessionId']);
    if (sessionId === undefined) return [];
    // One of another process; what it did there is not known.
    if (method === AgentMethod.loadSession || method === AgentMethod.resumeSession) {
      this.tracks.open(sessionId, method === AgentMethod.resumeSession);
      return [];
    }
    if (method === AgentMethod.deleteSession) return [];
    const track = this.tracks.find(sessionId);
    if (!track) return [note('SE-4', 'unknownSession', method, sessionId)];
    if (method === AgentMethod.cancel) track.cancelled = track.running > 0 || this.midway;
    if (method !== AgentMethod.prompt) return [];
    if (track.running === 0) track.cancelled = false;
    track.running += 1;
    // The request itself is open already.
    const open = this.requests
      .of('out', AgentMethod.prompt)
      .filter((item) => item.params['sessionId'] === sessionId);
    return open.length > 1 ? [note('PT-7', 'secondPrompt')] : [];
  }
}

/** What the agent has not announced (IN-7). */
function gateFaults(answered: JsonObject, method: string, params: JsonObject): FaultNote[] {
  const capabilities = asObject(answered['agentCapabilities']);
  if (method === AgentMethod.loadSession && capabilities['loadSession'] !== true)
    return [note('SE-6', 'notAnnounced', method)];
  const gate = Object.hasOwn(GATED, method) ? GATED[method] : undefined;
  if (gate && !isObject(asObject(capabilities[gate[1]])[gate[2]]))
    return [note(gate[0], 'notAnnounced', method)];
  if (method === AgentMethod.authenticate) return signInFaults(answered, params);
  if (method === AgentMethod.prompt) return promptFaults(capabilities, params);
  return placeFaults(capabilities, params);
}

function signInFaults(answered: JsonObject, { methodId }: JsonObject): FaultNote[] {
  const method = asList(answered['authMethods'])
    .map(asObject)
    .find(({ id }) => id === methodId);
  if (!method) return [note('AU-2', 'notOffered', methodId)];
  return method['type'] === 'terminal' ? [note('AU-3', 'terminalMethod', methodId)] : [];
}

function promptFaults(capabilities: JsonObject, params: JsonObject): FaultNote[] {
  const allowed = asObject(capabilities['promptCapabilities']);
  const kinds = new Set(asList(params['prompt']).map((block) => asString(asObject(block)['type']) ?? ''));
  return [...kinds]
    .filter((kind) => Object.hasOwn(PROMPT, kind) && allowed[PROMPT[kind] ?? ''] !== true)
    .map((kind) => note('PT-3', 'notAnnounced', kind));
}

/** Folders and servers of a session that is opened. */
function placeFaults(capabilities: JsonObject, params: JsonObject): FaultNote[] {
  const found: FaultNote[] = [];
  const folders = asList(params['additionalDirectories']);
  if (folders.length > 0 && !isObject(asObject(capabilities['sessionCapabilities'])['additionalDirectories']))
    found.push(note('SE-21', 'notAnnounced', 'additionalDirectories'));
  const transports = asObject(capabilities['mcpCapabilities']);
  for (const server of asList(params['mcpServers'])) {
    const type = asString(asObject(server)['type']);
    if (type !== undefined && type !== 'stdio' && transports[type] !== true)
      found.push(note('MC-4', 'notAnnounced', `MCP ${type}`));
  }
  return found;
}
