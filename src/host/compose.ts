import * as vscode from 'vscode';
import { readLoginEnvironment } from '../acp/loginEnvironment';
import { compatibilityOf } from '../core/agents/compatibility';
import { DisposableStore } from '../core/lifecycle';
import type { SessionAction } from '../core/session/actions';
import { isBusy, openPermissions } from '../core/session/select';
import { AgentConnector } from './agents/agentConnector';
import { pickAgent } from './agents/agentPicker';
import { AgentRegistry } from './agents/agentRegistry';
import { FileSystemBridge } from './bridges/fileSystemBridge';
import { PermissionBridge } from './bridges/permissionBridge';
import { TerminalBridge } from './bridges/terminalBridge';
import { ChatViewProvider } from './chat/chatViewProvider';
import { performIntent, type IntentActions } from './chat/intents';
import { Openers } from './chat/openers';
import { WebviewChannel } from './chat/webviewChannel';
import { registerCommands } from './commands';
import { readAgents, readDefaultAgent, readPermissionPrompt } from './config';
import { ContextKey, Setting, View } from './contributions';
import { Log } from './log';
import { PermissionPicker } from './permission/permissionPicker';
import { DiffStore } from './session/diffTexts';
import { SessionController } from './session/sessionController';
import { SessionStore } from './session/sessionStore';
import { sessionTexts } from './session/sessionTexts';
import { definitionProblem } from './userErrors';
import { chooseSessionFolder } from './workspaceFolder';

/** Everything that runs in a window; `stop` ends the agent and its commands, `dispose` takes the interface away. */
export interface Parley extends vscode.Disposable {
  stop(): Promise<void>;
}

/** Builds the objects and connects them, top to bottom; see CONTRIBUTING.md for the picture. */
export function composeParley(context: vscode.ExtensionContext): Parley {
  const scope = new DisposableStore();
  const log = scope.add(new Log());
  const store = new SessionStore(readDefaultAgent());
  const dispatch = (action: SessionAction): void => store.dispatch(action);
  const diffs = new DiffStore();
  const note = (line: string): void => log.main.info(line);
  const environment = loginEnvironment(log);

  const isLive = (sessionId: string): boolean => controller.liveSessionId === sessionId;
  const picker = scope.add(
    new PermissionPicker(
      () => readPermissionPrompt() !== 'card',
      () => store.state.agent.title,
      (requestId, optionId) => permissions.answer(requestId, optionId),
    ),
  );
  const permissions = new PermissionBridge({
    isLive,
    isCancelling: () => store.state.turn.status === 'cancelling',
    dispatch,
    keepDiff: diffs.keep,
    prompter: picker,
    now: Date.now,
  });
  const files = new FileSystemBridge({
    roots: (sessionId) => (isLive(sessionId) && store.state.cwd ? [store.state.cwd] : undefined),
    compatibility: () => compatibilityOf(controller.agentName),
    onRefused: (path) => dispatch(refusedNotice(path)),
    log: note,
  });
  const terminals = new TerminalBridge({
    session: (sessionId) => (isLive(sessionId) && store.state.cwd ? { cwd: store.state.cwd } : undefined),
    environment,
    dispatch: (_sessionId, action) => dispatch(action),
    agentTitle: () => store.state.agent.title,
    extensionPath: context.extensionPath,
    log: note,
  });
  const registry = new AgentRegistry({
    definitions: () => readAgents().agents,
    extensionPath: context.extensionPath,
    environment,
  });
  const connector = new AgentConnector(log, String(context.extension.packageJSON.version));
  const controller = new SessionController({
    store,
    texts: sessionTexts,
    launchPlan: (id, cwd) => registry.launchPlan(id, cwd),
    connect: (plan, id, handlers, aborted) => connector.connect(plan, id, handlers, aborted),
    ports: () => ({ permission: permissions, ...(vscode.workspace.isTrusted ? { files, terminals } : {}) }),
    chooseCwd: () => chooseSessionFolder(vscode.Uri.joinPath(context.globalStorageUri, 'scratch')),
    cancelPermissions: () => permissions.cancelAll(),
    releaseTerminals: (sessionId) => terminals.releaseSession(sessionId),
    keepDiff: diffs.keep,
    log: note,
    now: Date.now,
  });

  const openers = new Openers(diffs, () => store.state.cwd);
  const actions: IntentActions = {
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
    dismissBanner: () => dispatch({ type: 'bannerShown', banner: null }),
  };
  const chat = scope.add(
    new ChatViewProvider(
      context.extensionUri,
      (page) =>
        new WebviewChannel({
          page,
          state: store.state,
          onDidDispatch: store.onDidDispatch,
          perform: (intent) => performIntent(intent, actions),
          log: note,
        }),
      () => void controller.ensureConnected(),
    ),
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
      showPermission: () => permissions.showAgain(),
      showLog: actions.showLog,
      flush: () => chat.flush(),
    }),
  );
  scope.add(watchContext(store));
  scope.add(watchSettings(store, registry));
  scope.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void controller.restart()));

  return {
    dispose: () => scope.dispose(),
    stop: async () => {
      terminals.dispose();
      await controller.stop();
    },
  };
}

/** Asks the login shell once, when first needed. */
function loginEnvironment(log: Log): () => Promise<NodeJS.ProcessEnv> {
  let asked: Promise<NodeJS.ProcessEnv> | undefined;
  return () =>
    (asked ??= readLoginEnvironment(process.env).then(({ env, problem }) => {
      if (problem) log.main.warn(`The environment of the editor is used: ${problem}`);
      return env;
    }));
}

function refusedNotice(path: string): SessionAction {
  const title = vscode.l10n.t('Refused access outside the folder of the session: {0}', path);
  return { type: 'noticeShown', severity: 'warning', title };
}

/** Keeps the `when` keys in step with the session. */
function watchContext(store: SessionStore): vscode.Disposable {
  const last = new Map<string, boolean>();
  const set = (key: string, value: boolean): void => {
    if (last.get(key) === value) return;
    last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  return store.onDidDispatch(({ type }) => {
    if (type === 'update') return; // Updates change neither.
    set(ContextKey.turnRunning, isBusy(store.state));
    set(ContextKey.permissionOpen, openPermissions(store.state).length > 0);
  });
}

/** Lists the agents anew when the settings change, and says which rows can't be used. */
function watchSettings(store: SessionStore, registry: AgentRegistry): vscode.Disposable {
  const list = (): void => {
    store.dispatch({ type: 'agentsListed', agents: registry.names() });
    for (const problem of readAgents().problems)
      void vscode.window.showWarningMessage(definitionProblem(problem));
  };
  list();
  return vscode.workspace.onDidChangeConfiguration(
    (event) => event.affectsConfiguration(Setting.agents) && list(),
  );
}
