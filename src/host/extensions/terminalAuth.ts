import type { ClientExtension } from '../../acp/agentClient';

/** Agents offer their sign-in in a terminal under `_meta` of its method to clients that announce this (AU-13). */
export const terminalAuth: ClientExtension = { announce: { 'terminal-auth': true } };
