import type { SessionAction, SessionUpdate, ToolPatch } from '../../../src/core/session/actions';
import { NO_ABILITIES, type BlockView, type ToolContent } from '../../../src/core/session/state';
import { config } from './config';

/** A block of text. */
export const text = (value: string): BlockView => ({ type: 'text', text: value });
/** A content block of a call. */
export const part = (block: BlockView): ToolContent => ({ type: 'block', block });
/** What an agent tells, at a time (ms since the epoch). */
export const update = (change: SessionUpdate, at: number): SessionAction => ({
  type: 'update',
  update: change,
  at,
});
/** A chunk of a message or of a thought. */
export const say = (value: string, at: number, role: 'agent' | 'thought' = 'agent'): SessionAction =>
  update({ kind: 'chunk', role, block: text(value) }, at);
/** A prompt of these blocks. */
export const prompt = (at: number, ...blocks: BlockView[]): SessionAction => ({
  type: 'promptSubmitted',
  blocks,
  at,
});
/** A call of a tool. */
export const tool = (toolCallId: string, patch: Partial<ToolPatch>, at: number): SessionAction =>
  update({ kind: 'toolCall', patch: { toolCallId, ...patch } }, at);
/** The end of a turn. */
export const end = (turn: number, stopReason: string, at: number): SessionAction => ({
  type: 'turnEnded',
  turn,
  stopReason,
  at,
  modelCalls: 3,
});
/** An agent with all abilities and options, and an open session. */
export const opened = (now: number): SessionAction[] => [
  { type: 'agentsListed', agents: ['Built-in', 'Copilot'] },
  { type: 'connectionChanged', status: 'ready', at: now },
  {
    type: 'agentIntroduced',
    title: 'Copilot',
    authMethods: [],
    abilities: { ...NO_ABILITIES, image: true, embeddedContext: true, logout: true },
  },
  { type: 'sessionOpened', sessionId: 's1', cwd: '/home/ada/shop', config, fresh: true },
  update(
    {
      kind: 'commands',
      commands: [
        { name: 'tour', description: 'Shows what the agent can do' },
        { name: 'test', description: 'Runs the tests', hint: 'name of a test' },
      ],
    },
    now,
  ),
];
