import type { ClientExtension } from '../../acp/agentClient';

/**
 * Agents that run commands themselves tell their output in `_meta` of the tool call to clients that announce this
 * (see core/terminal/displayEvents.ts).
 */
export const displayTerminals: ClientExtension = { announce: { terminal_output: true } };
