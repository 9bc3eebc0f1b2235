import type { ConfigView } from '../../../src/core/session/state';

const models = Array.from({ length: 16 }, (_, i) => ({
  value: `model-${i}`,
  name: i === 0 ? 'gpt-5.5' : `Model ${i}`,
  group: i < 8 ? 'Fast' : 'Thorough',
  ...(i % 3 === 0 ? { description: 'Good at long work in large repositories' } : {}),
}));
/** The options of the sessions in the scenes. */
export const config: ConfigView[] = [
  {
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    type: 'select',
    value: 'agent',
    legacyMode: false,
    choices: [
      { value: 'ask', name: 'Ask', description: 'Answers questions, changes nothing' },
      { value: 'agent', name: 'Agent', description: 'Edits files and runs commands' },
      { value: 'plan', name: 'Plan', description: 'Plans first' },
    ],
  },
  {
    id: 'model',
    name: 'Model',
    category: 'model',
    type: 'select',
    value: 'model-0',
    legacyMode: false,
    choices: models,
  },
  { id: 'web', name: 'Web search', type: 'boolean', value: true },
];

/** The options of the sessions in the scenes. */
export const configOf = (agent: string): ConfigView[] => (agent === 'Built-in' ? builtInConfig() : config);

/** Those of the built-in agent: the offline planner is its model, or the one that a person chose. */
export const builtInConfig = (model = 'offline'): ConfigView[] =>
  config.flatMap((option): ConfigView[] => {
    if (option.id === 'web') return [];
    if (option.type !== 'select' || option.id !== 'model') return [option];
    return [{ ...option, value: model, choices: [...models, { value: 'offline', name: 'Offline' }] }];
  });
