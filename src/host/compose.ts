import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../core/lifecycle';
import type { SessionAction } from '../core/session/actions';
import { isBusy, openPermissions } from '../core/session/select';
import { AgentConnector } from './agents/agentConnector';
import { pickAgent } from './agents/agentPicker';
import { AgentRegistry } from './agents/agentRegistry';
import { LoginShell } from './agents/loginShell';
import type { Base } from './base';
import { buildBridges, type Bridges } from './bridges/bridges';
import { ChatViewProvider } from './chat/chatViewProvider';
import { performIntent, type IntentActions } from './chat/intents';
import { Openers } from './chat/openers';
import { StoredDraft } from './chat/storedDraft';
import { WebviewChannel } from './chat/webviewChannel';
import { registerCommands } from './commands';
import { readAgents, readDefaultAgent } from './config';
import { ContextKey, Setting, View } from './contributions';
import { Log } from './log';
import { DiffStore } from './session/diffTexts';
import { SessionController } from './session/sessionController';
import { SessionStore } from './session/sessionStore';
import { sessionTexts } from './session/sessionTexts';
import { definitionProblem } from './userErrors';
import { chooseSessionFolder } from './workspaceFolder';

/** Everything that runs in a window; `stop` ends the agent and its commands, `dispose` takes the interface away. */
export interface Parley extends Disposable {
  stop(): Promise<void>;
}

/** Builds the objects and connects them, top to bottom; CONTRIBUTING.md has the picture. */
export function composeParley(context: vscode.ExtensionContext): Parley {
  const scope = new DisposableStore();
  const log = scope.add(new Log());
  const shell = new LoginShell(log);
  const store = new SessionStore(readDefaultAgent());
  const base: Base = {
    context,
    scope,
    log,
    store,
    diffs: new DiffStore(),
    environment: () => shell.environment(),
  };
  const bridges = buildBridges(base);
  const registry = new AgentRegistry({
    definitions: () => readAgents().agents,
    extensionPath: context.extensionPath,
    environment: base.environment,
  });
  const controller = buildController(base, bridges, registry);
  buildInterface(base, bridges, registry, controller);
  scope.add(watchContext(store));
  scope.add(watchSettings(store, registry));
  scope.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void controller.restart()));
  const stop = async (): Promise<void> => {
    bridges.terminals.dispose();
    await controller.stop();
  };
  return { dispose: () => scope.dispose(), stop };
}

function buildController(base: Base, bridges: Bridges, registry: AgentRegistry): SessionController {
  const { context, log, store, diffs } = base;
  const connector = new AgentConnector(log, (context.extension.packageJSON as { version: string }).version);
  const { permissions, files, terminals } = bridges;
  return new SessionController({
    store,
    texts: sessionTexts,
    launchPlan: (id, cwd) => registry.launchPlan(id, cwd),
    connect: (plan, id, handlers, aborted) => connector.connect(plan, id, handlers, aborted),
    ports: () => ({ permission: permissions, ...(vscode.workspace.isTrusted ? { files, terminals } : {}) }),
    chooseCwd: () => chooseSessionFolder(vscode.Uri.joinPath(context.globalStorageUri, 'scratch')),
    cancelPermissions: () => permissions.cancelAll(),
    releaseTerminals: (sessionId) => terminals.releaseSession(sessionId),
    keepDiff: diffs.keep,
    log: (line) => log.main.info(line),
    now: Date.now,
  });
}

/** The chat view and the commands: the two ways in which a person talks to Parley. */
function buildInterface(
  base: Base,
  bridges: Bridges,
  registry: AgentRegistry,
  controller: SessionController,
): void {
  const { context, scope, log, store } = base;
  const openers = new Openers(base.diffs, () => store.state.cwd);
  const actions = intentActions(base, bridges, registry, { controller, openers });
  const storage = context.storageUri ?? context.globalStorageUri;
  const draft = new StoredDraft(join(storage.fsPath, 'draft.txt'), (line) => log.main.warn(line));
  const openChannel = (page: vscode.Webview): WebviewChannel =>
    new WebviewChannel({
      page,
      state: store.state,
      draft,
      onDidDispatch: store.onDidDispatch,
      perform: (intent) => performIntent(intent, actions),
      log: (line) => log.main.info(line),
    });
  const chat = scope.add(
    new ChatViewProvider(context.extensionUri, openChannel, () => void controller.ensureConnected()),
  );
  scope.add(vscode.window.registerWebviewViewProvider(View.chat, chat));
  scope.add(openers.register());
  scope.add(
    registerCommands({
      state: store.state,
      controller,
      openChat: () => chat.open(),
      selectAgent: async (id) => {
        await chat.open();
        await actions.selectAgent(id);
      },
      showPermission: () => bridges.permissions.showAgain(),
      showLog: () => actions.showLog(),
      flush: () => chat.flush(),
    }),
  );
}

function intentActions(
  { store, log }: Base,
  { permissions, terminals }: Bridges,
  registry: AgentRegistry,
  { controller, openers }: { controller: SessionController; openers: Openers },
): IntentActions {
  return {
    controller,
    selectAgent: async (id) => {
      const picked = id ?? (await pickAgent(registry.names(), store.state.agent.id));
      if (picked) await controller.selectAgent(picked);
    },
    answerPermission: (requestId, optionId) => permissions.answer(requestId, optionId),
    stopTerminal: (terminalId) => terminals.stopTerminal(terminalId),
    openTerminal: (terminalId) => terminals.openTerminal(terminalId),
    openFile: (path, line) => openers.openFile(path, line),
    openDiff: (ref) => openers.openDiff(ref),
    openLink: (href) => openers.openLink(href),
    copy: async (text) => vscode.env.clipboard.writeText(text),
    showLog: () => log.show(store.state.agent.id),
    openSettings: async () => vscode.commands.executeCommand('workbench.action.openSettings', Setting.agents),
    dismissBanner: () => store.dispatch({ type: 'bannerShown', banner: null }),
  };
}

/** Keeps the `when` keys in step with the session. */
function watchContext(store: SessionStore): vscode.Disposable {
  const last = new Map<string, boolean>();
  const set = (key: string, value: boolean): void => {
    if (last.get(key) === value) return;
    last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  const refresh = ({ type }: SessionAction): void => {
    if (type === 'update' || type === 'terminalScreen') return; // They change neither.
    set(ContextKey.turnRunning, isBusy(store.state));
    set(ContextKey.permissionOpen, openPermissions(store.state).length > 0);
  };
  return vscode.Disposable.from(store.onDidDispatch(refresh));
}

/** Lists the agents anew when the settings change, and says which rows can't be used. */
function watchSettings(store: SessionStore, registry: AgentRegistry): vscode.Disposable {
  const list = (): void => {
    store.dispatch({ type: 'agentsListed', agents: registry.names() });
    for (const problem of readAgents().problems)
      void vscode.window.showWarningMessage(definitionProblem(problem));
  };
  list();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(Setting.agents)) list();
  });
}
