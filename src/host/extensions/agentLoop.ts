import type { ClientExtension, SessionPort } from '../../acp/agentClient';
import { LOOP_META, LoopMethod } from '../../core/acp';
import type { JsonObject } from '../../core/json';
import { readModelCallEvent } from '../../core/session/loopMeta';
import type { ModelCallEvent } from '../../core/session/turn';

const tell =
  (type: ModelCallEvent['type']) =>
  (params: JsonObject, session: SessionPort): void => {
    const { sessionId } = params;
    const event = readModelCallEvent(type, params);
    if (event && typeof sessionId === 'string') session.modelCall?.(sessionId, event);
  };

/**
 * Parley's own extension (client-duties, section d.3): an agent tells each model call by a pair of notifications, and marks messages of
 * the user that it wrote itself.
 */
export const agentLoop: ClientExtension = {
  announce: { [LOOP_META]: { turnEvents: true, syntheticMessages: true } },
  notifications: {
    [LoopMethod.turnStart]: tell('modelCallStarted'),
    [LoopMethod.turnEnd]: tell('modelCallEnded'),
  },
};
