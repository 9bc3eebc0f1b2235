import * as vscode from 'vscode';
import { plainMessage } from '../../core/attention/attentionQueue';
import type { AttentionEvent } from '../../core/attention/events';
import { openElicitations } from '../../core/session/select';
import type { SessionState } from '../../core/session/state';
import { titleOf } from '../../core/session/title';
import type { PermissionRequest } from '../bridges/permissionBridge';
import { oneLine, questionTitle } from '../permission/questionText';
import { unlinkedError } from '../unlinked';

const { t } = vscode.l10n;

/** UTF-16 units of what an agent says in a notification. */
const LONGEST = 160;

/** UTF-16 units of the name of an agent or a session. */
const LONGEST_NAME = 50;

export interface NotificationPorts {
  /** Undefined for a session that is not open any more. */
  state: (key: string) => SessionState | undefined;
  /** The permissions that wait. */
  permissions: () => readonly PermissionRequest[];
  /** Shows a session, and a question of it where one is named. */
  open: (key: string, requestId?: string) => Promise<void>;
  /** Shows what the newest turn of a session changed. */
  review: (key: string) => Promise<void>;
}

/** Shows notifications of VS Code. None of their buttons answers a question: they lead to where it is answered. */
export class Notifications {
  constructor(private readonly ports: NotificationPorts) {}

  /** Shows one event; fails by a message of its own. */
  async tell(key: string, event: AttentionEvent, questions: number): Promise<void> {
    const state = this.ports.state(key);
    if (!state) return;
    try {
      const review = t('Review changes');
      const actions = [t('Show'), ...(event.kind === 'ended' && hasChanges(state) ? [review] : [])];
      const chosen = await this.show(event, this.message(key, { event, questions, state }), actions);
      if (chosen === review) await this.ports.review(key);
      else if (chosen !== undefined) await this.ports.open(key, this.waitingId(key, event));
    } catch (error) {
      void vscode.window.showErrorMessage(unlinkedError(error));
    }
  }

  private show(event: AttentionEvent, message: string, actions: string[]): Thenable<string | undefined> {
    return event.kind === 'ended'
      ? vscode.window.showInformationMessage(message, ...actions)
      : vscode.window.showWarningMessage(message, ...actions);
  }

  private message(
    key: string,
    { event, questions, state }: { event: AttentionEvent; questions: number; state: SessionState },
  ): string {
    const who = whoOf(state);
    switch (event.kind) {
      case 'permission':
      case 'elicitation':
        if (questions > 1) return t('{0}: {1} questions wait for you.', who, questions);
        return this.question(key, event, { who, state });
      case 'signIn':
        return t('{0} wants you to sign in.', who);
      case 'failed':
        return t('{0} failed: {1}', who, plainMessage(oneLine(event.error), LONGEST));
      case 'ended':
        return endMessage(who, event.stopReason);
    }
  }

  private question(
    key: string,
    { kind, requestId }: Extract<AttentionEvent, { requestId: string }>,
    { who, state }: { who: string; state: SessionState },
  ): string {
    if (kind === 'permission') {
      const found = this.ports.permissions().find((item) => item.key === key && item.requestId === requestId);
      const what = found ? questionTitle(found.topic) : '';
      return t('{0} asks for permission: {1}', who, plainMessage(what, LONGEST));
    }
    const found = openElicitations(state).find((item) => item.requestId === requestId);
    return t('{0} asks: {1}', who, plainMessage(oneLine(found?.message ?? ''), LONGEST));
  }

  /** The question of the event if it waits still, else another one of the session. */
  private waitingId(key: string, event: AttentionEvent): string | undefined {
    const state = this.ports.state(key);
    if (!('requestId' in event) || !state) return undefined;
    const permissions = this.ports.permissions().filter((item) => item.key === key);
    const ids = [...permissions, ...openElicitations(state)].map(({ requestId }) => requestId);
    return ids.includes(event.requestId) ? event.requestId : ids[0];
  }
}

/** The agent, with what its session is called. */
function whoOf(state: SessionState): string {
  const agent = plainMessage(oneLine(state.agent.title), LONGEST_NAME);
  const title = titleOf(state);
  return title === null ? agent : `${agent} (${plainMessage(oneLine(title), LONGEST_NAME)})`;
}

function hasChanges({ changes, turn }: SessionState): boolean {
  return changes.turn !== null && changes.turn.number === turn.number && changes.turn.files.length > 0;
}

function endMessage(who: string, stopReason: string): string {
  switch (stopReason) {
    case 'end_turn':
      return t('{0} has ended its turn.', who);
    case 'refusal':
      return t('{0} refused to go on.', who);
    default:
      return t('{0} stopped before it was done: {1}', who, plainMessage(oneLine(stopReason), LONGEST));
  }
}
