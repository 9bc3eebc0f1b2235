import * as vscode from 'vscode';
import { UnsupportedContent } from '../../core/chat/contentBlocks';
import type { AgentFailure, ErrorView } from '../../core/errors';
import type { Banner } from '../../core/session/state';
import { failureBanner, failureError } from '../userErrors';

const { t } = vscode.l10n;

/** The sentences that the controller shows; localised by the caller. */
export interface SessionTexts {
  failureBanner(agent: string, failure: AgentFailure): Banner;
  failureError(agent: string, failure: AgentFailure): ErrorView;
  signInFirst(agent: string): string;
  notConnected(agent: string): string;
  startsWithoutMemory(agent: string): string;
  removedFromQueue(): string;
  /** `code`: exit code of the sign-in terminal, undefined where there is none. */
  signInFailed(agent: string, code: number | undefined): string;
  /** Makes the blocks of a prompt; what the agent does not take becomes a sentence. */
  toBlocks<T>(make: () => T, agent: string): T;
}

/** The controller's sentences in the language of the editor. */
export const sessionTexts: SessionTexts = {
  failureBanner,
  failureError,
  signInFirst: (agent) => t('Sign in to {0} first.', agent),
  notConnected: (agent) =>
    t('{0} is not connected. Choose a folder for the session, or restart the agent.', agent),
  startsWithoutMemory: (agent) =>
    t('{0} was started anew. It has no memory of the conversation above.', agent),
  removedFromQueue: () => t('The prompt was taken out of the queue.'),
  signInFailed: (agent, code) =>
    code === undefined
      ? t('The sign-in to {0} was not finished.', agent)
      : t('The sign-in to {0} failed with exit code {1}. Try again, or choose another way.', agent, code),
  toBlocks: (make, agent) => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof UnsupportedContent)) throw error;
      const kind =
        error.kind === 'image'
          ? t('{0} takes no images. Remove the image, or select another agent.', agent)
          : t('{0} takes no audio. Remove it, or select another agent.', agent);
      throw new Error(kind, { cause: error });
    }
  },
};
