import * as vscode from 'vscode';
import type { AgentFailure, ErrorView } from '../../core/errors';
import type { Banner } from '../../core/session/state';
import { failureBanner, failureError, unknownAgentBanner } from '../userErrors';

const { t } = vscode.l10n;

/** The sentences that the controller shows; localised by the caller. */
export interface SessionTexts {
  failureBanner(agent: string, failure: AgentFailure): Banner;
  failureError(agent: string, failure: AgentFailure): ErrorView;
  unknownAgent(agent: string): Banner;
  signInFirst(agent: string): string;
  startsWithoutMemory(agent: string): string;
  busy(): string;
}

/** The controller's sentences in the language of the editor. */
export const sessionTexts: SessionTexts = {
  failureBanner,
  failureError,
  unknownAgent: unknownAgentBanner,
  signInFirst: (agent) => t('Sign in to {0} first.', agent),
  startsWithoutMemory: (agent) =>
    t('{0} was started anew. It has no memory of the conversation above.', agent),
  busy: () => t('A turn is running. Wait for its end, or stop it first.'),
};
