import * as vscode from 'vscode';
import { statusOf, waitingCount, type Glance } from '../../core/attention/status';
import type { SessionRow } from '../../core/chat/sessionRow';
import type { Disposable, DisposableStore } from '../../core/lifecycle';
import { openElicitations } from '../../core/session/select';
import type { PermissionRequest } from '../bridges/permissionBridge';
import { readNotifications, readPermissionPrompt } from '../config';
import type { Sessions } from '../session/sessions';
import { Notifications } from './notifications';
import { Notifier } from './notifier';
import type { ShownPages } from './shownPages';
import { StatusItem } from './statusItem';

const { t } = vscode.l10n;

export interface AttentionParts {
  scope: DisposableStore;
  sessions: Sessions;
  pages: ShownPages;
  permissions: { waiting: () => PermissionRequest[] };
  /** Who asks, by the key of the session. */
  asker: (key: string) => string;
  /** Shows what the newest turn of a session changed. */
  review: (key: string) => Promise<void>;
}

/** Says in the status bar, on the view and by notifications what waits for the person. */
export function buildAttention(parts: AttentionParts): void {
  const { scope, sessions, pages, permissions, review } = parts;
  const notifications = new Notifications({
    state: (key) => sessions.find(key)?.store.state,
    permissions: () => permissions.waiting(),
    open: (key, requestId) => pages.openSession(key, requestId),
    review,
  });
  const notifier = scope.add(
    new Notifier({
      shows: (key) => pages.shows(key),
      mode: readNotifications,
      asksInFront: () => vscode.window.state.focused && readPermissionPrompt() !== 'card',
      tell: (key, event, questions) => void notifications.tell(key, event, questions),
      now: Date.now,
    }),
  );
  scope.add(
    sessions.onDidDispatch(({ session, action }) => notifier.take(session.key, action, session.store.state)),
  );
  const show = scope.add(new Shown(parts));
  const refresh = onceATick(() => show.refresh());
  // The list changes with everything that is said here, and with nothing that comes by the thousand.
  scope.add(sessions.onDidChangeList(refresh));
  scope.add(sessions.onDidSwitch(refresh));
}

/** The status bar item and the number on the view. */
class Shown implements Disposable {
  private readonly item = new StatusItem();
  private count = 0;

  constructor(private readonly parts: AttentionParts) {}

  refresh(): void {
    const { sessions, permissions, asker } = this.parts;
    const { rows } = sessions.list();
    const glances = glancesOf(rows, sessions, permissions.waiting());
    const status = statusOf(glances, rows.find(({ current }) => current)?.key);
    const asking = glances.filter((glance) => glance.permissions + glance.elicitations.length > 0);
    const askers = asking.map(({ key }) => asker(key));
    if (status) this.item.show(status, askers);
    else this.item.hide();
    this.setCount(waitingCount(glances));
  }

  dispose(): void {
    this.item.dispose();
  }

  private setCount(count: number): void {
    if (count === this.count) return;
    this.count = count;
    const tooltip = count === 1 ? t('1 session waits for you') : t('{0} sessions wait for you', count);
    this.parts.pages.setBadge(count, tooltip);
  }
}

/** What the rows and the states of open sessions say; the rest is closed, and nothing happens in it. */
function glancesOf(
  rows: readonly SessionRow[],
  sessions: Sessions,
  waiting: readonly PermissionRequest[],
): Glance[] {
  return rows.flatMap(({ key, agentTitle, badge, origin }): Glance[] => {
    const state = origin === 'open' ? sessions.find(key)?.store.state : undefined;
    if (!state) return [];
    const elicitations = badge === 'waiting' ? openElicitations(state).map(({ requestId }) => requestId) : [];
    const permissions = waiting.filter((request) => request.key === key).length;
    return [{ key, agent: agentTitle, badge, elicitations, permissions }];
  });
}

/** Several calls in a row are one. */
function onceATick(run: () => void): () => void {
  let planned = false;
  return () => {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      run();
    });
  };
}
