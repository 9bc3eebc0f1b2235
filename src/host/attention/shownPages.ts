/** What the attention part needs of the pages of the chat. */
export interface ShownPages {
  /** True where a page shows the session of this key, is in sight, and the window has the focus. */
  shows(key: string): boolean;
  /** The number on the chat view; 0 takes it away. */
  setBadge(value: number, tooltip: string): void;
  /** Brings a session on screen; with the id of a question that waits there, that question, with the focus on none of its answers. */
  openSession(key: string, requestId?: string): Promise<void>;
}
