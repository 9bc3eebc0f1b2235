import { AgentMethod } from '../acp';
import { asList, asObject, asString, compact, isObject, type JsonObject } from '../json';
import type { TrafficEntry } from './entry';
import { faultSentence } from './faultSentence';
import { withoutTexts } from './withoutTexts';

/** What a report says of where it was made. */
export interface ReportSource {
  parley: string;
  vscode: string;
  platform: string;
}

/** First line of a report. */
export interface ReportHeader extends ReportSource {
  format: 'parley-traffic';
  version: 1;
  /** Name in the settings, and what the agent said of itself. */
  agent: { id: string; name?: string; title?: string; version?: string };
  protocolVersion?: number;
  agentCapabilities?: JsonObject;
  clientCapabilities?: JsonObject;
  /** False where placeholders of the same length are in the place of texts. */
  texts: boolean;
}

/** Marks of the lines after the first: from and to the agent, what it printed, and what happened to its process. */
const MARKS = {
  in: '<',
  out: '>',
  stderr: 'err',
  line: 'line',
  start: 'start',
  exit: 'exit',
  fault: 'fault',
} as const;

/**
 * The recording of one agent as NDJSON: a header, then `{t, run, dir, msg}` with `t` in ms since the first. The folders of its sessions are
 * called `{{cwd}}` and `{{folder1}}`. `test/agents/replayAgent.mjs` plays it.
 *
 * @param entries of one agent, oldest first, masked as they are recorded.
 */
export function writeReport(entries: readonly TrafficEntry[], source: ReportSource, texts: boolean): string {
  const parsed = entries.map((entry) => ({ entry, value: valueOf(entry) }));
  const hide = folderMask(parsed.map(({ value }) => value));
  const start = entries[0]?.at ?? 0;
  const lines = parsed.map(({ entry, value }) => {
    const placed = hide(value);
    return {
      t: entry.at - start,
      run: entry.run,
      dir: MARKS[entry.kind],
      ...compact({ cut: entry.cut, ms: entry.ms }),
      msg: texts || entry.kind === 'fault' ? placed : withoutTexts(placed, entry.kind),
    };
  });
  const header = headerOf(entries, source, texts);
  return [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

function valueOf(entry: TrafficEntry): unknown {
  if (entry.fault) return faultSentence(entry.fault);
  if (entry.kind === 'stderr' || entry.kind === 'line') return entry.text;
  return JSON.parse(entry.text) as unknown;
}

function headerOf(entries: readonly TrafficEntry[], source: ReportSource, texts: boolean): ReportHeader {
  const last = (kind: TrafficEntry['kind'], pick: (value: JsonObject) => unknown): JsonObject =>
    entries
      .filter((entry) => entry.kind === kind && (entry.method === AgentMethod.initialize || kind === 'start'))
      .map((entry) => pick(asObject(JSON.parse(entry.text))))
      .findLast(isObject) ?? {};
  const answered = { ...last('start', ({ midway }) => midway), ...last('in', ({ result }) => result) };
  const asked = last('out', ({ params }) => params);
  const { name, title, version } = asObject(answered['agentInfo']);
  const spoken = answered['protocolVersion'];
  return {
    format: 'parley-traffic',
    version: 1,
    ...source,
    agent: {
      id: entries[0]?.agent ?? '',
      ...compact({ name: asString(name), title: asString(title), version: asString(version) }),
    },
    ...compact({
      protocolVersion: typeof spoken === 'number' ? spoken : undefined,
      agentCapabilities: asMaybe(answered['agentCapabilities']),
      clientCapabilities: asMaybe(asked['clientCapabilities']),
    }),
    texts,
  };
}

const asMaybe = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);

/** Puts placeholders in the place of the sessions' folders, wherever they stand in a text. */
function folderMask(values: readonly unknown[]): (value: unknown) => unknown {
  const names = new Map<string, string>();
  const add = (path: unknown, name: string): void => {
    // A folder as short as these would be found everywhere.
    if (typeof path === 'string' && path.length > 2 && !names.has(path)) names.set(path, name);
  };
  const places = values
    .map((value) => asObject(asObject(value)['params']))
    .filter(
      ({ cwd, sessionId, mcpServers }) =>
        cwd !== undefined && (sessionId === undefined || mcpServers !== undefined),
    );
  for (const { cwd } of places) add(cwd, names.size === 0 ? '{{cwd}}' : `{{folder${names.size}}}`);
  for (const { additionalDirectories } of places)
    for (const path of asList(additionalDirectories)) add(path, `{{folder${names.size}}}`);
  const known = [...names].sort(([one], [other]) => other.length - one.length);
  const inText = (text: string): string =>
    known.reduce((done, [path, name]) => replacePath(done, path, name), text);
  return (value) => mapTexts(value, inText);
}

/** Replaces a path where it is a whole one or the beginning of one: `/a/shop`, not `/a/shopping`. */
function replacePath(text: string, path: string, name: string): string {
  let done = '';
  let from = 0;
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, from)) {
    const after = text[at + path.length] ?? '';
    const whole = !/[\p{L}\p{N}_-]/u.test(after);
    done += text.slice(from, at) + (whole ? name : path);
    from = at + path.length;
  }
  return done + text.slice(from);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}
