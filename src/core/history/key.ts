/** True for a session's key that can be the name of a file: no path, no dots. */
export function isKey(value: string): boolean {
  return /^[A-Za-z0-9-]{1,100}$/.test(value);
}
