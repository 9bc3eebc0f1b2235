import * as vscode from 'vscode';
import type { LmMessage } from '../../core/languageModels';

type AnyPart =
  vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart;

/** A message as VS Code takes it. */
export function lmMessage({ role, parts }: LmMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, parts.map(lmPart));
}

function lmPart(part: LmMessage['parts'][number]): AnyPart {
  if (part.type === 'text') return new vscode.LanguageModelTextPart(part.text);
  if (part.type === 'toolCall')
    return new vscode.LanguageModelToolCallPart(part.callId, part.name, { ...part.input });
  return new vscode.LanguageModelToolResultPart(part.callId, [new vscode.LanguageModelTextPart(part.text)]);
}
