import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { InputDefinition } from '../../core/mcp/config';
import { visibleText } from '../../core/visibleText';
import { unlinked } from '../unlinked';
import { thisPlatform } from '../terminal/createRequest';
import { readTextFile, userConfigFile, type ConfigSource } from './configSources';
import { InputAnswers } from './inputAnswers';
import { McpServers, type ServerChoice, type ServerPicker } from './mcpServers';
import { mcpTexts } from './mcpTexts';
import { ServerSwitches } from './serverSwitches';

export interface VscodeMcpOptions {
  context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'globalState' | 'workspaceState' | 'secrets'>;
  /** Environment of the login shell. */
  environment(): Promise<NodeJS.ProcessEnv>;
  log(line: string): void;
}

/** The MCP servers of this window's VS Code. */
export function buildMcpServers(options: VscodeMcpOptions): McpServers {
  const { globalStorageUri, globalState, workspaceState, secrets } = options.context;
  const log = (line: string): void => options.log(line);
  return new McpServers({
    isTrusted: () => vscode.workspace.isTrusted,
    folders: () =>
      (vscode.workspace.workspaceFolders ?? [])
        .filter(({ uri }) => uri.scheme === 'file')
        .map(({ name, uri }) => ({ name, path: uri.fsPath })),
    userFile: globalStorageUri.scheme === 'file' ? userConfigFile(globalStorageUri.fsPath) : undefined,
    userHome: homedir(),
    platform: thisPlatform,
    readText: readTextFile,
    environment: () => options.environment(),
    inputs: new InputAnswers(secrets, askInput, log),
    switches: new ServerSwitches(globalState, workspaceState),
    picker: serverPicker,
    texts: mcpTexts,
    log,
  });
}

async function askInput(input: InputDefinition, source: ConfigSource): Promise<string | undefined> {
  const title = vscode.l10n.t(
    'Input "{0}" for MCP servers ({1})',
    visibleText(input.id),
    mcpTexts.from(source),
  );
  const description = visibleText(input.description);
  if (input.type === 'promptString') {
    const { password, default: value = '' } = input;
    return vscode.window.showInputBox({ title, prompt: description, password, value, ignoreFocusOut: true });
  }
  const rows = input.options.map(({ label, value }) => ({
    label: visibleText(label),
    value,
    ...(value === input.default ? { description: vscode.l10n.t('default') } : {}),
  }));
  rows.sort((a, b) => Number(b.value === input.default) - Number(a.value === input.default));
  const options = { title, placeHolder: description, ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(rows, options))?.value;
}

type Row = vscode.QuickPickItem & { choice: ServerChoice };

const serverPicker: ServerPicker = {
  pick: (agentId, choices) =>
    new Promise((resolve) => {
      const pick = createPick(agentId, choices);
      pick.onDidAccept(() => {
        resolve(pick.selectedItems.map(({ choice }) => choice));
        pick.hide();
      });
      pick.onDidTriggerButton(() => {
        resolve('forget');
        pick.hide();
      });
      pick.onDidHide(() => {
        resolve(undefined); // Without effect after an answer.
        pick.dispose();
      });
      pick.show();
    }),
  say: (why) => {
    if (why.what === 'usesNone')
      void vscode.window.showInformationMessage(
        vscode.l10n.t('The agent {0} uses no MCP servers.', why.agentId),
      );
    else if (why.reason !== undefined) void vscode.window.showWarningMessage(unlinked(why.reason));
    else
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          'No MCP servers are configured. VS Code keeps them in .vscode/mcp.json and in your own mcp.json.',
        ),
      );
  },
};

function createPick(agentId: string, choices: readonly ServerChoice[]): vscode.QuickPick<Row> {
  const pick = vscode.window.createQuickPick<Row>();
  const rows = choices.map((choice): Row => ({
    label: visibleText(choice.name),
    description: choice.from,
    ...(choice.problem === undefined ? {} : { detail: choice.problem }),
    choice,
  }));
  pick.title = vscode.l10n.t('MCP servers for {0}', agentId);
  pick.placeholder = vscode.l10n.t('What you change takes effect with the next session.');
  pick.canSelectMany = true;
  pick.items = rows;
  pick.selectedItems = rows.filter(({ choice }) => choice.on);
  pick.buttons = [
    {
      iconPath: new vscode.ThemeIcon('clear-all'),
      tooltip: vscode.l10n.t('Forget the kept inputs'),
    },
  ];
  return pick;
}
