// Plays a report that `Parley: Save Bug Report` wrote: does what the real agent did, in the same order.
//
// A request of the client gets the answer that the real agent gave to the one of the same method, the first to the first; ids, session ids
// and folders are put in. A call that the recording does not have is answered like the last one of its method. What the agent printed,
// sent by itself and how it ended follows at its place. Nothing waits for time to pass.
import os from 'node:os';

/** Without these calls what follows in a recording has no meaning, so they are waited for; others may be left out. */
const ESSENTIAL = new Set([
  'initialize',
  'authenticate',
  'session/new',
  'session/load',
  'session/resume',
  'session/prompt',
  'session/cancel',
]);

/** Whether the text of a file is a report. */
export function isReport(text) {
  try {
    return JSON.parse(text.slice(0, text.indexOf('\n'))).format === 'parley-traffic';
  } catch {
    return false; // A script of steps may begin with a comment.
  }
}

/** The header, and the events of one start of the agent: that of `run`, else the last that went wrong, else the last. */
export function readReport(text, run) {
  const [header, ...events] = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const runs = [...new Set(events.map((event) => event.run))];
  const wrong = runs.filter((each) => events.some((event) => event.run === each && isWrong(event)));
  const chosen = run ?? wrong.at(-1) ?? runs.at(-1);
  return { header, events: events.filter((event) => event.run === chosen) };
}

const isWrong = ({ dir, msg }) =>
  dir === 'fault' || dir === 'line' || (dir === 'exit' && !msg.asked) || (dir === '<' && msg.error);

/** Plays the events. `io`: `write(text)`, `printError(text)`, `exit(code)`, `kill(signal)`, `log(entry)`. */
export class ReportPlayer {
  constructor({ header, events }, io) {
    this.header = header;
    // What Parley ended itself ends with the replay.
    this.events = events.filter(
      ({ dir, msg }) => dir !== 'start' && dir !== 'fault' && !(dir === 'exit' && (msg.asked || msg.failed)),
    );
    this.io = io;
    this.at = 0;
    this.inbox = [];
    this.ids = new Map();
    this.skipped = [];
    this.sessions = new Map();
    this.folders = new Map();
    this.busy = Promise.resolve();
  }

  /** Takes a message of the client. */
  receive(message) {
    this.io.log({ in: message });
    this.inbox.push(message);
    this.go();
  }

  go() {
    this.busy = this.busy.then(() => this.play());
  }

  async play() {
    while (this.at < this.events.length) {
      const event = this.events[this.at];
      if (event.dir === '>') {
        if (!this.take(event)) break;
      } else await this.emit(event);
      this.at++;
    }
    this.answerRest();
  }

  /** Whether the client has done what it did in the recording, or something that came later there. */
  take(event) {
    const { method, id } = event.msg;
    const found = this.inbox.findIndex((message) =>
      method === undefined ? message.method === undefined && message.id === id : message.method === method,
    );
    if (found >= 0) {
      this.bind(event.msg, this.inbox.splice(found, 1)[0]);
      return true;
    }
    this.answerRest();
    const later = this.events.slice(this.at + 1).filter(({ dir }) => dir === '>');
    const ahead = this.inbox.some((message) => later.some(({ msg }) => msg.method === message.method));
    if (method === undefined || ESSENTIAL.has(method) || !ahead) return false;
    this.skipped.push(event.msg);
    return true;
  }

  /** From now on what the recording calls by one id is the other. */
  bind(recorded, actual) {
    if (recorded.id !== undefined && recorded.method !== undefined) this.ids.set(recorded.id, actual.id);
    const { sessionId, cwd, additionalDirectories } = recorded.params ?? {};
    if (sessionId !== undefined) this.sessions.set(sessionId, actual.params?.sessionId);
    if (typeof cwd === 'string') this.folders.set(cwd, actual.params?.cwd ?? process.cwd());
    additionalDirectories?.forEach((folder, index) =>
      this.folders.set(folder, actual.params?.additionalDirectories?.[index] ?? actual.params?.cwd),
    );
  }

