import * as vscode from 'vscode';
import type { AgentDefinition } from '../../core/agents/definition';
import { lineOf, type FoundAgent, type KnownAgent } from '../../core/agents/knownAgents';
import type { InstalledAgent } from '../../core/agents/registryInstalls';
import type { HostToPage } from '../../core/chat/protocol';
import type { ModelOffers, StartView } from '../../core/chat/start';
import { Emitter, type Event } from '../../core/emitter';
import type { DisposableStore } from '../../core/lifecycle';
import type { StartPort } from '../chat/webviewChannel';
import { Command, Setting } from '../contributions';
import type { ModelParts } from '../lm/lazyModels';
import { definitionProblem } from '../userErrors';
import { AddAgent, type AddAgentDialog, type AddAgentTexts, type AddChoice } from './addAgent';
import { ProgramsOnPath } from './foundAgents';
import type { Start } from './start';

const { t } = vscode.l10n;

/** The page of the walkthrough, as VS Code names it: the extension's id and the walkthrough's. */
const WALKTHROUGH = 'parley.parley#start';

export interface StartOptions {
  scope: DisposableStore;
  log: (line: string) => void;
  definitions: () => readonly AgentDefinition[];
  installed: () => readonly InstalledAgent[];
  /** Tells that the installed agents have changed. */
  onDidInstall: Event<void>;
  /** Environment of the login shell. */
  environment: () => Promise<NodeJS.ProcessEnv>;
  models: () => Promise<Pick<ModelParts, 'offers' | 'setUp' | 'useOllama' | 'useEditorModel'>>;
  /** Opens a new session with an agent of the settings. */
  open: (id: string) => Promise<void>;
}

/** Builds what a person meets first: the agents on the machine, models for the built-in one, and the ways to begin. */
export function buildStart(options: StartOptions): Start & StartPort {
  const { scope, log } = options;
  const posted = scope.add(new Emitter<HostToPage>());
  const agents = buildAddAgent(options);
  const known: Pick<StartView, 'found' | 'models'> = { found: null, models: null };
  const post = (news: Partial<typeof known>): void => {
    Object.assign(known, news);
    const { isTrusted: trusted } = vscode.workspace;
    posted.fire({ type: 'start', view: { ...known, folder: folders().length > 0, trusted } });
  };
  let asked = false;
  const show = (anew: boolean): void => {
    if (!asked || anew) post({ found: null });
    asked = true;
    agents.found(anew).then(
      (found) => post({ found }),
      (error: unknown) => {
        log(`agents on this machine: ${String(error)}`);
        post({ found: [] });
      },
    );
  };
  const again = (): void => {
    if (asked) show(false);
  };
  scope.add(options.onDidInstall(again));
  scope.add(vscode.workspace.onDidGrantWorkspaceTrust(again));
  scope.add(vscode.workspace.onDidChangeWorkspaceFolders(again));
  scope.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(Setting.agents)) again();
    }),
  );
  const run = async (command: string, ...args: unknown[]): Promise<void> => {
    await vscode.commands.executeCommand(command, ...args);
  };
  return {
    addAgent: () => agents.ask(),
    useAgent: (id) => agents.use(id),
    show,
    ...modelStart(options, (models) => post({ models })),
    openFolder: () => run('vscode.openFolder'),
    manageTrust: () => run('workbench.trust.manage'),
    openWalkthrough: () => run('workbench.action.openWalkthrough', WALKTHROUGH, false),
    onDidPost: posted.event,
  };
}

const folders = (): string[] =>
  (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);

function buildAddAgent({ definitions, installed, environment, open }: StartOptions): AddAgent {
  const programs = new ProgramsOnPath(environment, folders);
  return new AddAgent({
    definitions,
    installed,
    programs: (anew) => programs.find(anew),
    readRows: () => vscode.workspace.getConfiguration().inspect(Setting.agents)?.globalValue,
    writeRows: async (rows) =>
      vscode.workspace.getConfiguration().update(Setting.agents, rows, vscode.ConfigurationTarget.Global),
    open,
    dialog,
    texts,
    windows: process.platform === 'win32',
  });
}

