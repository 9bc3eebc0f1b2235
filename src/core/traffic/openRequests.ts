import { asObject, asString, type JsonObject } from '../json';
import type { Direction } from './entry';

/** A request that is not answered. */
export interface OpenRequest {
  id: unknown;
  method: string;
  params: JsonObject;
  /** ms since the epoch. */
  at: number;
}

const keyOf = (id: unknown): string => JSON.stringify(id) ?? '';

/** The requests of both sides that wait for their answers. */
export class OpenRequests {
  private readonly open: Record<Direction, Map<string, OpenRequest>> = { in: new Map(), out: new Map() };

  /** A request of that side; false where one with its id is open already. */
  add(direction: Direction, message: JsonObject, at: number): boolean {
    const { id, method, params } = message;
    const key = keyOf(id);
    const fresh = !this.open[direction].has(key);
    this.open[direction].set(key, { id, method: asString(method) ?? '', params: asObject(params), at });
    return fresh;
  }

  /** The request of the other side that this answer of `direction` settles, which is open no more. */
  settle(direction: Direction, id: unknown): OpenRequest | undefined {
    const requests = this.open[direction === 'in' ? 'out' : 'in'];
    // Some agents give a number back as text.
    const key = [keyOf(id), ...(isNumeric(id) ? [keyOf(Number(id))] : [])].find((item) => requests.has(item));
    if (key === undefined) return undefined;
    const request = requests.get(key);
    requests.delete(key);
    return request;
  }

  /** Those of a side, by their method. */
  of(direction: Direction, ...methods: readonly string[]): OpenRequest[] {
    return [...this.open[direction].values()].filter(({ method }) => methods.includes(method));
  }
}

const isNumeric = (id: unknown): boolean => typeof id === 'string' && /^\d+$/.test(id);
