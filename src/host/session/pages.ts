/** The page in the view; all others are editor tabs. */
export const VIEW = 'view';

/**
 * Which page shows which session. A session is in one page at most, so that nobody writes to it in two places. The active page is the
 * one that the person was with last; the view counts as one before it was ever opened.
 */
export class Pages {
  /** Key of the session by page, the active page last. */
  private readonly keys = new Map<string, string | undefined>([[VIEW, undefined]]);

  get active(): string {
    return [...this.keys.keys()].at(-1) ?? VIEW;
  }

  /** The ids of all pages, the active one first. */
  get ids(): string[] {
    return [...this.keys.keys()].reverse();
  }

  has(page: string): boolean {
    return this.keys.has(page);
  }

  /** The session that a page shows; undefined for none, or where there is no such page. */
  keyOf(page: string): string | undefined {
    return this.keys.get(page);
  }

  /** The page that shows a session. */
  holderOf(key: string): string | undefined {
    return [...this.keys].find(([, shown]) => shown === key)?.[0];
  }

  /**
   * Lets a page show a session, or none; a page that is new becomes the active one.
   *
   * @throws Error if another page shows it.
   */
  set(page: string, key: string | undefined): void {
    const holder = key === undefined ? page : (this.holderOf(key) ?? page);
    if (holder !== page) throw new Error(`The session ${key} is in the page ${holder} already.`);
    this.keys.set(page, key);
  }

  /** Makes a page the active one; false if there is no such page. */
  activate(page: string): boolean {
    if (!this.keys.has(page)) return false;
    const key = this.keys.get(page);
    this.keys.delete(page);
    this.keys.set(page, key);
    return true;
  }

  /** Forgets a tab that was closed; the page that was active before it is the active one then. The view stays. */
  remove(page: string): void {
    if (page !== VIEW) this.keys.delete(page);
  }
}
