// Controls, bidi marks and invisible characters; line feed and tab are drawn as what they are.
const HIDDEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202F\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu;

/** Shows characters that could make a command or a path look like another as escapes. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
}

/** Splits a text for cutting in its middle: the end, with a file's name or the last argument, stays. */
export function splitForCut(text: string): [head: string, tail: string] {
  const flat = text.replace(/\s*\n\s*/g, ' ');
  const name = Math.max(flat.lastIndexOf('/'), flat.lastIndexOf('\\'));
  const length = name > 0 && flat.length - name <= 24 ? flat.length - name : 10;
  if (flat.length <= length + 12) return [flat, ''];
  const at = flat.length - length;
  // Never inside a surrogate pair.
  const cut = /[\uDC00-\uDFFF]/.test(flat.charAt(at)) ? at - 1 : at;
  return [flat.slice(0, cut), flat.slice(cut)];
}
