import type { SessionAction } from '../../../src/core/session/actions';

/** A piece of a message of the agent. */
export const said = (text: string): SessionAction => ({
  type: 'update',
  at: 1,
  update: { kind: 'chunk', role: 'agent', block: { type: 'text', text } },
});

/** A prompt of the person. */
export const asked = (text: string): SessionAction => ({
  type: 'promptSubmitted',
  blocks: [{ type: 'text', text }],
  at: 1,
});
