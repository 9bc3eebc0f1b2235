import type { ClientExtension } from '../../acp/agentClient';
import { LOOP_META, LoopMethod } from '../../core/acp';

/**
 * Parley's own extension: the built-in agent tells each model call by a pair of notifications. They are counted in the answer to the
 * prompt too, which is what the page shows, so nothing is done with them but taking them.
 */
export const agentLoop: ClientExtension = {
  announce: { [LOOP_META]: { turnEvents: true } },
  notifications: { [LoopMethod.turnStart]: () => undefined, [LoopMethod.turnEnd]: () => undefined },
};
