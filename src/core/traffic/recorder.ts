import { AgentMethod } from '../acp';
import { maskJson } from '../diagnostics/mask';
import { Emitter } from '../emitter';
import { asObject, asString, compact, type JsonObject } from '../json';
import type { Disposable } from '../lifecycle';
import { utf8Length } from '../terminal/outputBuffer';
import { cutMessage } from './cutMessage';
import type { Direction, EntryKind, RunEnd, TrafficEntry } from './entry';
import { FaultChecker } from './faults';
import type { Fault } from './faultNote';
import type { TrafficRing } from './ring';

/** A start of an agent that is recorded. */
export interface RunStart {
  agent: string;
  /** Takes home folder and secrets out of a text. */
  mask: (text: string) => string;
  /** The agent runs already; what it said of itself. */
  midway?: JsonObject;
}

/** Longest text of stderr, or line that is no message, that is kept, in UTF-16 units. */
const MAX_TEXT = 64 * 1024;
const MAX_WHAT = 120;

const OPENING: readonly string[] = [
  AgentMethod.initialize,
  AgentMethod.newSession,
  AgentMethod.loadSession,
  AgentMethod.resumeSession,
];

/** Keeps what passes between Parley and its agents, masked, with what it means: pairs answers with requests, notes faults. */
export class TrafficRecorder implements Disposable {
  private readonly added = new Emitter<TrafficEntry>();
  readonly onDidAdd = this.added.event;
  private seq = 0;
  private runs = 0;

  /** @param now ms since the epoch. */
  constructor(
    readonly ring: TrafficRing,
    private readonly now: () => number,
  ) {}

  /** Begins to record one process of an agent. */
  begin(start: RunStart): RunRecorder {
    const run = ++this.runs;
    return new RunRecorder(start, this.now, (entry) => {
      const whole = { seq: ++this.seq, at: this.now(), agent: start.agent, run, ...entry };
      this.ring.add(whole);
      this.added.fire(whole);
      return whole.seq;
    });
  }

  dispose(): void {
    this.added.dispose();
  }
}

type Part = Omit<TrafficEntry, 'seq' | 'at' | 'agent' | 'run'>;

/** Records one process of an agent. */
export class RunRecorder {
  private readonly checker: FaultChecker;

  constructor(
    private readonly start: RunStart,
    private readonly now: () => number,
    private readonly add: (part: Part) => number,
  ) {
    this.checker = new FaultChecker(start.midway !== undefined);
    const text = JSON.stringify(maskJson({ midway: start.midway }, start.mask));
    const midway = start.midway === undefined ? {} : { midway: true as const };
    this.add({ kind: 'start', text, size: 0, opens: true, ...midway });
  }

  /** A message as it stands on the wire, before anyone has changed it. */
  message(direction: Direction, value: unknown): void {
    const message = asObject(value);
    const now = this.now();
    const { faults, request } = this.checker.check(direction, message, now);
    const { text, cut } = cutMessage(maskJson(message, this.start.mask));
    const method = asString(message['method']) ?? request?.method;
    const sessionId =
      asString(asObject(message['params'])['sessionId']) ??
      asString(request?.params['sessionId']) ??
      asString(asObject(message['result'])['sessionId']);
    const about = this.add({
      kind: direction,
      text,
      size: utf8Length(JSON.stringify(message)),
      ...compact({
        cut: cut ? (true as const) : undefined,
        method,
        sessionId,
        answer: answerOf(message),
        what: this.masked(whatOf(message)),
        ms: request ? now - request.at : undefined,
        opens: method !== undefined && OPENING.includes(method) ? (true as const) : undefined,
      }),
    });
    this.note(faults, compact({ about, method, sessionId }));
  }

  /** Text that the agent printed on stderr. */
  stderr(text: string): void {
    this.text('stderr', text);
  }

  /** A line on stdout that is no message. */
  line(text: string): void {
    const about = this.text('line', text);
    this.note(this.checker.line(text), { about });
  }

  /** The process is gone, or could not be started. */
  end(end: RunEnd | { failed: string }): void {
    const what = 'failed' in end ? end.failed : String(end.signal ?? end.code);
    this.add({ kind: 'exit', text: JSON.stringify(maskJson(end, this.start.mask)), size: 0, what });
  }

  private text(kind: EntryKind, text: string): number {
    // Masked whole: the half of a secret would not be known as one.
    const masked = this.start.mask(text);
    const cut = masked.length > MAX_TEXT;
    return this.add({
      kind,
      text: masked.slice(0, MAX_TEXT),
      size: utf8Length(text),
      ...(cut ? { cut } : {}),
    });
  }

  private note(faults: readonly Fault[], place: Partial<Part>): void {
    for (const fault of faults) {
      const masked = { ...fault, args: fault.args.map(this.start.mask) };
      this.add({ kind: 'fault', text: '', size: 0, fault: masked, ...place });
    }
  }

  private masked(what: string | undefined): string | undefined {
    return what === undefined ? undefined : this.start.mask(what).slice(0, MAX_WHAT);
  }
}

function answerOf({ method, error }: JsonObject): 'result' | 'error' | undefined {
  if (typeof method === 'string') return undefined;
  return error === undefined || error === null ? 'result' : 'error';
}

/** What a person looks for in a list: the kind of an update, the tool call, the reason. */
function whatOf({ params, result, error }: JsonObject): string | undefined {
  const { update, toolCall, path, command, terminalId, modeId, configId, methodId } = asObject(params);
  const { sessionUpdate, toolCallId, status } = asObject(update);
  const { code, message } = asObject(error);
  const { stopReason, outcome } = asObject(result);
  const asked = asObject(toolCall)['toolCallId'];
  const chosen = asObject(outcome)['optionId'] ?? asObject(outcome)['outcome'];
  const parts = [
    ...[sessionUpdate, toolCallId, status, asked, path, command, terminalId],
    ...[modeId, configId, methodId, code, message, stopReason, chosen],
  ];
  const words = parts.filter((part) => typeof part === 'string' || typeof part === 'number');
  return words.length === 0 ? undefined : words.join(' ');
}
