import * as vscode from 'vscode';
import { addFiles, addSelection } from './chat/attach';
import type { ChatViewProvider } from './chat/chatViewProvider';
import type { IntentActions } from './chat/intents';
import { Command } from './contributions';
import type { McpServers } from './mcp/mcpServers';
import { pickAuthMethod, pickMode, pickOption } from './optionPickers';
import { isBusy } from '../core/session/select';
import type { Sessions } from './session/sessions';
import type { TurnResult } from './session/sessionController';

export interface CommandParts {
  sessions: Sessions;
  chat: ChatViewProvider;
  actions: IntentActions;
  mcp: McpServers;
  showPermission(): boolean;
}

type Handler = (...args: unknown[]) => unknown;

/** Registers every command of the palette. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const { sessions, chat, actions, mcp } = parts;
  const controller = () => sessions.current.controller;
  const handlers: Record<string, Handler> = {
    [Command.openChat]: () => chat.open(),
    [Command.newSession]: async () => {
      await chat.open();
      await sessions.create();
    },
    [Command.selectAgent]: async (id) => {
      await chat.open();
      await actions.selectAgent(typeof id === 'string' ? id : null);
    },
    [Command.cancelTurn]: () =>
      isBusy(sessions.state) ? controller().cancelTurn() : inform(vscode.l10n.t('No turn is running.')),
    [Command.forceStop]: () => controller().forceStop(),
    [Command.restartAgent]: async () => {
      await chat.open();
      await controller().restart();
    },
    [Command.listSessions]: () => chat.openSessions(),
    [Command.closeSession]: (key) => sessions.close(typeof key === 'string' ? key : sessions.current.key),
    [Command.deleteSession]: (key) =>
      actions.deleteSession(typeof key === 'string' ? key : sessions.current.key),
    [Command.setMode]: () => pickMode(sessions.state, controller()),
    [Command.setConfigOption]: () => pickOption(sessions.state, controller()),
    [Command.authenticate]: () => pickAuthMethod(sessions.state, controller()),
    [Command.logout]: () => actions.logout(),
    [Command.addSelection]: () => addSelection(chat),
    [Command.addFile]: (uri, uris) => addFiles(chat, uri, uris),
    [Command.mcpServers]: () => mcp.choose(sessions.state.agent.id),
    [Command.showPermission]: () =>
      parts.showPermission() || inform(vscode.l10n.t('No permission is waiting.')),
    [Command.showLog]: () => actions.showLog(),
  };
  const registered = Object.entries(handlers).map(([id, run]) =>
    vscode.commands.registerCommand(id, (...args: unknown[]) =>
      reported(async () => {
        await sessions.restore();
        return run(...args);
      }),
    ),
  );
  // Rejects for its caller, and VS Code itself tells a person what it rejects with.
  const send = vscode.commands.registerCommand(Command.sendPrompt, (text: unknown) =>
    sendPrompt(parts, text),
  );
  return vscode.Disposable.from(...registered, send);
}

/** Runs a command; what it throws is a sentence for the person. */
async function reported(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function inform(message: string): void {
  void vscode.window.showInformationMessage(message);
}

/** Sends a prompt, behind those that wait already; resolves when its turn is over and the page has its last update. */
async function sendPrompt(
  { sessions, chat }: CommandParts,
  argument: unknown,
): Promise<TurnResult | undefined> {
  const text =
    typeof argument === 'string'
      ? argument
      : await vscode.window.showInputBox({ prompt: vscode.l10n.t('What should the agent do?') });
  if (!text?.trim()) return undefined;
  await sessions.restore();
  await chat.open();
  const result = await sessions.current.controller.prompt({ text, attachments: [] });
  await chat.painted();
  return result;
}
