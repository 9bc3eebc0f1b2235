import type { Draft, Intent } from '../../core/chat/protocol';
import { compact } from '../../core/json';
import type { RuleScope } from '../../core/permission/rules';
import type { ElicitationAction } from '../../core/session/state';
import type { CodeActions } from './code/codeActions';
import type { SessionController } from '../session/sessionController';
import type { Sessions } from '../session/sessions';
import type { ReviewActions } from '../review/reviewActions';
import type { Start } from '../agents/start';

/** What intents do besides driving the sessions. */
export interface IntentActions {
  sessions: Pick<Sessions, 'create' | 'show' | 'close' | 'refresh'> & {
    readonly current: { readonly key: string; readonly controller: SessionController };
  };
  /** The session has the prompt that its composer held; more may be written there by now. */
  sentDraft: (key: string, sent: Draft) => void;
  selectAgent(id: string | null): Promise<void>;
  start: Start;
  /** Asks first. */
  deleteSession(key: string): Promise<void>;
  logout(): Promise<void>;
  /** The person's answer; `reason` goes with a rejection, `keepAs` saves the rules that were offered. */
  answerPermission(
    requestId: string,
    optionId: string,
    more: { reason?: string; keepAs?: RuleScope },
  ): Promise<void>;
  allowFolder(folder: string): void;
  openRules(): void;
  review: ReviewActions;
  answerElicitation(
    requestId: string,
    action: ElicitationAction,
    content: Record<string, unknown> | undefined,
  ): Promise<void>;
  stopTerminal(terminalId: string): void;
  openTerminal(terminalId: string): void;
  openFile(path: string, line: number | undefined): Promise<void>;
  openText(text: string, language: string | undefined): Promise<void>;
  /** @param data base64 */
  openImage(data: string): Promise<void>;
  code: CodeActions;
  openDiff(ref: string): Promise<void>;
  openLink(href: string): Promise<void>;
  copy(text: string): Promise<void>;
  showLog(): void;
  /** Opens the diagnostics of the agent of the shown session. */
  diagnose(): Promise<unknown>;
  openSettings(): Promise<void>;
  dismissBanner(): void;
}

type Handlers = {
  [T in Intent['type']]: (intent: Extract<Intent, { type: T }>, actions: IntentActions) => unknown;
};

const queueOf = ({ sessions }: IntentActions): SessionController['queue'] =>
  sessions.current.controller.queue;

/** One row for each thing that a person can ask for in the page. */
const handlers: Handlers = {
  prompt: (intent, actions) => startPrompt(intent, actions),
  cancelTurn: (_, { sessions }) => sessions.current.controller.cancelTurn(),
  forceStop: (_, { sessions }) => sessions.current.controller.forceStop(),
  restartAgent: (_, { sessions }) => sessions.current.controller.restart(),
  authenticate: ({ methodId }, { sessions }) => sessions.current.controller.authenticate(methodId),
  logout: (_, actions) => actions.logout(),
  setConfig: ({ id, value }, { sessions }) => sessions.current.controller.setConfig(id, value),
  queueRemove: ({ id }, actions) => queueOf(actions).remove(id),
  queueEdit: ({ id, text }, actions) => queueOf(actions).edit(id, text),
  queueMove: ({ id, to }, actions) => queueOf(actions).move(id, to),
  queueSendNow: ({ id }, actions) => queueOf(actions).sendNow(id),
  queueResume: (_, actions) => queueOf(actions).resume(),
  newSession: (_, { sessions }) => sessions.create(),
  listSessions: (_, { sessions }) => sessions.refresh(),
  showSession: ({ key }, { sessions }) => sessions.show(key),
  closeSession: ({ key }, { sessions }) => sessions.close(key),
  deleteSession: ({ key }, actions) => actions.deleteSession(key),
  selectAgent: ({ id }, actions) => actions.selectAgent(id),
  useAgent: ({ id }, { start }) => start.useAgent(id),
  addAgent: (_, { start }) => start.addAgent(),
  setUpModel: (_, { start }) => start.setUpModel(),
  useModel: ({ from }, { start }) => start.useModel(from),
  openFolder: (_, { start }) => start.openFolder(),
  manageTrust: (_, { start }) => start.manageTrust(),
  openWalkthrough: (_, { start }) => start.openWalkthrough(),
  answerPermission: ({ requestId, optionId, reason, keepAs }, actions) =>
    actions.answerPermission(requestId, optionId, compact({ reason, keepAs })),
  allowFolder: ({ folder }, actions) => actions.allowFolder(folder),
  openRules: (_, actions) => actions.openRules(),
  openChanges: ({ scope, path }, { review, sessions }) => review.open(sessions.current.key, scope, path),
  keepChanges: ({ scope, path }, { review, sessions }) => review.keep(sessions.current.key, scope, path),
  revertChanges: ({ scope, path }, { review, sessions }) => review.revert(sessions.current.key, scope, path),
  undoTurn: (_, { review, sessions }) => review.undoTurn(sessions.current.key),
  redoTurn: (_, { review, sessions }) => review.redoTurn(sessions.current.key),
  answerElicitation: ({ requestId, action, content }, actions) =>
    actions.answerElicitation(requestId, action, content),
  stopTerminal: ({ terminalId }, actions) => actions.stopTerminal(terminalId),
  openTerminal: ({ terminalId }, actions) => actions.openTerminal(terminalId),
  openFile: ({ path, line }, actions) => actions.openFile(path, line),
  openText: ({ text, language }, actions) => actions.openText(text, language),
  openImage: ({ data }, actions) => actions.openImage(data),
  insertCode: ({ text }, { code }) => code.insert(text),
  applyCode: ({ text, info }, { code }) => code.apply(text, info),
  openDiff: ({ ref }, actions) => actions.openDiff(ref),
  openLink: ({ href }, actions) => actions.openLink(href),
  copy: ({ text }, actions) => actions.copy(text),
  showLog: (_, actions) => actions.showLog(),
  diagnose: (_, actions) => actions.diagnose(),
  openSettings: (_, actions) => actions.openSettings(),
  dismissBanner: (_, actions) => actions.dismissBanner(),
};

/** Does what a person asked for in the page. A prompt counts as done when the session has it, not when the turn ends. */
export async function performIntent(intent: Intent, actions: IntentActions): Promise<void> {
  // A page of another build may ask for what this one does not know.
  if (!Object.hasOwn(handlers, intent.type)) return;
  const handle = handlers[intent.type] as (intent: Intent, actions: IntentActions) => unknown;
  await handle(intent, actions);
}

function startPrompt(
  { text, attachments }: Extract<Intent, { type: 'prompt' }>,
  { sessions, sentDraft }: IntentActions,
): Promise<void> {
  const { key, controller } = sessions.current;
  return new Promise((resolve, reject) => {
    const taken = (): void => {
      // The page does it for the session that it shows, which may be another one by now.
      sentDraft(key, { text, attachments });
      resolve();
    };
    // A turn that fails later shows its error in the transcript, so only a refusal to take the prompt matters here.
    controller.prompt({ text, attachments }, taken).then(
      () => resolve(),
      (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
    );
  });
}
