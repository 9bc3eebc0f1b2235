/** Longest text of one tool result, resource or input that is kept, in UTF-16 units; agents may send far more. */
export const MAX_TEXT = 200_000;
export const MAX_RAW = 20_000;
/** Longest base64 of an image that is shown. */
export const MAX_IMAGE = 8_000_000;
/** Longest title; a longer one is cut. */
export const MAX_TITLE = 2_000;

/** Cuts the middle out of a long text, so that its beginning and its end stay; never inside a surrogate pair. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor((max - 40) / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n… ${text.length - head.length - tail.length} …\n${tail}`;
}
