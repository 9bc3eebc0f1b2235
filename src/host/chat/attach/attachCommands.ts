import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { keepEnd } from '../../../core/chat/addedText';
import type { Attachment } from '../../../core/chat/attachment';
import type { Handler } from '../../commands';
import { Command } from '../../contributions';
import { addFiles, addSelection } from './attach';
import { changesAttachments } from './attachChanges';
import { TerminalSelections } from './attachTerminal';
import { problemAttachment } from './problemActions';

const { t } = vscode.l10n;

/** ms for which the status bar says that the clipboard could not be put back. */
const HINT = 8_000;

export interface AttachParts {
  /** Shows the chat and adds to the draft of the shown session. Sends nothing. */
  attach: (attachments: Attachment[]) => Promise<void>;
  /** Makes the attachment that a mention makes; rejects with a sentence where there is nothing to attach. */
  take: (source: 'terminal' | 'changes') => Promise<Attachment>;
}

/** The commands that add something to the draft, for the palette, the menus and the keys. */
export function attachHandlers(parts: AttachParts): Record<string, Handler> {
  const selections = new TerminalSelections({
    read: () => vscode.env.clipboard.readText(),
    write: (text) => vscode.env.clipboard.writeText(text),
    copySelection: () => vscode.commands.executeCommand('workbench.action.terminal.copySelection'),
    mark: () => `parley-${randomUUID()}`,
  });
  return {
    [Command.addSelection]: () => addSelection(parts),
    [Command.addFile]: (uri, uris) => addFiles(parts, uri, uris),
    [Command.addFolder]: (uri, uris) => addFiles(parts, uri, uris),
    [Command.addChanges]: async (...args) => {
      const named = args.flat();
      const isNamed = named.some((item) => item !== undefined);
      return parts.attach(isNamed ? await changesAttachments(named) : [await parts.take('changes')]);
    },
    [Command.addProblem]: async (uri, problems) => parts.attach([await problemAttachment(uri, problems)]),
    [Command.addTerminalSelection]: () => addTerminalSelection(selections, parts),
  };
}

async function addTerminalSelection(
  selections: TerminalSelections,
  { attach, take }: AttachParts,
): Promise<void> {
  const terminal = vscode.window.activeTerminal;
  if (!terminal) throw new Error(t('Open a terminal and select text in it first.'));
  const { text, lost } = await selections.take();
  if (lost)
    vscode.window.setStatusBarMessage(
      t('The clipboard is empty now: what it held was not text and could not be put back.'),
      HINT,
    );
  // With nothing selected a person means the last command, where the shell tells of it.
  if (text.trim() === '') return attach([await lastCommand(take)]);
  return attach([{ kind: 'text', name: t('Terminal: {0}', terminal.name), text: keepEnd(text) }]);
}

async function lastCommand(take: AttachParts['take']): Promise<Attachment> {
  try {
    return await take('terminal');
  } catch (error) {
    const sentence = t('Nothing is selected in the terminal. Select the text first.');
    throw new Error(sentence, { cause: error });
  }
}
