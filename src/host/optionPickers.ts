import * as vscode from 'vscode';
import type { ConfigView, SessionState } from '../core/session/state';
import { unlinked } from './unlinked';

const { t } = vscode.l10n;

interface Sets {
  setConfig(id: string, value: string | boolean): Promise<void>;
}

/** Lets a person choose the mode of the session. */
export async function pickMode(state: SessionState, session: Sets): Promise<void> {
  const mode = state.config.find(
    (item) => item.type === 'select' && (item.legacyMode || item.category === 'mode'),
  );
  if (mode) return pickValue(mode, session);
  void vscode.window.showInformationMessage(unlinked(t('{0} offers no modes.', state.agent.title)));
}

/** Lets a person choose an option of the session, then its value. */
export async function pickOption(state: SessionState, session: Sets): Promise<void> {
  if (state.config.length === 0) {
    void vscode.window.showInformationMessage(unlinked(t('{0} offers no options.', state.agent.title)));
    return;
  }
  const rows = state.config.map((item) => ({ label: item.name, description: nameOf(item), item }));
  const picked = await vscode.window.showQuickPick(rows, { title: t('Options of {0}', state.agent.title) });
  if (picked) await pickValue(picked.item, session);
}

/** What is chosen now, as a person reads it. */
function nameOf(item: ConfigView): string {
  if (item.type === 'boolean') return item.value ? t('on') : t('off');
  return item.choices.find(({ value }) => value === item.value)?.name ?? item.value;
}

async function pickValue(item: ConfigView, session: Sets): Promise<void> {
  if (item.type === 'boolean') return session.setConfig(item.id, !item.value);
  const rows = item.choices.map(({ value, name, description }) => ({
    label: name,
    description: description ?? '',
    value,
  }));
  const picked = await vscode.window.showQuickPick(rows, { title: item.name });
  if (picked) await session.setConfig(item.id, picked.value);
}

/** Lets a person choose how to sign in. */
export async function pickAuthMethod(
  state: SessionState,
  session: { authenticate(methodId: string): Promise<void> },
): Promise<void> {
  const rows = state.authMethods
    .filter(({ type }) => type !== 'unknown')
    .map(({ id, name, description }) => ({ label: name, description: description ?? '', id }));
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(unlinked(t('{0} offers no sign-in.', state.agent.title)));
    return;
  }
  const picked = await vscode.window.showQuickPick(rows, { title: t('Sign in to {0}', state.agent.title) });
  if (picked) await session.authenticate(picked.id);
}
