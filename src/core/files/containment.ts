/** True for an absolute path by the platform's rule: `/x`, or on Windows `C:\x` and `\\host\share`. */
export function isAbsolutePath(path: string, windows: boolean): boolean {
  return windows ? /^([a-z]:[\\/]|[\\/]{2}[^\\/])/i.test(path) : path.startsWith('/');
}

/**
 * True if `path` is `root` or lies below it. Both must be real paths already (links and `..` resolved): this compares names alone
 * (FS-11, SE-24).
 */
export function isInside(
  path: string,
  root: string,
  how: { windows: boolean; ignoreCase: boolean },
): boolean {
  const normal = (value: string): string => {
    const slashes = how.windows ? value.replaceAll('\\', '/') : value;
    const trimmed = slashes.length > 1 ? slashes.replace(/\/+$/, '') : slashes;
    return how.ignoreCase ? trimmed.toLowerCase() : trimmed;
  };
  const inner = normal(path);
  const outer = normal(root);
  return inner === outer || inner.startsWith(outer === '/' ? '/' : `${outer}/`);
}
