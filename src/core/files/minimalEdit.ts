/** One replacement: the units from `start` to `end` of the old text become `text`. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/**
 * The smallest single replacement that makes `before` into `after`; undefined if they are the same (FS-9). It never cuts between a
 * CR and its LF or inside a surrogate pair, because an editor would move such a border.
 */
export function minimalEdit(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  while (start > 0 && (joined(before, start) || joined(after, start))) start--;
  let tail = 0;
  const room = shorter - start;
  while (
    tail < room &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  while (tail > 0 && (joined(before, before.length - tail) || joined(after, after.length - tail))) tail--;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** Whether the units before and after an offset belong together. */
function joined(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const left = text.charCodeAt(at - 1);
  const right = text.charCodeAt(at);
  if (left === 13 && right === 10) return true;
  return left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
}
