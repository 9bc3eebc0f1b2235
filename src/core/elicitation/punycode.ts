// RFC 3492, sections 5 and 6.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A label of a host name in ASCII: `bücher` gives `xn--bcher-kva`; what is ASCII stays as it is. */
export function toAsciiLabel(label: string): string {
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < 0x80);
  if (basic.length === points.length) return label;
  const head = basic.length > 0 ? `${String.fromCodePoint(...basic)}-` : '';
  return `xn--${head}${encodeRest(points, basic.length)}`;
}

/** The characters that are not ASCII, each as its distance from the one before. */
function encodeRest(points: readonly number[], basicCount: number): string {
  let output = '';
  let [lowest, delta, bias, handled] = [0x80, 0, 72, basicCount];
  while (handled < points.length) {
    const next = Math.min(...points.filter((point) => point >= lowest));
    delta += (next - lowest) * (handled + 1);
    lowest = next;
    for (const point of points) {
      if (point < lowest) delta++;
      if (point !== lowest) continue;
      output += encodeNumber(delta, bias);
      bias = adapt(delta, handled + 1, handled === basicCount);
      delta = 0;
      handled++;
    }
    delta++;
    lowest++;
  }
  return output;
}

function encodeNumber(value: number, bias: number): string {
  let output = '';
  let rest = value;
  for (let k = BASE; ; k += BASE) {
    const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
    if (rest < threshold) return output + DIGITS.charAt(rest);
    output += DIGITS.charAt(threshold + ((rest - threshold) % (BASE - threshold)));
    rest = Math.floor((rest - threshold) / (BASE - threshold));
  }
}

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  rest += Math.floor(rest / count);
  let k = 0;
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN));
    k += BASE;
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
