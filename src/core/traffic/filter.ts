import { asObject, compact } from '../json';
import type { TrafficEntry } from './entry';

/** What the person looks for; what is absent or empty matches everything. */
export interface TrafficFilter {
  /** Any case, anywhere in the message. */
  text?: string;
  agent?: string;
  sessionId?: string;
  method?: string;
  direction?: TrafficDirection;
}

/** What the list can be narrowed to: one side, what is printed and started, or the faults. */
export type TrafficDirection = 'in' | 'out' | 'process' | 'fault';

export const DIRECTIONS: readonly TrafficDirection[] = ['in', 'out', 'process', 'fault'];

export function matches(entry: TrafficEntry, filter: TrafficFilter): boolean {
  return (
    same(filter.agent, entry.agent) &&
    same(filter.sessionId, entry.sessionId) &&
    same(filter.method, entry.method) &&
    (!filter.direction || filter.direction === sideOf(entry)) &&
    has(entry, filter.text)
  );
}

const same = (wanted: string | undefined, value: string | undefined): boolean => !wanted || wanted === value;

function sideOf({ kind }: TrafficEntry): TrafficDirection {
  return kind === 'in' || kind === 'out' || kind === 'fault' ? kind : 'process';
}

function has({ text, method, fault, what }: TrafficEntry, wanted: string | undefined): boolean {
  if (!wanted) return true;
  const word = wanted.toLowerCase();
  const places = [text, method ?? '', what ?? '', ...(fault ? [fault.duty, fault.code, ...fault.args] : [])];
  return places.some((place) => place.toLowerCase().includes(word));
}

/** Narrows a filter that a page sends. */
export function readFilter(value: unknown): TrafficFilter {
  const { direction, ...texts } = asObject(value);
  const text = (name: string): string | undefined => {
    const given = texts[name];
    return typeof given === 'string' && given !== '' ? given : undefined;
  };
  return compact({
    text: text('text'),
    agent: text('agent'),
    sessionId: text('sessionId'),
    method: text('method'),
    direction: DIRECTIONS.find((known) => known === direction),
  });
}
