/** A path as it is shown beside a session: without the session's folder where it lies below it, else as it is. `path` may be anything. */
export function shownPath(path: string, folder: string | null): string {
  if (folder === null || folder === '' || !path.startsWith(folder)) return path;
  const rest = path.slice(folder.length);
  const inside = /[\\/]$/.test(folder) ? rest : /^[\\/]/.test(rest) ? rest.slice(1) : '';
  // A name that climbs out again must be seen as a whole.
  return inside === '' || inside.split(/[\\/]/).some((part) => part === '..' || part === '.') ? path : inside;
}
