import type { Intent } from '../../core/chat/protocol';
import type { ElicitationAction } from '../../core/session/state';
import type { SessionController } from '../session/sessionController';
import type { Sessions } from '../session/sessions';

/** What intents do besides driving the sessions. */
export interface IntentActions {
  sessions: Pick<Sessions, 'create' | 'show' | 'close' | 'refresh'> & {
    readonly current: { readonly key: string; readonly controller: SessionController };
  };
  /** The session has the prompt that its composer held. */
  clearDraft: (key: string) => void;
  selectAgent(id: string | null): Promise<void>;
  /** Asks first. */
  deleteSession(key: string): Promise<void>;
  logout(): Promise<void>;
  answerPermission(requestId: string, optionId: string): boolean;
  answerElicitation(
    requestId: string,
    action: ElicitationAction,
    content: Record<string, unknown> | undefined,
  ): Promise<void>;
  stopTerminal(terminalId: string): void;
  openTerminal(terminalId: string): void;
  openFile(path: string, line: number | undefined): Promise<void>;
  openDiff(ref: string): Promise<void>;
  openLink(href: string): Promise<void>;
  copy(text: string): Promise<void>;
  showLog(): void;
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
  answerPermission: ({ requestId, optionId }, actions) => actions.answerPermission(requestId, optionId),
  answerElicitation: ({ requestId, action, content }, actions) =>
    actions.answerElicitation(requestId, action, content),
  stopTerminal: ({ terminalId }, actions) => actions.stopTerminal(terminalId),
  openTerminal: ({ terminalId }, actions) => actions.openTerminal(terminalId),
  openFile: ({ path, line }, actions) => actions.openFile(path, line),
  openDiff: ({ ref }, actions) => actions.openDiff(ref),
  openLink: ({ href }, actions) => actions.openLink(href),
  copy: ({ text }, actions) => actions.copy(text),
  showLog: (_, actions) => actions.showLog(),
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
  { sessions, clearDraft }: IntentActions,
): Promise<void> {
  const { key, controller } = sessions.current;
  return new Promise((resolve, reject) => {
    const taken = (): void => {
      // The page does it for the session that it shows, which may be another one by now.
      clearDraft(key);
      resolve();
    };
    // A turn that fails later shows its error in the transcript, so only a refusal to take the prompt matters here.
    controller.prompt({ text, attachments }, taken).then(
      () => resolve(),
      (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
    );
  });
}
