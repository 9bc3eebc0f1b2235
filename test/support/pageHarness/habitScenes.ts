import { toErrorView } from '../../../src/core/errors';
import type { SessionAction } from '../../../src/core/session/actions';
import { readUpdate } from '../../../src/core/session/intake';
import type { ConfigView } from '../../../src/core/session/state';
import { keepDiff } from '../session';
import { opened, prompt, text } from './sceneParts';
import type { Scene } from './scenes';

/** Models of 23 providers with 17 each. */
const models: ConfigView = {
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  value: 'provider-3/model-2',
  legacyMode: false,
  choices: Array.from({ length: 391 }, (_, i) => {
    const provider = `provider-${Math.floor(i / 17)}`;
    return { value: `${provider}/model-${i % 17}`, name: `Model ${i % 17} [low]`, group: provider };
  }),
};
const choices = ['ask', 'code'].map((value) => ({ value, name: value }));
const controls: ConfigView[] = [
  { ...models, id: 'provider', name: 'Provider', value: 'ask', choices },
  models,
  { id: 'mode', name: 'Mode', category: 'mode', type: 'select', value: 'code', choices, legacyMode: false },
  { id: 'auto', name: 'Approve automatically', type: 'boolean', value: false },
];

const line = (value: string) => [{ text: value }];

/** What real agents send and the protocol's documents do not show, in the wire's own form where that matters. */
const agentHabits: Scene = (now) => {
  const wire = (update: object): SessionAction => ({
    type: 'update',
    update: readUpdate(update, keepDiff),
    at: now,
  });
  const chunk = (role: string, value: string): SessionAction =>
    wire({ sessionUpdate: `${role}_message_chunk`, content: text(value) });
  const command = (id: string, title: string, fields: object): SessionAction =>
    wire({
      sessionUpdate: 'tool_call',
      toolCallId: id,
      title,
      kind: 'execute',
      content: [{ type: 'terminal', terminalId: id }],
      ...fields,
    });
  const terminal = (terminalId: string, lines: string[], code: number | null): SessionAction[] => [
    { type: 'terminalStarted', terminalId, command: '', cwd: '/home/ada/shop', agents: true, at: now - 4000 },
    { type: 'terminalScreen', terminalId, from: 0, hiddenLines: 0, lines: lines.map(line) },
    ...(code === null ? [] : [{ type: 'terminalExited' as const, terminalId, code, signal: null, at: now }]),
  ];
  return [
    ...opened(now - 9000),
    { type: 'configChanged', config: controls },
    wire({
      sessionUpdate: 'available_commands_update',
      availableCommands: ['memory', 'memory show', '$image'].map((name) => ({ name, description: name })),
    }),
    chunk('user', '<session_context>\nToday is a fine day.\n</session_context>'),
    chunk('user', 'What does the test say?'),
    chunk('agent', 'It fails.'),
    prompt(now - 9000, text('Run the tests.')),
    ...terminal('shown', ['tick 2', 'tick 3'], 0),
    command('shown', 'for i in 1 2 3; do\n  echo tick $i\ndone', { status: 'completed' }),
    ...terminal('silent', [], 0),
    command('silent', 'make quiet', { status: 'completed' }),
    ...terminal('open', ['started'], null),
    command('open', 'sleep 25', { status: 'in_progress' }),
    chunk('agent', 'Done.'),
    wire({
      sessionUpdate: 'agent_message_chunk',
      content: text(''),
      _meta: { usage: { inputTokens: 48_213, outputTokens: 1_204 } },
    }),
    { type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: now },
    prompt(now, text('And now?')),
    {
      type: 'turnFailed',
      turn: 2,
      at: now,
      error: toErrorView({
        code: -32603,
        message: 'Internal error: Model: 400 {"error":{"message":"The quota of this month is used up"}}',
        data: { details: 'request 41 of project shop\nregion eu', service: 'session' },
      }),
    },
  ];
};

export const habitScenes: Readonly<Record<string, Scene>> = { agentHabits };
