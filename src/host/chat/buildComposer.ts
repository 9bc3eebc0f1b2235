import * as vscode from 'vscode';
import type { Base } from '../base';
import { readSendKey } from '../config';
import { Setting } from '../contributions';
import type { Sessions } from '../session/sessions';
import type { ComposerWork } from './composerWork';
import { TerminalCommands } from './mentions/mentionsTerminal';
import type { ComposerPort } from './webviewChannel';

/** What the composers of all pages need, and the way to show an image (base64) in an editor. */
export function buildComposer(
  { scope, context, log }: Base,
  sessions: Sessions,
): ComposerPort & { openImage: (data: string) => Promise<void> } {
  // From the start: what a command printed before is not told.
  const terminal = scope.add(terminalCommands());
  const create = async (): Promise<ComposerWork> => {
    const loaded = await import('./composerWork');
    const options = {
      terminal,
      folders: () => foldersOf(sessions),
      storage: (context.storageUri ?? context.globalStorageUri).fsPath,
      log: (line: string) => log.main.info(line),
    };
    return scope.add(new loaded.ComposerWork(options));
  };
  let work: Promise<ComposerWork> | undefined;
  const load = (): Promise<ComposerWork> => (work ??= create());
  return {
    mentions: {
      find: async (query, asker) => (await load()).mentions.find(query, asker),
      take: async (source) => (await load()).mentions.take(source),
    },
    takeDropped: async (uris, images) => (await load()).takeDropped(uris, images),
    openImage: async (data) => (await load()).openImage(data),
    sendKey: readSendKey,
    onDidChangeSendKey: (listener) =>
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(Setting.sendOn)) listener();
      }),
  };
}

function foldersOf(sessions: Sessions): readonly string[] {
  const { roots } = sessions.current.controller.live ?? { roots: [] };
  const { cwd } = sessions.state;
  return cwd === null ? roots : [...roots, cwd];
}

function terminalCommands(): TerminalCommands {
  const { window } = vscode;
  return new TerminalCommands({
    onDidStart: (listener) => window.onDidStartTerminalShellExecution(listener),
    onDidEnd: (listener) => window.onDidEndTerminalShellExecution(listener),
    onDidClose: (listener) => window.onDidCloseTerminal(listener),
    active: () => window.activeTerminal,
  });
}
