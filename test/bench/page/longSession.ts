import type { SessionAction, ToolPatch } from '../../../src/core/session/actions';
import { applyAction } from '../../../src/core/session/reduce';
import { emptySession, type SessionState } from '../../../src/core/session/state';

/** Entries of one turn. */
const PER_TURN = 5;

const words =
  'the build reads each file once and keeps what it needs so that nothing is asked for twice'.split(' ');

const sentence = (n: number, length: number): string =>
  Array.from({ length }, (_, i) => words[(n * 7 + i * 3) % words.length]).join(' ');

/** What an agent says in a turn: some Markdown of about 600 characters. */
export const answer = (n: number): string =>
  `Part **${n}**: ${sentence(n, 24)}, see [the file](src/part${n}.ts:12).\n\n- ${sentence(n + 1, 8)}\n- \`code(${n})\`, ` +
  `${sentence(n + 2, 6)}\n\n\`\`\`ts\nexport const value${n} = compute(${n});\nif (value${n} > 3) throw new Error('much');\n\`\`\`\n\n` +
  `${sentence(n + 3, 30)}.`;

const said = (role: 'agent' | 'thought', text: string): SessionAction => ({
  type: 'update',
  at: 1,
  update: { kind: 'chunk', role, block: { type: 'text', text } },
});

/** One turn: a prompt, a thought, a message, a call of a tool and its end. */
export function turn(n: number): SessionAction[] {
  const patch: ToolPatch = {
    toolCallId: `t${n}`,
    title: `src/part${n}.ts`,
    toolKind: n % 3 === 0 ? 'read' : 'edit',
    status: 'completed',
    locations: [{ path: `/home/ada/shop/src/part${n}.ts`, line: n }],
    rawInput: `{"path": "/home/ada/shop/src/part${n}.ts"}`,
  };
  return [
    {
      type: 'promptSubmitted',
      blocks: [{ type: 'text', text: `Question ${n}: ${sentence(n, 12)}?` }],
      at: 1,
    },
    said('thought', sentence(n + 5, 20)),
    said('agent', answer(n)),
    { type: 'update', at: 1, update: { kind: 'toolCall', patch } },
    { type: 'turnEnded', turn: n, stopReason: 'end_turn', at: 9000 },
  ];
}

/** A session of so many entries. */
export function longSession(entries: number): SessionState {
  const state = emptySession('Bench');
  const begin: SessionAction[] = [
    { type: 'connectionChanged', status: 'ready', at: 1 },
    { type: 'sessionOpened', sessionId: 's', cwd: '/home/ada/shop', config: [], fresh: true },
  ];
  for (const action of begin) applyAction(state, action, () => undefined);
  for (let n = 1; n <= entries / PER_TURN; n++)
    for (const action of turn(n)) applyAction(state, action, () => undefined);
  return state;
}
