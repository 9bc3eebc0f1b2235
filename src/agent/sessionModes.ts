import type { SessionConfigOption, SessionModeState } from '../core/acp';
import { compact } from '../core/json';
import type { Mode } from './model/model';
import type { ModelChoice } from './model/models';

/** The option that holds the mode. */
export const MODE_OPTION = 'mode';

/** The option that holds the model. */
export const MODEL_OPTION = 'model';

const MODES: readonly { id: Mode; name: string; description: string }[] = [
  {
    id: 'interactive',
    name: 'Interactive',
    description: 'Carries requests out and asks before it changes anything.',
  },
  { id: 'plan', name: 'Plan', description: 'Only shows the plan and changes nothing.' },
  {
    id: 'autopilot',
    name: 'Autopilot',
    description: 'Goes on by itself until the task is done. It still asks before it changes anything.',
  },
];

/** The value as a mode, if it is one. */
export function asMode(value: unknown): Mode | undefined {
  return MODES.find(({ id }) => id === value)?.id;
}

/** The modes for clients that do not know configuration options. */
export function modeState(currentModeId: Mode): SessionModeState {
  return { currentModeId, availableModes: MODES.map((mode) => ({ ...mode })) };
}

/** What a session is set to. */
export interface SessionSettings {
  mode: Mode;
  model: string;
  models: readonly ModelChoice[];
}

/** All configuration options with their values. */
export function configOptions({ mode, model, models }: SessionSettings): SessionConfigOption[] {
  return [
    {
      id: MODE_OPTION,
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue: mode,
      options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      id: MODEL_OPTION,
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: model,
      options: models.map(({ id, name, description }) => ({ value: id, name, ...compact({ description }) })),
    },
  ];
}
