/** What is known of a session by its messages. */
export interface SessionTrack {
  /** Status of each tool call, by its id. */
  tools: Map<string, string>;
  /** Prompts that are not answered. */
  running: number;
  /** `session/cancel` was sent in the turn that runs. */
  cancelled: boolean;
  /** What it has done before is not known: it was opened before the recording, or by another process. */
  midway: boolean;
}

/** The sessions of one run. */
export class SessionTracks {
  private readonly tracks = new Map<string, SessionTrack>();

  /** @param midway sessions may have been opened before the recording. */
  constructor(private readonly midway: boolean) {}

  open(sessionId: string, midway = false): SessionTrack {
    const track = { tools: new Map<string, string>(), running: 0, cancelled: false, midway };
    this.tracks.set(sessionId, track);
    return track;
  }

  close(sessionId: string): void {
    this.tracks.delete(sessionId);
  }

  /** Undefined for an id that nobody has given out. */
  find(sessionId: string): SessionTrack | undefined {
    return this.tracks.get(sessionId) ?? (this.midway ? this.open(sessionId, true) : undefined);
  }
}
