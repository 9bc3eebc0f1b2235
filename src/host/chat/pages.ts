import { Emitter } from '../../core/emitter';
import { DisposableStore } from '../../core/lifecycle';
import type { Sessions } from '../session/sessions';
import type { ShownSessions } from './webviewChannel';

/** What one page shows of the sessions. */
export function sessionsOf(sessions: Sessions, page: string): ShownSessions {
  const { onDidDispatch, onDidChangeList, onDidShow } = sessions;
  return {
    get current() {
      return sessions.shownIn(page);
    },
    list: () => sessions.list(page),
    onDidDispatch,
    onDidChangeList,
    onDidSwitch: (listener) =>
      onDidShow((shown) => {
        if (shown === page) listener();
      }),
  };
}

/**
 * Shows no session before the window has its sessions back: until then a page would show an empty one for a moment, and what is sent
 * there would go to another. Where they can't be had, what there is is shown.
 */
export function onceRestored(shown: ShownSessions, restored: Promise<void>): ShownSessions {
  let done = false;
  const came = new Emitter<void>();
  const finish = (): void => {
    done = true;
    came.fire();
  };
  restored.then(finish, finish);
  return {
    get current() {
      return done ? shown.current : undefined;
    },
    list: () => shown.list(),
    onDidDispatch: shown.onDidDispatch,
    onDidChangeList: shown.onDidChangeList,
    onDidSwitch: (listener) => {
      const both = new DisposableStore();
      both.add(came.event(listener));
      both.add(shown.onDidSwitch(listener));
      return both;
    },
  };
}

/**
 * The page that something is done in which no page asked for: the active one, but one in sight rather than one that would cover what
 * the person looks at. `ids`: the active one first.
 */
export function pageFor(ids: readonly string[], isVisible: (page: string) => boolean): string | undefined {
  return ids.find(isVisible) ?? ids[0];
}
