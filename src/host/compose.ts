import { join } from 'node:path';
import * as vscode from 'vscode';
import { BUILT_IN_AGENT } from '../core/agents/definition';
import { withInstalled } from '../core/agents/registryInstalls';
import { DisposableStore, type Disposable } from '../core/lifecycle';
import { byId } from '../core/session/byId';
import { hasOpenQuestions, isBusy } from '../core/session/select';
import { AgentFacts } from './agents/agentFacts';
import { pickAgent } from './agents/agentPicker';
import { AgentRegistry } from './agents/agentRegistry';
import { InstalledAgents } from './registry/installedAgents';
import { lazyRegistry, type RegistryParts } from './registry/lazyRegistry';
import { BuiltinModelSettings } from './agents/builtinModel';
import { lazyStart } from './agents/lazyStart';
import { LoginShell } from './agents/loginShell';
import { buildAttention } from './attention/buildAttention';
import type { Base } from './base';
import { buildBridges, type Bridges } from './bridges/bridges';
import { attachHandlers } from './chat/attach/attachCommands';
import { buildComposer } from './chat/buildComposer';
import { lazyCodeActions } from './chat/code/lazyCodeActions';
import { buildChat } from './chat/buildChat';
import type { ChatViewProvider } from './chat/chatViewProvider';
import { performIntent, type IntentActions } from './chat/intents';
import { Openers } from './chat/openers';
import { registerProblemActions } from './chat/attach/problemActions';
import { StoredDrafts } from './chat/storedDrafts';
import { registerCommands, type Handler } from './commands';
import { readAgents, readPermissionPrompt } from './config';
import { Command, ContextKey, Setting } from './contributions';
import { lazyDiagnose } from './diagnose/lazyDiagnose';
import { lazyModels } from './lm/lazyModels';
import { Log } from './log';
import { lazyMcpServers, type McpPort } from './mcp/lazyMcp';
import { FollowInEditor } from './followInEditor';
import { chooseWaiting } from './permission/permissionStatus';
import { RulesPage } from './permission/rulesPage';
import { SettingsRules } from './permission/rulesSource';
import { buildSessions } from './session/buildSessions';
import { buildReview } from './review/buildReview';
import type { SpawnerState } from './terminal/ptyProcess';
import type { ReviewActions } from './review/reviewActions';
import { buildChanges, type Changes } from './review/buildChanges';
import { DiffStore } from './session/diffTexts';
import type { Sessions } from './session/sessions';
import { lazyTraffic } from './traffic/lazyTraffic';
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
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  const environment = (): Promise<NodeJS.ProcessEnv> => shell.environment();
  // Asked only by requests of agents, which come when all is built.
  const find: Base['find'] = (key) => sessions.find(key);
  const changes = buildChanges({ scope, log, environment, find }, storage);
  const model = new BuiltinModelSettings(context.secrets);
  const models = lazyModels({
    settings: model,
    secrets: context.secrets,
    showBuiltIn: async () => {
      if (sessions.state.agent.id !== BUILT_IN_AGENT) await sessions.create(BUILT_IN_AGENT);
    },
    chooseModel: (id) => sessions.current.controller.setConfig(MODEL_OPTION, id),
    isTrusted: () => vscode.workspace.isTrusted,
  });
  const base: Base = {
    context,
    scope,
    log,
    diffs: new DiffStore(),
    changes: changes.tracker,
    facts: new AgentFacts(),
    traffic: lazyTraffic({ context, scope, log }),
    models,
    environment,
    find,
  };
  const bridges = buildBridges(base);
  const { registry, store, installed } = buildAgents(base, { model, shell, sessions: () => sessions });
  const mcp = lazyMcpServers({ context, environment: base.environment, log: (line) => log.main.info(line) });
  const { sessions, history } = buildSessions({ base, bridges, registry, mcp, storage });
  scope.add(installed.onDidChange(() => sessions.setAgents(registry.names())));
  const drafts = new StoredDrafts(join(storage, 'drafts'), (line) => log.main.warn(line));
  scope.add(sessions.onDidReplace(({ from, to }) => drafts.move(from, to)));
  scope.add(sessions.onDidSwitch(() => void changes.views.show(sessions.current.key)));
  buildInterface({ base, shell, bridges, registry, mcp, sessions, drafts, changes, store, installed });
  scope.add(watchContext(sessions));
  scope.add(watchSettings(sessions, registry));
  model.watch(scope, sessions, (line) => log.main.warn(line));
  scope.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void sessions.restartAgents()));
  const stop = async (): Promise<void> => {
    bridges.terminals.dispose();
    await Promise.all([sessions.stop(), history.flush(), drafts.flush()]);
    await changes.tracker.dispose();
    await bridges.rules.audit.flush();
    // Last: agents have their time to end by themselves.
    bridges.watchdog.dispose();
  };
  return { dispose: () => scope.dispose(), stop };
}

