import { asList, asObject, asString, compact, type JsonObject } from '../json';
import type { ChoiceView, ConfigView } from './state';

/** Reads config options in the agent's order; one of an unknown type is left to the agent's default (CF-2, CF-5). */
export function readConfigOptions(value: unknown): ConfigView[] {
  return asList(value).flatMap((item): ConfigView[] => {
    const option = asObject(item);
    const id = asString(option['id']);
    if (id === undefined) return [];
    const head = {
      id,
      name: asString(option['name']) ?? id,
      ...compact({ category: asString(option['category']) }),
    };
    const current = option['currentValue'];
    if (option['type'] === 'boolean') return [{ ...head, type: 'boolean', value: current === true }];
    if (option['type'] !== 'select' || typeof current !== 'string') return [];
    return [
      {
        ...head,
        type: 'select',
        value: current,
        choices: readChoices(option['options']),
        legacyMode: false,
      },
    ];
  });
}

function readChoices(value: unknown): ChoiceView[] {
  return asList(value).flatMap((item) => {
    const choice = asObject(item);
    const group = asString(choice['group']);
    if (group === undefined) return readChoice(choice, undefined);
    const name = asString(choice['name']) ?? group;
    return asList(choice['options']).flatMap((inner) => readChoice(asObject(inner), name));
  });
}

function readChoice(choice: JsonObject, group: string | undefined): ChoiceView[] {
  const value = asString(choice['value']);
  if (value === undefined) return [];
  const name = asString(choice['name']) ?? value;
  return [{ value, name, ...compact({ description: asString(choice['description']), group }) }];
}

/** The controls of a new session: its config options, or, where it has none, its modes as one control (MO-4). */
export function readSessionConfig(answer: unknown): ConfigView[] {
  const { configOptions, modes } = asObject(answer);
  const options = readConfigOptions(configOptions);
  if (options.length > 0) return options;
  const current = asString(asObject(modes)['currentModeId']);
  const choices = asList(asObject(modes)['availableModes']).flatMap((item) => {
    const mode = asObject(item);
    return readChoice({ ...mode, value: mode['id'] }, undefined);
  });
  if (current === undefined || choices.length === 0) return [];
  return [
    { id: 'mode', name: 'Mode', category: 'mode', type: 'select', value: current, choices, legacyMode: true },
  ];
}

/** The agent's order, with the settings of the model right behind the first choice of the model (CF-2, CF-4). */
export function shownOrder(config: readonly ConfigView[]): ConfigView[] {
  const model = config.find((item) => item.category === 'model');
  if (!model) return [...config];
  const settings = config.filter((item) => item.category === 'model_config');
  const rest = config.filter((item) => item.category !== 'model_config');
  return rest.flatMap((item) => (item === model ? [item, ...settings] : [item]));
}
