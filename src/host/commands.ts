import * as vscode from 'vscode';
import { isBusy } from '../core/session/select';
import type { SessionState } from '../core/session/state';
import { Command } from './contributions';
import type { SessionController, TurnResult } from './session/sessionController';

export interface CommandActions {
  state: SessionState;
  controller: SessionController;
  openChat(): Promise<void>;
  selectAgent(id: string | null): Promise<void>;
  showPermission(): boolean;
  showLog(): void;
  /** Posts what waits for the page. */
  flush(): void;
}

/** Registers every command of the palette. */
export function registerCommands(actions: CommandActions): vscode.Disposable {
  const { controller, state } = actions;
  const handlers: Record<string, (argument?: unknown) => unknown> = {
    [Command.openChat]: () => actions.openChat(),
    [Command.newSession]: async () => {
      await actions.openChat();
      await controller.newSession();
    },
    [Command.selectAgent]: (id) => actions.selectAgent(typeof id === 'string' ? id : null),
    [Command.sendPrompt]: (text) => sendPrompt(actions, text),
    [Command.cancelTurn]: () =>
      isBusy(state) ? controller.cancelTurn() : inform(vscode.l10n.t('No turn is running.')),
    [Command.forceStop]: () => controller.forceStop(),
    [Command.restartAgent]: async () => {
      await actions.openChat();
      await controller.restart();
    },
    [Command.setMode]: () => pickMode(actions),
    [Command.authenticate]: () => pickAuthMethod(actions),
    [Command.showPermission]: () =>
      actions.showPermission() || inform(vscode.l10n.t('No permission is waiting.')),
    [Command.showLog]: () => actions.showLog(),
  };
  const registered = Object.entries(handlers).map(([id, run]) =>
    vscode.commands.registerCommand(id, (argument?: unknown) => reported(run, argument)),
  );
  return vscode.Disposable.from(...registered);
}

/** Runs a command; what it throws is a sentence for the person. */
async function reported(run: (argument?: unknown) => unknown, argument: unknown): Promise<unknown> {
  try {
    return await run(argument);
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function inform(message: string): void {
  void vscode.window.showInformationMessage(message);
}

/** Sends a prompt and waits for the end of its turn. */
async function sendPrompt(actions: CommandActions, argument: unknown): Promise<TurnResult | undefined> {
  const text =
    typeof argument === 'string'
      ? argument
      : await vscode.window.showInputBox({ prompt: vscode.l10n.t('What should the agent do?') });
  if (!text?.trim()) return undefined;
  await actions.openChat();
  const result = await actions.controller.prompt(text);
  actions.flush();
  return result;
}

async function pickMode({ state, controller }: CommandActions): Promise<void> {
  const mode = state.config.find(
    (item) => item.type === 'select' && (item.legacyMode || item.category === 'mode'),
  );
  if (mode?.type !== 'select') {
    inform(vscode.l10n.t('{0} offers no modes.', state.agent.title));
    return;
  }
  const rows = mode.choices.map(({ value, name, description }) => ({
    label: name,
    description: description ?? '',
    value,
  }));
  const picked = await vscode.window.showQuickPick(rows, { title: mode.name });
  if (picked) await controller.setConfig(mode.id, picked.value);
}

async function pickAuthMethod({ state, controller }: CommandActions): Promise<void> {
  const rows = state.authMethods
    .filter((method) => method.supported)
    .map(({ id, name, description }) => ({ label: name, description: description ?? '', id }));
  if (rows.length === 0) {
    inform(vscode.l10n.t('{0} offers no sign-in.', state.agent.title));
    return;
  }
  const picked = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t('Sign in to {0}', state.agent.title),
  });
  if (picked) await controller.authenticate(picked.id);
}
