import type { SessionState } from '../../core/session/state';
import type { KeptSession } from '../history/history';

/** The session that the view showed last; it may have no more than a draft. */
export interface ShownLast {
  key: string;
  agentId: string;
}

/** The part of the history that the sessions need. */
export interface Archive {
  list(): Promise<KeptSession[]>;
  load(key: string): Promise<SessionState | undefined>;
  remove(key: string): Promise<void>;
  /** The session that the view showed last; it may have no more than a draft. */
  lastShown(): Promise<ShownLast | undefined>;
  setLastShown(shown: ShownLast): void;
}
