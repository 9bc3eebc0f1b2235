import type { SessionAction, SessionUpdate } from '../../core/session/actions';
import { emptySession, type SessionState } from '../../core/session/state';
import { settleOpenTools } from '../../core/session/toolCalls';
import { SessionStore } from './sessionStore';

/** Updates that say how things are now, and not what was said. */
const SIDE: ReadonlySet<SessionUpdate['kind']> = new Set(['commands', 'config', 'mode', 'info', 'usage']);

/** The replay of a loaded session, built aside: a load that fails half-way changes nothing. */
export class Replay {
  readonly store: SessionStore;
  /** What came besides the transcript. */
  readonly side: SessionAction[] = [];

  constructor({ agent, title, updatedAt }: SessionState) {
    this.store = new SessionStore({ ...emptySession(agent.id), title, updatedAt });
    this.store.onDidDispatch((action) => {
      if (action.type === 'update' && SIDE.has(action.update.kind)) this.side.push(action);
    });
  }

  /** True where the agent replayed nothing; what is shown is better then. */
  get isEmpty(): boolean {
    return this.store.state.entries.length === 0;
  }

  /** The state that takes the place of the shown one: its transcript is replaced, all else stays. */
  result(shown: SessionState): SessionState {
    settleReplayed(this.store.state);
    const { agent, agents, abilities, connection, authMethods, banner, sessionId, cwd, queue } = shown;
    return {
      ...this.store.state,
      ...{ agent, agents, abilities, connection, authMethods, banner, sessionId, cwd, queue },
    };
  }
}

/** A call that the replay leaves open, as of a turn that was stopped, runs no more. */
function settleReplayed(state: SessionState): void {
  const last = state.entries.findLast((entry) => entry.kind === 'tool');
  const whole = { ...state, turn: { ...state.turn, firstEntry: 0 } };
  settleOpenTools(whole, 'interrupted', last?.kind === 'tool' ? last.startedAt : 0, () => undefined);
}

/** The shown state without its transcript, for a replay that begins only now. */
export function withoutTranscript(shown: SessionState): SessionState {
  const { title, updatedAt, commands, config, usage } = shown;
  return { ...new Replay(shown).result(shown), title, updatedAt, commands, config, usage };
}
