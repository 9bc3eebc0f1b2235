import * as vscode from 'vscode';
import type { ChatViewProvider } from './chat/chatViewProvider';
import type { IntentActions } from './chat/intents';
import { Command } from './contributions';
import type { McpPort } from './mcp/lazyMcp';
import { pickAuthMethod, pickMode, pickOption } from './optionPickers';
import { isBusy } from '../core/session/select';
import type { Sessions } from './session/sessions';
import type { TurnResult } from './session/turnAnswer';
import { unlinked, unlinkedError } from './unlinked';

export interface CommandParts {
  sessions: Sessions;
  chat: ChatViewProvider;
  actions: IntentActions;
  mcp: McpPort;
  /** False where none waits. */
  showPermission: () => Promise<boolean>;
  /** Commands of other parts, by their ids. */
  more: Record<string, Handler>;
}

/** Runs a command with what its menu or its caller gives; what it throws is a sentence for the person. */
export type Handler = (...args: unknown[]) => unknown;

/** Registers every command of the palette. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const { sessions, chat, actions, mcp } = parts;
  const controller = () => sessions.current.controller;
  const handlers: Record<string, Handler> = {
    [Command.openChat]: (key, requestId) =>
      typeof key === 'string'
        ? chat.openSession(key, typeof requestId === 'string' ? requestId : undefined)
        : chat.openView(),
    [Command.openInEditor]: (key) => chat.openInEditor(typeof key === 'string' ? key : sessions.current.key),
    [Command.newSession]: async () => {
      await chat.open();
      await sessions.create();
    },
    [Command.selectAgent]: async (id) => {
      await chat.open();
      await actions.selectAgent(typeof id === 'string' ? id : null);
    },
    [Command.addAgent]: async () => {
      await chat.open();
      await actions.start.addAgent();
    },
    [Command.openWalkthrough]: () => actions.start.openWalkthrough(),
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
    [Command.mcpServers]: () => mcp.choose(sessions.state.agent.id),
    [Command.showPermission]: async () =>
      (await parts.showPermission()) || inform(vscode.l10n.t('No permission is waiting.')),
    [Command.permissionRules]: () => actions.openRules(),
    [Command.showLog]: () => actions.showLog(),
    ...parts.more,
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
    sendPrompt(parts, text).catch((error: unknown) => {
      throw new Error(unlinkedError(error), { cause: error });
    }),
  );
  return vscode.Disposable.from(...registered, send);
}

/** Runs a command; what it throws is a sentence for the person. */
async function reported(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    void vscode.window.showErrorMessage(unlinkedError(error));
    return undefined;
  }
}

function inform(message: string): void {
  void vscode.window.showInformationMessage(unlinked(message));
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
  const { key, controller } = sessions.current;
  const result = await controller.prompt({ text, attachments: [] });
  await chat.painted(key);
  return result;
}
