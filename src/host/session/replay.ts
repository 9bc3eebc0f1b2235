import { emptySession, type SessionState } from '../../core/session/state';
import { SessionStore } from './sessionStore';

/** The replay of a loaded session, built aside: a load that fails half-way changes nothing. */
export class Replay {
  readonly store: SessionStore;

  constructor(shown: SessionState) {
    const { agent, agents, abilities, connection, authMethods, sessionId, cwd, queue, title, updatedAt } =
      shown;
    this.store = new SessionStore({
      ...emptySession(agent.id),
      ...{ agent, agents, abilities, connection, authMethods, sessionId, cwd, queue, title, updatedAt },
    });
  }

  /** True where the agent replayed nothing; what is shown is better then. */
  get isEmpty(): boolean {
    return this.store.state.entries.length === 0;
  }

  result(): SessionState {
    return this.store.state;
  }
}
