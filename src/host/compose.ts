import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../core/lifecycle';
import { hasOpenQuestions, isBusy } from '../core/session/select';
import { pickAgent } from './agents/agentPicker';
import { AgentRegistry } from './agents/agentRegistry';
import { LoginShell } from './agents/loginShell';
import type { Base } from './base';
import { buildBridges, type Bridges } from './bridges/bridges';
import { ChatViewProvider } from './chat/chatViewProvider';
import { performIntent, type IntentActions } from './chat/intents';
import { Openers } from './chat/openers';
import { StoredDrafts } from './chat/storedDrafts';
import { WebviewChannel } from './chat/webviewChannel';
import { registerCommands } from './commands';
import { readAgents } from './config';
import { ContextKey, Setting, View } from './contributions';
import { Log } from './log';
import { buildMcpServers } from './mcp/vscodeMcp';
import type { McpServers } from './mcp/mcpServers';
import { buildSessions } from './session/buildSessions';
import { DiffStore } from './session/diffTexts';
import type { Sessions } from './session/sessions';
import { definitionProblem } from './userErrors';

/** Everything that runs in a window; `stop` ends the agents and their commands, `dispose` takes the interface away. */
export interface Parley extends Disposable {
  stop(): Promise<void>;
}

/** Builds the objects and connects them, top to bottom; CONTRIBUTING.md has the picture. */
export function composeParley(context: vscode.ExtensionContext): Parley {
  const scope = new DisposableStore();
  const log = scope.add(new Log());
  const shell = new LoginShell(log);
  const base: Base = {
    context,
    scope,
    log,
    diffs: new DiffStore(),
    environment: () => shell.environment(),
    // Asked only by requests of agents, which come when all is built.
    find: (key) => sessions.find(key),
  };
  const bridges = buildBridges(base);
  const registry = new AgentRegistry({
    definitions: () => readAgents().agents,
    extensionPath: context.extensionPath,
    environment: base.environment,
  });
  const mcp = buildMcpServers({ context, environment: base.environment, log: (line) => log.main.info(line) });
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const { sessions, history } = buildSessions({ base, bridges, registry, mcp, storage });
  const drafts = new StoredDrafts(join(storage, 'drafts'), (line) => log.main.warn(line));
  scope.add(sessions.onDidReplace(({ from, to }) => drafts.move(from, to)));
  buildInterface({ base, bridges, registry, mcp, sessions, drafts });
  scope.add(watchContext(sessions));
  scope.add(watchSettings(sessions, registry));
  scope.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void sessions.restartAgents()));
  const stop = async (): Promise<void> => {
    bridges.terminals.dispose();
    await Promise.all([sessions.stop(), history.flush(), drafts.flush()]);
  };
  return { dispose: () => scope.dispose(), stop };
}

interface InterfaceParts {
  base: Base;
  bridges: Bridges;
  registry: AgentRegistry;
  mcp: McpServers;
  sessions: Sessions;
  drafts: StoredDrafts;
}

/** The chat view and the commands: the two ways in which a person talks to Parley. */
function buildInterface({ base, bridges, registry, mcp, sessions, drafts }: InterfaceParts): void {
  const { context, scope, log } = base;
  const openers = new Openers(base.diffs, () => sessions.state.cwd);
  const actions = intentActions({ base, bridges, registry, sessions, drafts }, openers);
  const openChannel = (page: vscode.Webview): WebviewChannel =>
    new WebviewChannel({
      page,
      sessions,
      drafts,
      perform: async (intent) => {
        await sessions.restore();
        await performIntent(intent, actions);
      },
      log: (line) => log.main.info(line),
    });
  const begin = async (): Promise<void> => {
    await sessions.restore();
    await drafts.prune(sessions.list().rows.map(({ key }) => key));
    await sessions.current.controller.ensureConnected(false);
  };
  const chat = scope.add(new ChatViewProvider(context.extensionUri, openChannel, () => void begin()));
  scope.add(vscode.window.registerWebviewViewProvider(View.chat, chat));
  scope.add(openers.register());
  const showPermission = (): boolean => bridges.permissions.showAgain();
  scope.add(registerCommands({ sessions, chat, actions, mcp, showPermission }));
}

function intentActions(
  { base, bridges, registry, sessions, drafts }: Omit<InterfaceParts, 'mcp'>,
  openers: Openers,
): IntentActions {
  const { permissions, terminals, elicitations } = bridges;
  return {
    sessions,
    clearDraft: (key) => drafts.set(key, { text: '', attachments: [] }),
    selectAgent: async (id) => {
      const picked = id ?? (await pickAgent(registry.names(), sessions.state.agent.id));
      if (picked) await sessions.create(picked);
    },
    deleteSession: async (key) => {
      if (!(await confirmDelete(sessions, key))) return;
      await sessions.remove(key);
      drafts.remove(key);
    },
    logout: () => sessions.signOut(),
    answerPermission: (requestId, optionId) => permissions.answer(requestId, optionId),
    answerElicitation: (requestId, action, content) => elicitations.answer(requestId, action, content),
    stopTerminal: (terminalId) => terminals.stopTerminal(terminalId),
    openTerminal: (terminalId) => terminals.openTerminal(terminalId),
    openFile: (path, line) => openers.openFile(path, line),
    openDiff: (ref) => openers.openDiff(ref),
    openLink: (href) => openers.openLink(href),
    copy: async (text) => vscode.env.clipboard.writeText(text),
    showLog: () => base.log.show(sessions.state.agent.id),
    openSettings: async () => vscode.commands.executeCommand('workbench.action.openSettings', Setting.agents),
    dismissBanner: () => sessions.current.store.dispatch({ type: 'bannerShown', banner: null }),
  };
}

/** Nothing is deleted without a yes of the person. */
async function confirmDelete(sessions: Sessions, key: string): Promise<boolean> {
  const row = sessions.list().rows.find((item) => item.key === key);
  if (!row) return false;
  const yes = vscode.l10n.t('Delete');
  const title = row.title ?? vscode.l10n.t('New session');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Delete the session "{0}"?', title),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Its transcript is deleted here, and with the agent where the agent can do that.',
      ),
    },
    yes,
  );
  return answer === yes;
}

/** Keeps the `when` keys in step with the shown session. */
function watchContext(sessions: Sessions): vscode.Disposable {
  const last = new Map<string, boolean>();
  const set = (key: string, value: boolean): void => {
    if (last.get(key) === value) return;
    last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  const refresh = (): void => {
    const { state } = sessions;
    set(ContextKey.turnRunning, isBusy(state));
    set(ContextKey.permissionOpen, hasOpenQuestions(state));
  };
  // The list changes with everything that these keys depend on, and with nothing that comes by the thousand.
  return vscode.Disposable.from(sessions.onDidChangeList(refresh), sessions.onDidSwitch(refresh));
}

/** Lists the agents anew when the settings change, and says which rows can't be used. */
function watchSettings(sessions: Sessions, registry: AgentRegistry): vscode.Disposable {
  const list = (): void => {
    sessions.setAgents(registry.names());
    for (const problem of readAgents().problems)
      void vscode.window.showWarningMessage(definitionProblem(problem));
  };
  list();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(Setting.agents)) list();
  });
}
