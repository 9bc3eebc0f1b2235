/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** The contrast that text needs (WCAG 2.2, 1.4.3), which VS Code gives its terminal as well. */
export const READABLE = 4.5;

/** Steps in which a colour goes to black or white. */
const STEPS = 20;

/** Reads `#rgb`, `#rrggbb` or `rgb(…)`, without what they say of opacity; undefined for anything else. */
export function parseColour(text: string): Rgb | undefined {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(text.trim())?.[1];
  if (hex !== undefined) {
    const size = hex.length < 6 ? 1 : 2;
    const part = (at: number): number =>
      parseInt(hex.slice(at * size, (at + 1) * size).padStart(2, hex[at]), 16);
    return [part(0), part(1), part(2)];
  }
  const [red, green, blue] =
    /^rgba?\(([^)]*)\)$/i
      .exec(text.trim())?.[1]
      ?.match(/[\d.]+/g)
      ?.map(Number) ?? [];
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** How well two colours can be told apart, 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The colour nearest to one, towards white or black, that can be read on a background. */
export function readableOn(colour: Rgb, background: Rgb): Rgb {
  const end = contrast([255, 255, 255], background) >= contrast([0, 0, 0], background) ? 255 : 0;
  for (let step = 0; step < STEPS; step++) {
    const [red, green, blue] = colour;
    const toward = (part: number): number => Math.round(part + ((end - part) * step) / STEPS);
    const tried: Rgb = [toward(red), toward(green), toward(blue)];
    if (contrast(tried, background) >= READABLE) return tried;
  }
  return [end, end, end];
}
