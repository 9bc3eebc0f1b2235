/** Below 0 where `a` is the older version, above 0 where it is the newer one, 0 for the same; as semantic versions are ordered. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  const numbers = compareLists(left.numbers, right.numbers);
  if (numbers !== 0) return numbers;
  // A version comes after its own pre-releases.
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length;
  return compareLists(left.pre, right.pre);
}

function parse(version: string): { numbers: string[]; pre: string[] } {
  const [core = ''] = version.split('+');
  const dash = core.indexOf('-');
  const numbers = (dash < 0 ? core : core.slice(0, dash)).split('.');
  return { numbers, pre: dash < 0 ? [] : core.slice(dash + 1).split('.') };
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = comparePart(a[index], b[index]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers by their value and before words; what is missing comes first. */
function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return Number(a) - Number(b);
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
