/** Folders outside a session's own that the person allowed it. In memory alone: they end with the window. */
export class AllowedFolders {
  private readonly offered = new Map<string, Set<string>>();
  private readonly allowed = new Map<string, Set<string>>();

  /** A refusal told the person that the folder may be allowed. `key` is Parley's key of a session, here and below. */
  offer(key: string, folder: string): void {
    add(this.offered, key, folder);
  }

  /** The person allowed a folder; false if it was never offered in this session, so that a page can't make one up. */
  allow(key: string, folder: string): boolean {
    if (!this.offered.get(key)?.has(folder)) return false;
    add(this.allowed, key, folder);
    return true;
  }

  of(key: string): readonly string[] {
    return [...(this.allowed.get(key) ?? [])];
  }
}

function add(sets: Map<string, Set<string>>, key: string, folder: string): void {
  const set = sets.get(key) ?? new Set<string>();
  sets.set(key, set.add(folder));
}
