import { Emitter } from '../../core/emitter';
import type { SessionAction } from '../../core/session/actions';
import { applyAction } from '../../core/session/reduce';
import { emptySession, type SessionState } from '../../core/session/state';

/** Holds the session's state in the extension host; the only place that changes it. */
export class SessionStore {
  readonly state: SessionState;
  private readonly dispatched = new Emitter<SessionAction>();
  /** Told after the action is applied. */
  readonly onDidDispatch = this.dispatched.event;

  constructor(agentId: string) {
    this.state = emptySession(agentId);
  }

  dispatch(action: SessionAction): void {
    applyAction(this.state, action, () => undefined);
    this.dispatched.fire(action);
  }
}
