import type { ClientExtension } from '../../acp/agentClient';
import { ErrorCode } from '../../core/acp';
import { WireError } from '../../core/errors';
import { asNumber, asObject } from '../../core/json';
import { LM_META, LmMethod } from '../../core/languageModels';
import type { ModelParts } from './lazyModels';

/**
 * Serves the language models of VS Code. Only for the built-in agent: no other gets the person's models. VS Code itself asks the person
 * before the first use of each.
 */
export function lmExtension(models: () => Promise<ModelParts>): ClientExtension {
  return {
    announce: { [LM_META]: { version: 1 } },
    requests: {
      [LmMethod.models]: async (_params, signal, peer) => (await models()).languageModels.list(signal, peer),
      [LmMethod.send]: async (params, signal, peer) => {
        const { languageModels } = await models();
        return languageModels.send(params, signal, peer).catch((error: unknown) => {
          throw asOurs(error);
        });
      },
    },
  };
}

/** A file that is loaded later has a class of its own for the same errors. */
function asOurs(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'WireError') return error;
  const { code, data } = asObject(error);
  return new WireError(asNumber(code) ?? ErrorCode.internal, error.message, asObject(data));
}