  /** Answers what the recording does not wait for any more. */
  answerRest() {
    const awaited = this.events.slice(this.at).filter(({ dir, msg }) => dir === '>' && msg.method);
    const rest = this.inbox.filter(
      ({ method }) => method !== undefined && !awaited.some(({ msg }) => msg.method === method),
    );
    this.inbox = this.inbox.filter((message) => !rest.includes(message));
    for (const message of rest) {
      const recorded = this.skipped.find(({ method }) => method === message.method);
      if (recorded) this.skipped.splice(this.skipped.indexOf(recorded), 1);
      if (message.id !== undefined) this.send({ id: message.id, ...this.answerTo(message, recorded) });
    }
  }

  answerTo({ method }, recorded) {
    const asked = this.events
      .filter(({ dir, msg }) => dir === '>' && msg.method === method)
      .map(({ msg }) => msg.id);
    const answers = this.events.filter(({ dir, msg }) => dir === '<' && msg.method === undefined);
    const ids = recorded ? [recorded.id] : asked;
    const known = answers.findLast(({ msg }) => ids.includes(msg.id))?.msg;
    if (known) return known.error ? { error: known.error } : { result: this.placed(known.result) };
    if (method === 'initialize') return { result: this.introduction() };
    if (method === 'session/new') return { result: { sessionId: this.firstSession() } };
    return { error: { code: -32601, message: `The recording has no ${method}` } };
  }

  introduction() {
    const { agentCapabilities = {}, agent = {}, protocolVersion = 1 } = this.header;
    const { name = agent.id ?? 'replay', title, version = '0' } = agent;
    return { protocolVersion, agentCapabilities, agentInfo: { name, version, ...(title ? { title } : {}) } };
  }

  firstSession() {
    const found = this.events.find(({ msg }) => msg?.params?.sessionId !== undefined);
    return found?.msg.params.sessionId ?? 'session-replay';
  }

  async emit({ dir, msg }) {
    if (dir === '<') await this.send(this.mapped(msg));
    else if (dir === 'err') await this.io.printError(this.placed(msg));
    else if (dir === 'line') await this.io.write(`${this.placed(msg)}\n`);
    else if (dir === 'exit') await (msg.signal ? this.io.kill(msg.signal) : this.io.exit(msg.code ?? 0));
  }

  /** The message with the ids of this run; undefined for the answer to a call that was left out. */
  mapped(msg) {
    const placed = this.placed(msg);
    if (msg.method !== undefined || msg.id === undefined) return placed;
    if (this.ids.has(msg.id)) return { ...placed, id: this.ids.get(msg.id) };
    // Text where the request had a number: a fault that is to be seen again.
    if (this.ids.has(Number(msg.id))) return { ...placed, id: String(this.ids.get(Number(msg.id))) };
    return this.skipped.some(({ id }) => id === msg.id) ? undefined : placed;
  }

  /** The value with the sessions and folders of this run. */
  placed(value, name = '') {
    if (typeof value === 'string') return this.placedText(value, name);
    if (Array.isArray(value)) return value.map((item) => this.placed(item, name));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.placed(item, key)]));
  }

  placedText(text, name) {
    if (name === 'sessionId') return this.sessions.get(text) ?? text;
    const isPath = name === 'path' || name === 'cwd';
    const homed = isPath && /^~(?=[\\/]|$)/.test(text) ? os.homedir() + text.slice(1) : text;
    return homed.replaceAll(
      /\{\{(?:cwd|folder\d+)\}\}/g,
      (place) => this.folders.get(place) ?? process.cwd(),
    );
  }

  async send(message) {
    if (message === undefined) return;
    const whole = { jsonrpc: '2.0', ...message };
    this.io.log({ out: whole });
    await this.io.write(`${JSON.stringify(whole)}\n`);
  }
}
