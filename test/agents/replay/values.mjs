// Values of a script: how they are compared and merged.

/** Deep union of two objects; what the second one has wins. */
export const merge = (a, b) =>
  a && b && typeof a === 'object' && typeof b === 'object' && !Array.isArray(a) && !Array.isArray(b)
    ? Object.fromEntries(
        [...new Set([...Object.keys(a), ...Object.keys(b)])].map((k) => [
          k,
          k in b ? (k in a ? merge(a[k], b[k]) : b[k]) : a[k],
        ]),
      )
    : b;
/** Deep equality, whatever the order of keys. */
export const eq = (a, b) => JSON.stringify(canon(a)) === JSON.stringify(canon(b));
const canon = (v) =>
  Array.isArray(v)
    ? v.map(canon)
    : v && typeof v === 'object'
      ? Object.fromEntries(
          Object.keys(v)
            .sort()
            .map((k) => [k, canon(v[k])]),
        )
      : v;
/** The value at a path such as `a.b.0.c`. */
export const at = (o, p) => p.split('.').reduce((x, k) => (x == null ? undefined : x[k]), o);
/** Whether a value is what a check wants. */
export function holds(value, want) {
  if (
    want &&
    typeof want === 'object' &&
    !Array.isArray(want) &&
    Object.keys(want).some((k) => k.startsWith('$'))
  ) {
    for (const [k, x] of Object.entries(want)) {
      if (k === '$exists' && (value !== undefined && value !== null) !== x) return false;
      if (k === '$re' && !(typeof value === 'string' && new RegExp(x, want.$flags ?? '').test(value)))
        return false;
      if (k === '$in' && !x.some((y) => eq(value, y))) return false;
      if (k === '$not' && holds(value, x)) return false;
      if (k === '$type' && (value === null ? 'null' : typeof value) !== x) return false;
      if (k === '$maxBytes' && !(typeof value === 'string' && Buffer.byteLength(value) <= x)) return false;
      if (k === '$minBytes' && !(typeof value === 'string' && Buffer.byteLength(value) >= x)) return false;
      if (k === '$len' && !(value != null && value.length === x)) return false;
      if (
        k === '$wellFormed' &&
        !(
          typeof value === 'string' &&
          !/[\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value)
        )
      )
        return false;
    }
    return true;
  }
  return eq(value, want);
}
/** A long text cut short, for the log. */
export const clip = (v) => (typeof v === 'string' && v.length > 300 ? v.slice(0, 300) + '..' : v);

/** Whether an object has at least what is wanted. */
export const subset = (o, w) =>
  w === undefined ||
  (w && typeof w === 'object' && !Array.isArray(w)
    ? o && typeof o === 'object' && Object.entries(w).every(([k, x]) => subset(o[k], x))
    : eq(o, w));
