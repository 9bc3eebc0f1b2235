import { isObject } from '../json';

/** What a guard gives for a value that it does not let in. */
export const REFUSED = Symbol('refused');

/** Narrows a value of unknown shape. It never throws, and what it gives holds nothing that it did not look at. */
export type Guard<T> = (value: unknown) => T | typeof REFUSED;

/** A text of at most so many UTF-16 units. */
export const text =
  (max: number): Guard<string> =>
  (value) =>
    typeof value === 'string' && value.length <= max ? value : REFUSED;

/** True or false. */
export const flag: Guard<boolean> = (value) => (typeof value === 'boolean' ? value : REFUSED);

/** Any number but NaN and the infinite ones. */
export const finite: Guard<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : REFUSED;

/** An integer from `min` on. */
export const integer =
  (min: number): Guard<number> =>
  (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min ? value : REFUSED;

/** One of the words. */
export const oneOf =
  <const T extends string>(...words: readonly T[]): Guard<T> =>
  (value) =>
    words.find((word) => word === value) ?? REFUSED;

/** Nothing but null. */
export const nothing: Guard<null> = (value) => (value === null ? null : REFUSED);

/** What one of two guards lets in. */
export const either =
  <A, B>(first: Guard<A>, second: Guard<B>): Guard<A | B> =>
  (value) => {
    const read = first(value);
    return read === REFUSED ? second(value) : read;
  };

/** What the guard lets in, or an absent field. */
export const optional =
  <T>(guard: Guard<T>): Guard<T | undefined> =>
  (value) =>
    value === undefined ? undefined : guard(value);

/** A list of at most so many items, each of which the guard lets in. */
export const list =
  <T>(guard: Guard<T>, max: number): Guard<T[]> =>
  (value) => {
    if (!Array.isArray(value) || value.length > max) return REFUSED;
    const read: T[] = [];
    for (const item of value) {
      const known = guard(item);
      if (known === REFUSED) return REFUSED;
      read.push(known);
    }
    return read;
  };

/** A record of at most so many fields with names of at most so many UTF-16 units. */
export const record =
  <T>(guard: Guard<T>, max: { fields: number; name: number }): Guard<Record<string, T>> =>
  (value) => {
    if (!isObject(value)) return REFUSED;
    const names = Object.keys(value);
    if (names.length > max.fields || names.some((name) => name.length > max.name)) return REFUSED;
    const read: [string, T][] = [];
    for (const name of names) {
      const item = guard(value[name]);
      if (item === REFUSED) return REFUSED;
      read.push([name, item]);
    }
    // Not by assignment: a field may have the name of the prototype.
    return Object.fromEntries(read);
  };

/** The guards of all fields of a type, of the optional ones too. */
export type Fields<T> = { [K in keyof T]-?: Guard<T[K]> };

/** An object with these fields; others are left out. */
export const shape =
  <T extends object>(fields: Fields<T>): Guard<T> =>
  (value) => {
    if (!isObject(value)) return REFUSED;
    const read: [string, unknown][] = [];
    for (const [name, guard] of Object.entries<Guard<unknown>>(fields)) {
      const item = guard(Object.hasOwn(value, name) ? value[name] : undefined);
      if (item === REFUSED) return REFUSED;
      if (item !== undefined) read.push([name, item]);
    }
    return Object.fromEntries(read) as T;
  };
