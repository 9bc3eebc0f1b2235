import * as vscode from 'vscode';
import { failureBanner, failureError, unknownAgentBanner } from '../userErrors';
import type { SessionTexts } from './sessionController';

const { t } = vscode.l10n;

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
