/**
 * Told of everything by which an agent may change files, so that the earlier text is known before it is gone. `key` is Parley's key of
 * the session.
 */
export interface TurnChanges {
  /**
   * A turn is about to begin: takes the baseline of its folders. The prompt is sent when this resolves; it never rejects, and gives up
   * after a few seconds, so that a huge folder does not hold a turn up.
   */
  begin(key: string, turn: number, roots: readonly string[]): Promise<void>;
  /** The turn is over: looks for what changed. What runs in the background then is not the turn's. */
  end(key: string): Promise<void>;
  /** Runs a write that the agent asked for by the protocol. Whatever text the editor had is the earlier text. */
  writing<T>(key: string, place: { path: string; real: string }, write: () => Promise<T>): Promise<T>;
  /** A tool call named a path that it may be about to change. */
  mentioned(key: string, path: string): void;
}
