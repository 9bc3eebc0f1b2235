import { Emitter } from '../../core/emitter';
import type { SessionAction } from '../../core/session/actions';
import { applyAction } from '../../core/session/reduce';
import { emptySession, type SessionState } from '../../core/session/state';

/** Holds the state of one session in the extension host; the only place that changes it. */
export class SessionStore {
  private current: SessionState;
  private readonly dispatched = new Emitter<SessionAction>();
  private readonly replaced = new Emitter<void>();
  /** Told after the action is applied. */
  readonly onDidDispatch = this.dispatched.event;
  /** The state is another one altogether. */
  readonly onDidReset = this.replaced.event;

  /** @param start The id of the agent of an empty session, or a state to go on from, which is the store's from then on. */
  constructor(start: string | SessionState) {
    this.current = typeof start === 'string' ? emptySession(start) : start;
  }

  /** Changed in place; don't hold on to it over a reset. */
  get state(): SessionState {
    return this.current;
  }

  dispatch(action: SessionAction): void {
    applyAction(this.current, action, () => undefined);
    this.dispatched.fire(action);
  }

  /** Takes another state's place, as after a load. */
  reset(state: SessionState): void {
    this.current = state;
    this.replaced.fire();
  }
}
