/** The first characters of a text, at most so many UTF-16 units. Never half a character: model services and clients refuse that. */
export function firstOf(text: string, units: number): string {
  return text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '');
}

/** The last characters of a text, as `firstOf`. */
export function lastOf(text: string, units: number): string {
  return text.slice(Math.max(0, text.length - units)).replace(/^[\uDC00-\uDFFF]/, '');
}
