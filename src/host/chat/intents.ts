import type { Intent } from '../../core/chat/protocol';
import type { SessionController } from '../session/sessionController';

/** What intents do besides driving the session. */
export interface IntentActions {
  controller: SessionController;
  selectAgent(id: string | null): Promise<void>;
  answerPermission(requestId: string, optionId: string): boolean;
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

/** Does what a person asked for in the page. A prompt counts as done when the agent has it, not when the turn ends. */
export async function performIntent(intent: Intent, actions: IntentActions): Promise<void> {
  const { controller } = actions;
  switch (intent.type) {
    case 'prompt':
      return startPrompt(controller, intent.text);
    case 'cancelTurn': {
      controller.cancelTurn();
      return;
    }
    case 'forceStop':
      return controller.forceStop();
    case 'newSession':
      return controller.newSession();
    case 'restartAgent':
      return controller.restart();
    case 'authenticate':
      return controller.authenticate(intent.methodId);
    case 'setConfig':
      return controller.setConfig(intent.id, intent.value);
    case 'answerPermission':
      actions.answerPermission(intent.requestId, intent.optionId);
      return;
    case 'selectAgent':
      return actions.selectAgent(intent.id);
    default:
      return performInEditor(intent, actions);
  }
}

type EditorIntent = Extract<
  Intent,
  {
    type:
      | 'stopTerminal'
      | 'openTerminal'
      | 'openFile'
      | 'openDiff'
      | 'openLink'
      | 'copy'
      | 'showLog'
      | 'openSettings'
      | 'dismissBanner';
  }
>;

async function performInEditor(intent: EditorIntent, actions: IntentActions): Promise<void> {
  switch (intent.type) {
    case 'stopTerminal': {
      actions.stopTerminal(intent.terminalId);
      return;
    }
    case 'openTerminal': {
      actions.openTerminal(intent.terminalId);
      return;
    }
    case 'openFile':
      return actions.openFile(intent.path, intent.line);
    case 'openDiff':
      return actions.openDiff(intent.ref);
    case 'openLink':
      return actions.openLink(intent.href);
    case 'copy':
      return actions.copy(intent.text);
    case 'showLog': {
      actions.showLog();
      return;
    }
    case 'openSettings':
      return actions.openSettings();
    case 'dismissBanner': {
      actions.dismissBanner();
      return;
    }
  }
}

function startPrompt(controller: SessionController, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // A turn that fails later shows its error in the transcript, so only a refusal to take the prompt matters here.
    controller.prompt(text, resolve).then(
      () => resolve(),
      (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
    );
  });
}
