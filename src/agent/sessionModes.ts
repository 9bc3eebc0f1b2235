import type { SessionConfigOption, SessionModeState } from '../core/acp';
import type { Mode } from './model/model';

/** The option that holds the mode. */
export const MODE_OPTION = 'mode';

const MODES: readonly { id: Mode; name: string; description: string }[] = [
  {
    id: 'interactive',
    name: 'Interactive',
    description: 'Carries requests out and asks before it changes anything.',
  },
  { id: 'plan', name: 'Plan', description: 'Only shows the plan and changes nothing.' },
];

/** The value as a mode, if it is one. */
export function asMode(value: unknown): Mode | undefined {
  return MODES.find(({ id }) => id === value)?.id;
}

/** The modes for clients that do not know configuration options. */
export function modeState(currentModeId: Mode): SessionModeState {
  return { currentModeId, availableModes: MODES.map((mode) => ({ ...mode })) };
}

/** All configuration options with their values. */
export function configOptions(currentValue: Mode): SessionConfigOption[] {
  return [
    {
      id: MODE_OPTION,
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue,
      options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
    },
  ];
}
