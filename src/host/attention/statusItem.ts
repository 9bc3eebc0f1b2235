import * as vscode from 'vscode';
import type { Status } from '../../core/attention/status';
import type { Disposable } from '../../core/lifecycle';
import { Command } from '../contributions';
import { noIcons, oneLine } from '../permission/questionText';

const { t } = vscode.l10n;

/** The one item of Parley in the status bar. It comes with the first session of the window. */
export class StatusItem implements Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    'parley.status',
    vscode.StatusBarAlignment.Left,
    100,
  );

  constructor() {
    this.item.name = 'Parley';
  }

  /** `askers`: who asks, for the hover. */
  show(status: Status, askers: readonly string[]): void {
    const { item } = this;
    item.text = textOf(status);
    item.tooltip = tooltipOf(status, askers);
    item.command = commandOf(status);
    item.backgroundColor =
      status.kind === 'waiting' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  }

  hide(): void {
    this.item.hide();
  }

  dispose(): void {
    this.item.dispose();
  }
}

function textOf(status: Status): string {
  switch (status.kind) {
    case 'waiting':
      return `$(shield) ${waitingText(status)}`;
    case 'signIn':
      return `$(account) ${name(status.agent)}`;
    case 'running':
      return `$(loading~spin) ${status.count === 1 ? name(status.agent) : t('{0} sessions', status.count)}`;
    case 'failed':
      return `$(error) ${name(status.agent)}`;
    case 'idle':
      return `$(comment-discussion) ${name(status.agent)}`;
  }
}

function waitingText({ permissions, elicitations }: Extract<Status, { kind: 'waiting' }>): string {
  const count = permissions + elicitations;
  if (elicitations > 0) return count === 1 ? t('1 question waits') : t('{0} questions wait', count);
  return count === 1 ? t('1 permission waits') : t('{0} permissions wait', count);
}

/** A plain text, so that nothing of an agent is read as Markdown. */
function tooltipOf(status: Status, askers: readonly string[]): string {
  switch (status.kind) {
    case 'waiting':
      return t('Asked by: {0}', [...new Set(askers.map(oneLine))].join('; '));
    case 'signIn':
      return t('{0} wants you to sign in.', oneLine(status.agent));
    case 'running':
      return status.count === 1
        ? t('{0} is working.', oneLine(status.agent))
        : t('{0} sessions are working.', status.count);
    case 'failed':
      return t('{0} failed. Show why.', oneLine(status.agent));
    case 'idle':
      return t('Open the chat with {0}', oneLine(status.agent));
  }
}

function commandOf(status: Status): string | vscode.Command {
  const title = t('Show');
  if (status.kind === 'running' && status.count > 1) return Command.listSessions;
  if (status.kind === 'waiting') {
    if (status.permissions > 0) return Command.showPermission;
    return { title, command: Command.openChat, arguments: [status.key, status.requestId] };
  }
  return { title, command: Command.openChat, arguments: [status.key] };
}

/** UTF-16 units of an agent's name. */
const LONGEST_NAME = 30;

function name(agent: string): string {
  const line = oneLine(agent);
  return noIcons(line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line);
}