/** The option of the built-in agent that holds its model. */
const MODEL_OPTION = 'model';

interface InterfaceParts {
  base: Base;
  shell: LoginShell;
  bridges: Bridges;
  registry: AgentRegistry;
  mcp: McpPort;
  sessions: Sessions;
  drafts: StoredDrafts;
  changes: Changes;
  store: RegistryParts;
  installed: InstalledAgents;
}

/** The agents that there are: the built-in one, those of the settings, and those that were installed from the registry. */
function buildAgents(
  { context, scope, log, environment }: Base,
  { model, shell, sessions }: { model: BuiltinModelSettings; shell: LoginShell; sessions: () => Sessions },
): Pick<InterfaceParts, 'registry' | 'store' | 'installed'> {
  const folder = join(context.globalStorageUri.fsPath, 'agents');
  const installed = scope.add(new InstalledAgents(join(folder, 'installed.json')));
  const registry = new AgentRegistry({
    definitions: () => withInstalled(readAgents().agents, installed.list()),
    onStart: (id, worked) => (worked ? installed.started(id) : void store.offerRollBack(id)),
    extensionPath: context.extensionPath,
    withModel: (env) => model.environment(env),
    environment,
    origin: () => shell.origin,
  });
  const store = lazyRegistry({
    folder,
    installed,
    environment,
    taken: () => registry.names(),
    sessions,
    log: (line) => log.main.info(line),
    showLog: () => log.main.show(),
  });
  return { registry, store, installed };
}

/** Commands that copy and save the shown session, or what its agent sent; loaded with the first of them. */
function savingCommands(sessions: Sessions, { traffic }: Base): Record<string, Handler> {
  return {
    ...traffic.commands(() => sessions.state.agent.id),
    [Command.copyTranscript]: async () => (await import('./exportTranscript')).copyTranscript(sessions.state),
    [Command.exportTranscript]: async () =>
      (await import('./exportTranscript')).exportTranscript(sessions.state),
  };
}

/** The page of diagnostics of an agent. */
function diagnoseCommand(
  { base, shell, bridges, registry, sessions }: InterfaceParts,
  chat: ChatViewProvider,
): Handler {
  const spawning = (): SpawnerState => bridges.terminals.spawning;
  const openChat = (): Promise<void> => chat.open();
  return lazyDiagnose(base.scope, { base, shell, registry, sessions, spawning, openChat });
}

/** What a person meets in an empty chat. */
function buildFirstSteps({ base, sessions, installed }: InterfaceParts): ReturnType<typeof lazyStart> {
  const { scope, log, environment, models } = base;
  return lazyStart({
    scope,
    log: (line) => log.main.warn(line),
    definitions: () => readAgents().agents,
    installed: () => installed.list(),
    onDidInstall: installed.onDidChange,
    environment,
    models,
    open: (id) => sessions.create(id),
  });
}

/** The chat view and the commands: the two ways in which a person talks to Parley. */
function buildInterface(parts: InterfaceParts): void {
  const { base, bridges, registry, mcp, sessions, drafts, changes } = parts;
  const { scope } = base;
  const rulesPage = buildRulesPage({ base, bridges, registry, sessions });
  const openers = new Openers(base.diffs, () => sessions.state.cwd);
  const { records, contents } = changes.tracker;
  const { review, handlers } = buildReview({
    scope,
    sessions,
    records,
    contents,
    onWritten: changes.writtenForPerson,
  });
  const follow = scope.add(new FollowInEditor(sessions));
  const start = buildFirstSteps(parts);
  const composer = buildComposer(base, sessions);
  const { openImage } = composer;
  const actions = { ...intentActions({ ...parts, rulesPage, review, start }, openers), openImage };
  const chat = buildChat({
    base,
    sessions,
    drafts,
    composer,
    start,
    perform: (intent) => performIntent(intent, actions),
    prune: async (keys) => {
      await drafts.prune(keys);
      void changes.tracker.prune(keys);
    },
  });
  scope.add(openers.register());
  const showPermission = (): Promise<boolean> => showWaitingPermission({ bridges, chat });
  const { permissions } = bridges;
  const openTurn = (key: string): Promise<void> => review.open(key, 'turn');
  buildAttention({ scope, sessions, pages: chat, permissions, asker: bridges.rules.asker, review: openTurn });
  scope.add(registerProblemActions());
  const more = {
    ...handlers,
    ...attachHandlers({
      attach: (attachments) => chat.attach(attachments),
      take: (source) => composer.mentions.take(source),
    }),
    ...savingCommands(sessions, base),
    [Command.installAgent]: () => parts.store.show(),
    [Command.diagnose]: diagnoseCommand(parts, chat),
    [Command.followAgent]: () => follow.toggle(),
    [Command.setUpModel]: async () => {
      await chat.open();
      await start.setUpModel();
    },
    [Command.removeModelKey]: async () => (await base.models()).removeKey(),
  };
  scope.add(registerCommands({ sessions, chat, actions, mcp, showPermission, more }));
}

