import * as vscode from 'vscode';
import { ErrorCode } from '../../core/acp';
import { toErrorView, WireError } from '../../core/errors';
import { asObject } from '../../core/json';

const { t } = vscode.l10n;

/** Longest reason of a model that is shown, in UTF-16 units. */
const MAX_REASON = 400;

/** What VS Code says of a model call that failed, as a sentence; `kind` tells the agent what kind of trouble it is. */
export function lmError(error: unknown, modelId: string): WireError {
  // Raised by Parley itself, such as for a request that can't be read.
  if (error instanceof WireError) return error;
  const [message, kind] = sentenceFor(error, modelId);
  return new WireError(ErrorCode.internal, message, { kind });
}

function sentenceFor(error: unknown, model: string): [message: string, kind: string] {
  const { code, name } = asObject(error);
  // By their names: the constructors of VS Code differ between its versions.
  const known = typeof code === 'string' && code !== '' ? code : name;
  if (known === 'NoPermissions')
    return [
      t('Parley was not allowed to use {0}. Allow it when VS Code asks, or choose another model.', model),
      'request',
    ];
  if (known === 'NotFound')
    return [t('VS Code no longer has the model {0}. Choose another model.', model), 'request'];
  if (known === 'Blocked')
    return [
      t(
        'VS Code does not let Parley use {0} now; its limit may be reached. Try later, or choose another model.',
        model,
      ),
      'rate_limit',
    ];
  if (known === 'off_topic')
    return [
      t('{0} refused the request as off topic. Word it differently, or choose another model.', model),
      'request',
    ];
  const { cause } = asObject(error);
  const { message } = toErrorView(cause instanceof Error ? cause : error);
  const reason = message.replace(/\s+/g, ' ').slice(0, MAX_REASON);
  return [t('{0} did not answer: {1}', model, reason), 'server'];
}
