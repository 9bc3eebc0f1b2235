import * as vscode from 'vscode';
import type { ExtensionPeer } from '../../acp/agentClient';
import { asObject, type JsonObject } from '../../core/json';
import { LmMethod, readLmRequest, type LmModel, type LmPart } from '../../core/languageModels';
import { lmError } from './lmError';
import { lmMessage } from './lmMessages';

const { t } = vscode.l10n;

/** Their own ids are unique only with their vendors. */
const idOf = ({ vendor, id }: vscode.LanguageModelChat): string => `${vendor}/${id}`;

/** The language models of VS Code, for the built-in agent. */
export class LanguageModels {
  private readonly told = new WeakSet<ExtensionPeer>();

  /** All that there are; this asks nobody for consent. Tells the agent from then on when they change, until its connection ends. */
  async list(signal: AbortSignal, peer: ExtensionPeer): Promise<{ models: LmModel[] }> {
    this.tellChanges(signal, peer);
    const models = await vscode.lm.selectChatModels();
    return {
      models: models.map((model) => {
        const { name, vendor, family, maxInputTokens } = model;
        return { id: idOf(model), name, vendor, family, maxInputTokens };
      }),
    };
  }

  /**
   * Makes one model call. VS Code asks the person before the first of a vendor.
   *
   * @throws WireError with a sentence for the person
   */
  async send(params: JsonObject, signal: AbortSignal, peer: ExtensionPeer): Promise<object> {
    const { callId, modelId, messages, tools } = readLmRequest(params);
    const cancel = new vscode.CancellationTokenSource();
    const stop = (): void => cancel.cancel();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const model = await find(modelId);
      // VS Code would ask for consent even so.
      if (signal.aborted) throw new vscode.CancellationError();
      const options = {
        justification: t('You chose {0} as the model of the chat.', model.name),
        ...(tools.length > 0 ? { tools } : {}),
      };
      const response = await model.sendRequest(messages.map(lmMessage), options, cancel.token);
      for await (const piece of response.stream) {
        if (signal.aborted) break;
        const part = partOf(piece);
        if (part) peer.notify(LmMethod.part, { callId, part });
      }
      return {};
    } catch (error) {
      throw lmError(error, modelId);
    } finally {
      signal.removeEventListener('abort', stop);
      cancel.dispose();
    }
  }

  private tellChanges(signal: AbortSignal, peer: ExtensionPeer): void {
    if (this.told.has(peer) || signal.aborted) return;
    this.told.add(peer);
    const listening = vscode.lm.onDidChangeChatModels(() => peer.notify(LmMethod.changed, {}));
    signal.addEventListener('abort', () => void listening.dispose(), { once: true });
  }
}

async function find(modelId: string): Promise<vscode.LanguageModelChat> {
  const [vendor = ''] = modelId.split('/', 1);
  const id = modelId.slice(vendor.length + 1);
  const [model] = await vscode.lm.selectChatModels({ vendor, id });
  if (!model) throw vscode.LanguageModelError.NotFound();
  return model;
}

/** Undefined for pieces that mean nothing to an agent. */
function partOf(piece: unknown): LmPart | undefined {
  if (piece instanceof vscode.LanguageModelTextPart) return { type: 'text', text: piece.value };
  if (piece instanceof vscode.LanguageModelToolCallPart) {
    const { callId, name, input } = piece;
    return { type: 'toolCall', callId, name, input: asObject(input) };
  }
  return undefined;
}