function intentActions(
  {
    base,
    bridges,
    registry,
    sessions,
    drafts,
    changes,
    rulesPage,
    review,
    start,
  }: Omit<InterfaceParts, 'mcp'> & {
    rulesPage: RulesPage;
    review: ReviewActions;
    start: IntentActions['start'];
  },
  openers: Openers,
): Omit<IntentActions, 'openImage'> {
  const { permissions, terminals, elicitations } = bridges;
  return {
    sessions,
    sentDraft: (key, sent) => drafts.sent(key, sent),
    selectAgent: async (id) => {
      const picked = id ?? (await pickAgent(registry.names(), sessions.state.agent.id, start.addAgent));
      if (picked) await sessions.create(picked);
    },
    start,
    deleteSession: async (key) => {
      if (!(await confirmDelete(sessions, key))) return;
      await sessions.remove(key);
      drafts.remove(key);
      await changes.tracker.remove(key);
    },
    logout: () => sessions.signOut(),
    answerPermission: async (requestId, optionId, { reason, keepAs }) => {
      if (keepAs) await permissions.keepAndAnswer(requestId, optionId, keepAs);
      else permissions.answer(requestId, optionId, reason);
    },
    allowFolder: (folder) => {
      const { key, store } = sessions.current;
      if (bridges.rules.folders.allow(key, folder)) store.dispatch({ type: 'folderAllowed', folder });
    },
    openRules: () => rulesPage.show(),
    review,
    answerElicitation: (requestId, action, content) => elicitations.answer(requestId, action, content),
    stopTerminal: (terminalId) => terminals.stopTerminal(terminalId),
    openTerminal: (terminalId) =>
      terminals.openTerminal(terminalId, byId(sessions.state.terminals, terminalId)),
    openFile: (path, line) => openers.openFile(path, line),
    openText: (text, language) => openers.openText(text, language),
    code: lazyCodeActions(base.scope, sessions),
    openDiff: (ref) => openers.openDiff(ref),
    openLink: (href) => openers.openLink(href),
    copy: async (text) => vscode.env.clipboard.writeText(text),
    showLog: () => base.log.show(sessions.state.agent.id),
    diagnose: async () => vscode.commands.executeCommand(Command.diagnose, sessions.state.agent.id),
    openSettings: async () => vscode.commands.executeCommand('workbench.action.openSettings', Setting.agents),
    dismissBanner: () => sessions.current.store.dispatch({ type: 'bannerShown', banner: null }),
  };
}

function buildRulesPage({
  base: { context, scope, log },
  bridges,
  registry,
  sessions,
}: Pick<InterfaceParts, 'base' | 'bridges' | 'registry' | 'sessions'>): RulesPage {
  const source = scope.add(new SettingsRules(bridges.rules, sessions, () => registry.names()));
  return scope.add(new RulesPage(context.extensionUri, source, (line) => log.main.warn(line)));
}

/** Brings a question before the person again; false where none waits. */
async function showWaitingPermission({
  bridges: { permissions, rules },
  chat,
}: Pick<InterfaceParts, 'bridges'> & { chat: ChatViewProvider }): Promise<boolean> {
  if (permissions.waiting().length === 0) return false;
  const request = await chooseWaiting(permissions, rules.asker);
  if (!request) return true;
  if (readPermissionPrompt() === 'card') await chat.openSession(request.key, request.requestId);
  else permissions.showAgain(request.requestId);
  return true;
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
