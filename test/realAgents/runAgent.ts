import type { JsonObject } from '../../src/core/json';
import { picture } from '../e2e/support/chatDriver';
import { AgentChat } from './agentChat';
import { endLeftovers } from './leftovers';
import { prepareAgent, type Variant } from './prepare';
import type { Recipe } from './recipes';
import type { Cell } from './report';
import type { ScenarioName } from './scenarioNames';
import { NotApplicable, scenarios } from './scenarios';

/** What a scenario is to be run with. */
export interface RunOptions {
  name: string;
  recipe: Recipe;
  modelUrl: string;
  /** Called with each cell as soon as it is known. */
  tell: (scenario: ScenarioName, cell: Cell, ms: number) => void;
}

function variantOf(scenario: ScenarioName): Variant {
  return scenario === 'unauthenticated' || scenario === 'no capabilities' ? scenario : 'plain';
}

/** Runs scenarios with one agent: those that can share a window do. */
export async function runAgent(options: RunOptions, wanted: readonly ScenarioName[]): Promise<void> {
  const { without } = options.recipe;
  for (const scenario of wanted) {
    const why = without?.[scenario];
    if (why !== undefined) options.tell(scenario, { result: 'n/a', why }, 0);
  }
  const left = wanted.filter((scenario) => without?.[scenario] === undefined);
  for (const variant of ['plain', 'unauthenticated', 'no capabilities'] as const) {
    const own = left.filter((scenario) => variantOf(scenario) === variant);
    if (own.length > 0) await runVariant(options, variant, own);
  }
}

async function runVariant(
  { name, recipe, modelUrl, tell }: RunOptions,
  variant: Variant,
  wanted: readonly ScenarioName[],
): Promise<void> {
  const prepared = await prepareAgent(name, recipe, modelUrl, variant);
  let it: AgentChat | undefined;
  try {
    for (const scenario of wanted) {
      const since = Date.now();
      let cell: Cell;
      try {
        it ??= await opened(name, recipe, prepared);
        cell = await attempt(it, scenario);
      } catch (error) {
        cell = { result: 'fail', why: sentence(error) };
      }
      tell(scenario, cell, Date.now() - since);
      // What a failure left behind must not make the next one fail.
      if (cell.result === 'fail' || cell.result === 'agent') {
        await closed(it);
        it = undefined;
      }
    }
  } finally {
    await closed(it);
    await endLeftovers(prepared);
  }
}

/** Opens a window; on a busy machine that may fail once. */
function opened(...of: Parameters<typeof AgentChat.open>): Promise<AgentChat> {
  return AgentChat.open(...of).catch(() => AgentChat.open(...of));
}

/** Each scenario has checked the lines itself. */
async function closed(it: AgentChat | undefined): Promise<void> {
  await it?.chat.close().catch(() => undefined);
}

/** Runs one scenario in a window and judges it; a failure leaves a picture. */
export async function attempt(it: AgentChat, scenario: ScenarioName): Promise<Cell> {
  // Without credentials all that it said since its start counts.
  const from = scenario === 'unauthenticated' ? 0 : it.messages('agent').length;
  const before = faultsOf(it).length;
  try {
    if (scenario !== 'unauthenticated') await it.fresh();
    await scenarios[scenario](it);
    const own = faultsOf(it).slice(before);
    return own.length > 0 ? { result: 'fail', why: own.slice(0, 3).join(' · ') } : { result: 'pass' };
  } catch (error) {
    if (error instanceof NotApplicable) return { result: 'n/a', why: error.message };
    await picture(it.chat, `${it.name} ${scenario}`).catch(() => undefined);
    return judge(it.recipe, scenario, { error, messages: it.messages('agent').slice(from) });
  }
}

/** Whether a known habit of the agent is the reason of a failure, and a message shows it. */
function judge(
  { faults = [] }: Recipe,
  scenario: ScenarioName,
  { error, messages }: { error: unknown; messages: readonly JsonObject[] },
): Cell {
  const why = sentence(error);
  for (const fault of faults) {
    if (fault.scenario !== scenario || !fault.fails.test(why)) continue;
    if (messages.some((message) => fault.never?.test(JSON.stringify(message)))) continue;
    const message = messages.findLast(fault.shows);
    if (message) return { result: 'agent', why: `${fault.says} Message: \`${shortened(message)}\`` };
  }
  return { result: 'fail', why };
}

/** What is wrong on Parley's side so far: lines against the schema, and errors in its log. */
function faultsOf(it: AgentChat): string[] {
  return [...it.chat.tap.problems(), ...it.logErrors()];
}

function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').slice(0, 300);
}

/** Members that say little about what is shown, and are long. */
const LEFT_OUT = ['jsonrpc', 'rawInput', 'rawOutput', 'configOptions', 'modes', 'models', 'quota'];

function shortened(message: JsonObject): string {
  const shown = JSON.stringify(message, (key, value: unknown) => {
    if (LEFT_OUT.includes(key)) return undefined;
    return typeof value === 'string' && value.length > 60 ? `${value.slice(0, 60)}…` : value;
  }).replaceAll('`', "'");
  return shown.length > 400 ? `${shown.slice(0, 400)}…` : shown;
}
