/** Where two texts differ, as places in UTF-16 units: whole lines, ends exclusive. */
export interface DifferingPart {
  start: number;
  oldEnd: number;
  newEnd: number;
}

/**
 * What lies between the lines that both texts begin and end with, and `context` lines on either side. Most edits are small beside their
 * file, and this is much cheaper than a comparison by lines.
 */
export function differingPart(before: string, after: string, context = 0): DifferingPart {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++;
  let tail = 0;
  while (
    tail < shorter - same &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  // Both texts go on alike from here, so one of them tells how far.
  const oldEnd = linesOn(before, before.length - tail, context);
  return { start: linesBack(before, same, context), oldEnd, newEnd: oldEnd + after.length - before.length };
}

/** Where the line begins that is `count` lines before the one at `at`. */
function linesBack(text: string, at: number, count: number): number {
  let from = at;
  for (let n = 0; n <= count && from >= 0; n++) from = from === 0 ? -1 : text.lastIndexOf('\n', from - 1);
  return from + 1;
}

/** Where the line ends that is `count` lines after the one at `at`. */
function linesOn(text: string, at: number, count: number): number {
  let to = at;
  for (let n = 0; n <= count; n++) {
    const end = text.indexOf('\n', to);
    if (end < 0) return text.length;
    to = end + 1;
  }
  return to;
}

/** How many line feeds a text has before a place. */
export function lineFeeds(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
