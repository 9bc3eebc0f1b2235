/**
 * Setting `__proto__` on a plain object makes no member of it, so an id that ends so gets one more letter: no two ids become the same,
 * and none is that name. A null prototype would not survive on the way to the page or the disk.
 */
const keyOf = (id: string): string => (id.endsWith('__proto__') ? `_${id}` : id);

/** The value of an id; undefined for one that was never set, whatever it is called. */
export function byId<T>(values: Readonly<Record<string, T>>, id: string): T | undefined {
  const key = keyOf(id);
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** Sets the value of an id, which may have any name. */
export function setById<T>(values: Record<string, T>, id: string, value: T): void {
  values[keyOf(id)] = value;
}