/** The ways to a model of the built-in agent; `tell` gets what the last look has found. */
function modelStart(
  { scope, log, models }: StartOptions,
  tell: (offers: ModelOffers | null) => void,
): Pick<Start & StartPort, 'setUpModel' | 'useModel' | 'showModels'> {
  let looks = 0;
  const look = async (): Promise<void> => {
    const mine = ++looks;
    const found = await (await models()).offers();
    if (mine === looks) tell(found);
  };
  const showModels = (): void =>
    void look().catch((error: unknown) => log(`models on this machine: ${String(error)}`));
  const again = (): void => {
    if (looks > 0) showModels();
  };
  scope.add(vscode.workspace.onDidGrantWorkspaceTrust(again));
  scope.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(Setting.builtinProvider)) again();
    }),
  );
  return {
    setUpModel: async () => (await models()).setUp(),
    useModel: async (from) => {
      const { useOllama, useEditorModel } = await models();
      await (from === 'ollama' ? useOllama() : useEditorModel());
    },
    showModels,
  };
}

type Row = vscode.QuickPickItem & { choice?: AddChoice };

const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });

const foundRow = (agent: FoundAgent): Row => ({
  label: agent.title,
  description:
    agent.installed !== undefined
      ? t('installed: {0}', agent.installed)
      : agent.configured === null
        ? lineOf(agent.row)
        : t('in your settings: {0}', agent.configured),
  detail: agent.path,
  choice: { type: 'found', agent },
});

const knownRow = (agent: KnownAgent): Row => ({
  label: agent.title,
  description: agent.install ?? agent.link,
  choice: { type: 'known', agent },
});

const dialog: AddAgentDialog = {
  choose: async (found, others) => {
    const rows: Row[] = [
      ...(found.length > 0 ? [separator(t('Found on this machine')), ...found.map(foundRow)] : []),
      separator(t('Other')),
      {
        label: t('Command line of your own…'),
        description: t('any program that speaks the Agent Client Protocol'),
        choice: { type: 'own' },
      },
      {
        label: t('Agents of the ACP registry…'),
        description: t('Parley downloads them, and offers their updates'),
        choice: { type: 'registry' },
      },
      { label: t('Open the settings'), description: Setting.agents, choice: { type: 'settings' } },
      separator(t('Not found here')),
      ...others.map(knownRow),
    ];
    const picked = await vscode.window.showQuickPick(rows, {
      title: t('Add an agent'),
      placeHolder: t('It is added to parley.agents in your user settings, and a session with it is opened.'),
      matchOnDescription: true,
      // The chat was opened before, and may take the focus late.
      ignoreFocusOut: true,
    });
    return picked?.choice;
  },
  askLine: async (problem) =>
    vscode.window.showInputBox({
      title: t('Command line of the agent'),
      placeHolder: 'my-agent --acp',
      prompt: t('The program, by its path or its name on the PATH of your login shell, and its arguments.'),
      ignoreFocusOut: true,
      validateInput: problem,
    }),
  askName: async (value, problem) =>
    vscode.window.showInputBox({
      title: t('Name of the agent'),
      value,
      ignoreFocusOut: true,
      validateInput: problem,
    }),
  tellHowToGet: async ({ title, install, link }) => {
    const copy = t('Copy command');
    const page = t('Open its page');
    const message =
      install === undefined
        ? t('{0} was not found. Install it as its page says, then add it here.', title)
        : t('{0} was not found. Install it with "{1}", then add it here.', title, install);
    const buttons = install === undefined ? [page] : [copy, page];
    const answer = await vscode.window.showInformationMessage(message, ...buttons);
    if (answer === copy && install !== undefined) await vscode.env.clipboard.writeText(install);
    if (answer === page) await vscode.env.openExternal(vscode.Uri.parse(link));
  },
  openSettings: async () => vscode.commands.executeCommand('workbench.action.openSettings', Setting.agents),
  openRegistry: async () => vscode.commands.executeCommand(Command.installAgent),
};

const texts: AddAgentTexts = {
  notFound: (agent) => t('{0} is no longer found. Install it again, or add its command line.', agent),
  noObject: () => t('parley.agents in your settings is no object. Correct it there first.'),
  rowProblem: definitionProblem,
  emptyLine: () => t('Write the command that starts the agent.'),
  openQuote: () => t('A quotation mark is not closed.'),
  emptyName: () => t('Give the agent a name.'),
  takenName: (name) => t('There is already an agent named {0}.', name),
};
