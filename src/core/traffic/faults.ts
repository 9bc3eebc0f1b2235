import { AgentMethod, ErrorCode } from '../acp';
import { asObject, asString, isObject, type JsonObject } from '../json';
import { AgentRules } from './agentRules';
import { ClientRules } from './clientRules';
import type { Direction } from './entry';
import { note, type Fault, type FaultNote } from './faultNote';
import { OpenRequests, type OpenRequest } from './openRequests';
import { SessionTracks } from './sessionTracks';
import { dutyOf, isAgentMethod, isClientMethod, paramsFaults, resultFaults } from './shapes';

/** What was found in a message, and what it answers. */
export interface Checked {
  faults: Fault[];
  /** The request that this answer settled. */
  request?: OpenRequest;
}

/**
 * Follows the messages of one run in their order and tells what either side did against the protocol. What Parley tolerates is told as
 * well: a fault is the agent's though nothing broke. Keeps what is open and the ids of tool calls, no contents.
 */
export class FaultChecker {
  private readonly requests = new OpenRequests();
  private readonly tracks: SessionTracks;
  private readonly agent: AgentRules;
  private readonly client: ClientRules;

  /** @param midway the run began before it was recorded: what is unknown may have been known before. */
  constructor(private readonly midway = false) {
    this.tracks = new SessionTracks(midway);
    this.agent = new AgentRules(this.requests, this.tracks, midway);
    this.client = new ClientRules(this.requests, this.tracks, midway);
  }

  /** Takes the next message; `at` in ms. */
  check(direction: Direction, value: unknown, at: number): Checked {
    const message = asObject(value);
    const { method, id } = message;
    if (typeof method !== 'string') return this.answer(direction, message);
    const found = id === undefined ? [] : this.request(direction, message, at);
    found.push(...this.call(direction, method, asObject(message['params']), id !== undefined));
    return { faults: this.sided(direction, found) };
  }

  /** Takes a line of stdout that is no message (TR-5, TR-12). */
  line(text: string): Fault[] {
    return this.sided('in', [lineFault(text)]);
  }

  private request(direction: Direction, message: JsonObject, at: number): FaultNote[] {
    const { id } = message;
    const found: FaultNote[] = [];
    if (typeof id !== 'string' && !Number.isInteger(id)) found.push(note('RP-2', 'idType', id));
    if (!this.requests.add(direction, message, at)) found.push(note('RP-2', 'idReused', id));
    return found;
  }

  private call(direction: Direction, method: string, params: JsonObject, isRequest: boolean): FaultNote[] {
    if (method === '$/cancel_request') return [];
    const known = direction === 'in' ? isClientMethod(method) : isAgentMethod(method);
    if (!known) {
      const custom = method.startsWith('_') || method.startsWith('$/');
      return custom ? [] : [note(isRequest ? 'EX-4' : 'EX-5', 'unknownMethod', method)];
    }
    const rules = direction === 'in' ? this.agent : this.client;
    return [...paramsFaults(method, params), ...rules.call(method, params)];
  }

  private answer(direction: Direction, message: JsonObject): Checked {
    const { id, error } = message;
    const request = this.requests.settle(direction, id);
    if (!request) {
      const fault = id === undefined ? note('RP-2', 'answerWithoutId') : note('RP-10', 'notOpen', id);
      return { faults: this.midway ? [] : this.sided(direction, [fault]) };
    }
    const found = id === request.id ? [] : [note('RP-2', 'idChanged', id)];
    found.push(...this.settled(direction, request, message));
    const refused = direction === 'out' && asObject(error)['code'] === ErrorCode.invalidParams;
    const blamed = refused ? [refusal(request.method, error)] : [];
    return { faults: [...this.sided(direction, found), ...this.sided('in', blamed)], request };
  }

  private settled(direction: Direction, request: OpenRequest, { error, ...rest }: JsonObject): FaultNote[] {
    const { method } = request;
    const { result } = rest;
    const failed = error !== undefined && error !== null;
    const shape = failed === (result !== undefined) ? [note('RP-1', 'answerShape', method)] : [];
    const rules = direction === 'in' ? this.agent : this.client;
    if (failed) return [...shape, ...errorFaults(error), ...rules.answer(request, { error })];
    if (method === AgentMethod.initialize) this.client.introduced(asObject(result));
    return [
      ...shape,
      ...resultFaults(method, result),
      ...rules.answer(request, { result: asObject(result) }),
    ];
  }

  private sided(direction: Direction, notes: readonly FaultNote[]): Fault[] {
    return notes.map((item) => ({ ...item, side: direction === 'in' ? 'agent' : 'client' }));
  }
}

const refusal = (method: string, error: unknown): FaultNote =>
  note(dutyOf(method), 'invalidParams', method, asString(asObject(error)['message']) ?? '');

function errorFaults(error: unknown): FaultNote[] {
  const { code, message } = asObject(error);
  return Number.isInteger(code) && typeof message === 'string' ? [] : [note('RP-1', 'errorShape')];
}

function lineFault(text: string): FaultNote {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return note('TR-5', 'notMessage', text); // Not even JSON.
  }
  if (Array.isArray(value)) return note('TR-12', 'batch');
  const isAnswer = isObject(value) && ('result' in value || 'error' in value) && value['id'] === undefined;
  return isAnswer ? note('RP-2', 'answerWithoutId') : note('TR-5', 'notMessage', text);
}
