import { asNumber, asObject, asString, isObject } from '../json';
import type { TrafficEntry } from './entry';
import { readFilter, type TrafficFilter } from './filter';

/** An entry as the list shows it; its text is asked for apart. */
export type TrafficRow = Omit<TrafficEntry, 'text' | 'opens'> & {
  /** The beginning of what was printed. */
  excerpt?: string;
};

/** What can be chosen in the filters. */
export interface TrafficChoices {
  agents: string[];
  sessions: string[];
  methods: string[];
}

/** What the extension tells the page. */
export type HostToTraffic =
  | { type: 'state'; recording: boolean; choices: TrafficChoices; total: number }
  /** `reset`: they take the place of all that the page has. */
  | { type: 'rows'; rows: TrafficRow[]; reset: boolean }
  | { type: 'detail'; seq: number; text: string | null };

/** What the page tells the extension. */
export type TrafficToHost =
  | { type: 'ready' }
  | { type: 'filter'; filter: TrafficFilter }
  | { type: 'pause'; paused: boolean }
  | { type: 'detail'; seq: number }
  | { type: 'copy'; seq: number }
  | { type: 'clear' | 'save' | 'enable' };

const MAX_EXCERPT = 160;

export function toRow({ text, opens: _opens, ...row }: TrafficEntry): TrafficRow {
  const printed = row.kind === 'stderr' || row.kind === 'line';
  return printed ? { ...row, excerpt: text.slice(0, MAX_EXCERPT).replaceAll(/\s+/g, ' ').trim() } : row;
}

/** The message for reading: JSON on many lines, anything else as it is. */
export function prettyText({ text, kind }: Pick<TrafficEntry, 'text' | 'kind'>): string {
  if (kind === 'stderr' || kind === 'line' || text === '') return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // As it was kept.
  }
}

/** What there is to choose from, in the order of the alphabet. */
export function choicesOf(entries: readonly TrafficEntry[]): TrafficChoices {
  const sorted = (pick: (entry: TrafficEntry) => string | undefined): string[] =>
    [...new Set(entries.flatMap((entry) => pick(entry) ?? []))].sort();
  return {
    agents: sorted(({ agent }) => agent),
    sessions: sorted(({ sessionId }) => sessionId),
    methods: sorted(({ method }) => method),
  };
}

/** Narrows a message of the page; undefined for anything else. */
export function readTrafficMessage(value: unknown): TrafficToHost | undefined {
  const message = asObject(value);
  const type = asString(message['type']);
  switch (type) {
    case 'ready':
    case 'clear':
    case 'save':
    case 'enable':
      return { type };
    case 'filter':
      return { type, filter: readFilter(message['filter']) };
    case 'pause':
      return { type, paused: message['paused'] === true };
    case 'detail':
    case 'copy': {
      const seq = asNumber(message['seq']);
      return seq === undefined ? undefined : { type, seq };
    }
    default:
      return undefined;
  }
}

/** Narrows a message of the extension, which is trusted for all but its kind. */
export function readHostMessage(value: unknown): HostToTraffic | undefined {
  if (!isObject(value)) return undefined;
  const type = asString(value['type']);
  return type === 'state' || type === 'rows' || type === 'detail'
    ? (value as unknown as HostToTraffic)
    : undefined;
}
