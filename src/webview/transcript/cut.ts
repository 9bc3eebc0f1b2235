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
