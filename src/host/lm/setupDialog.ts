import * as vscode from 'vscode';
import { visibleText } from '../../core/visibleText';
import type { Remark, SetupChoice, SetupDialog } from './modelSetup';

const { t } = vscode.l10n;

type ModelRow = vscode.QuickPickItem & { answer: { name: string } | 'other' };
type Row = vscode.QuickPickItem & { choice: SetupChoice };

const shown = (remark: Remark | undefined): vscode.InputBoxValidationMessage | undefined =>
  remark && {
    message: remark.text,
    severity: remark.warning
      ? vscode.InputBoxValidationSeverity.Warning
      : vscode.InputBoxValidationSeverity.Error,
  };

const ways = (): Row[] => [
  {
    label: t('OpenAI-compatible server'),
    description: t('such as llama.cpp, vLLM or a service; by its address'),
    choice: { provider: 'openai-compatible' },
  },
  { label: 'Anthropic', description: t('with a key'), choice: { provider: 'anthropic' } },
  { label: 'Google', description: t('with a key'), choice: { provider: 'google' } },
  {
    label: t('Models of VS Code'),
    description: t('such as those of an extension; also in the model picker of the chat'),
    choice: 'editor',
  },
  {
    label: t('Offline'),
    description: t('fixed rules, no language model'),
    choice: { provider: 'offline' },
  },
];

/** The questions for a model, by the inputs of the editor. */
export const setupDialog: SetupDialog = {
  choose: async ([first, ...others]) => {
    const here = t('Ollama on this machine');
    const description = others.length > 0 ? t('{0} models', others.length + 1) : visibleText(first ?? '');
    const ollama: Row[] = first === undefined ? [] : [{ label: here, description, choice: 'ollama' }];
    const picked = await vscode.window.showQuickPick([...ollama, ...ways()], {
      title: t('Set up a model for the built-in agent'),
      placeHolder: t('It is written to your user settings; a key is stored apart from them.'),
      ignoreFocusOut: true,
    });
    return picked?.choice;
  },
  askEndpoint: async (value, own, check) =>
    vscode.window.showInputBox({
      title: t('Address of the model server'),
      value,
      placeHolder: own ? t("empty for the provider's own") : 'http://127.0.0.1:8080/v1',
      prompt: t('Prompts, and what the agent reads for them, are sent to this address.'),
      ignoreFocusOut: true,
      validateInput: (text) => shown(check(text)),
    }),
  askKey: async (where, stored) =>
    vscode.window.showInputBox({
      title: t('Key for {0}', where),
      password: true,
      placeHolder: stored ? t('empty keeps the stored one') : t('empty for none'),
      prompt: t('It is kept in the secret storage of the editor, and sent to this address only.'),
      ignoreFocusOut: true,
    }),
  pickModel: async (models) => {
    const rows = models.map((name) => ({ label: visibleText(name), answer: { name } }));
    const other = { label: t('Another one…'), alwaysShow: true, answer: 'other' as const };
    const picked = await vscode.window.showQuickPick<ModelRow>([...rows, other], {
      title: t('Model'),
      ignoreFocusOut: true,
    });
    return picked?.answer;
  },
  askModel: async (value, check) =>
    vscode.window.showInputBox({
      title: t('Name of the model'),
      value,
      prompt: t('As the server calls it. Several by commas can be chosen in the chat.'),
      ignoreFocusOut: true,
      validateInput: (text) => shown(check(text)),
    }),
};
