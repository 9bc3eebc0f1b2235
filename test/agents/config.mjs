// Options of a session: a grouped select, a flat one that depends on it, a boolean (where announced), one of an unknown type.
// node config.mjs [--modes | --both] [--slow MS]: legacy modes instead or as well; MS before set_config_option is answered
// Prompts: "options" says what is set; "set ID VALUE" changes it from the agent's side; "mode ID" the mode. The value "broken"
// of the option model is refused with -32603.
import { argument, Failure, flag, say, serve, textOf, update } from './line.mjs';

const slow = Number(argument('slow', '0'));
const item = (value, name = value[0].toUpperCase() + value.slice(1)) => ({ value, name });
const efforts = { small: ['low'], large: ['low', 'high'], broken: ['low'] };
const values = { model: 'small', effort: 'low', fast: false, odd: 1 };
const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code', description: 'Writes' },
  ],
};
let booleans = false;

const select = (id, name, category, options) => ({
  id,
  name,
  ...(category ? { category } : {}),
  type: 'select',
  currentValue: values[id],
  options,
});
function configOptions() {
  const groups = [
    { group: 'own', name: 'Our own', options: [item('small'), item('large')] },
    { group: 'other', name: 'Others', options: [item('broken')] },
  ];
  return [
    select('model', 'Model', 'model', groups),
    select(
      'effort',
      'Effort',
      'thought_level',
      efforts[values.model].map((value) => item(value)),
    ),
    ...(booleans
      ? [{ id: 'fast', name: 'Fast', category: 'model_config', type: 'boolean', currentValue: values.fast }]
      : []),
    { id: 'odd', name: 'Odd', category: '_x/odd', type: 'slider', currentValue: values.odd },
  ];
}

function change(id, value) {
  if (!(id in values)) throw new Failure(-32602, `No option ${id}`);
  if (value === 'broken') throw new Failure(-32603, 'This model is broken');
  values[id] = value;
  if (!efforts[values.model].includes(values.effort)) values.effort = 'low';
}

const offered = () => ({
  ...(flag('modes') ? {} : { configOptions: configOptions() }),
  ...(flag('modes') || flag('both') ? { modes } : {}),
});

const orders = {
  options: (sessionId) => say(sessionId, JSON.stringify({ ...values, mode: modes.currentModeId })),
  set: (sessionId, id, value) => {
    change(id, id === 'fast' ? value === 'true' : value);
    update(sessionId, { sessionUpdate: 'config_option_update', configOptions: configOptions() });
  },
  mode: (sessionId, id) => {
    modes.currentModeId = id;
    update(sessionId, { sessionUpdate: 'current_mode_update', currentModeId: id });
  },
};

serve({
  initialize: ({ clientCapabilities }) => {
    booleans = Boolean(clientCapabilities?.session?.configOptions?.boolean);
    return { protocolVersion: 1, agentCapabilities: { loadSession: true } };
  },
  'session/new': () => ({ sessionId: 'configured', ...offered() }),
  'session/load': () => offered(),
  'session/set_mode': ({ modeId }) => {
    if (!modes.availableModes.some(({ id }) => id === modeId)) throw new Failure(-32602, `No mode ${modeId}`);
    modes.currentModeId = modeId;
    return {};
  },
  'session/set_config_option': async ({ configId, value }) => {
    if (slow) await new Promise((resolve) => setTimeout(resolve, slow));
    change(configId, value);
    return { configOptions: configOptions() };
  },
  'session/prompt': ({ sessionId, prompt }) => {
    const [order, ...rest] = textOf(prompt).split(' ');
    orders[order]?.(sessionId, ...rest);
    return { stopReason: 'end_turn' };
  },
});
