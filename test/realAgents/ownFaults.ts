import { asList, asObject, type JsonObject } from '../../src/core/json';
import type { ScenarioName } from './scenarioNames';

/** A habit of an agent by which a scenario can't end well, whatever the client does. */
export interface OwnFault {
  scenario: ScenarioName;
  /** How the scenario then fails. */
  fails: RegExp;
  /** What is wrong, in one sentence. */
  says: string;
  /** The message of the agent that shows it. */
  shows: (message: JsonObject) => boolean;
  /** What none of its messages holds; else the fault is Parley's. */
  never?: RegExp;
}

const updateOf = (message: JsonObject): JsonObject => asObject(asObject(message['params'])['update']);

/** An update of a tool call with these members. */
const isUpdate = (message: JsonObject, members: JsonObject): boolean => {
  const update = updateOf(message);
  const same = Object.entries(members).every(([key, value]) => update[key] === value);
  return update['sessionUpdate'] === 'tool_call_update' && same;
};

const hasNoContent = (message: JsonObject): boolean => asList(updateOf(message)['content']).length === 0;

/** OpenCode and Kilo. */
export const neverAnswers: readonly OwnFault[] = [
  {
    scenario: 'unauthenticated',
    fails: /in vain for the end of the turn/,
    says: 'Without credentials it opens a session, and then never answers a prompt; Stop ends the turn.',
    shows: ({ result }) => asObject(result)['sessionId'] !== undefined,
  },
];

/** The end of a turn that was cancelled or failed is taken for that of the next one. */
export const losesNextPrompt: readonly OwnFault[] = (
  ['reject', 'cancel', 'cancel during shell', 'cancel with permission open', 'error'] as const
).map((scenario) => ({
  scenario,
  fails: /ended without a word/,
  says: 'It ends the prompt after a cancelled or failed turn at once and without a word; the one after that works.',
  shows: ({ result }) => asObject(asObject(result)['usage'])['totalTokens'] === 0,
}));

/** Both adapters of Codex. */
export const codexFaults: readonly OwnFault[] = [
  ...(['shell', 'no capabilities'] as const).map((scenario) => ({
    scenario,
    fails: /chat to show .*output-42/,
    says: "It leaves out the first piece of a command's output.",
    shows: (message: JsonObject) => isUpdate(message, { status: 'completed' }),
    never: /shell-output-42/,
  })),
  {
    scenario: 'cancel during shell',
    fails: /command to have ended/,
    says: 'It answers that the turn was cancelled, and the command runs on: half a minute later it still wrote its file.',
    shows: ({ result }) => asObject(result)['stopReason'] === 'cancelled',
  },
];

/** Gemini: a command that succeeds ends with an empty content. */
export const showsNoOutput: readonly OwnFault[] = (['shell', 'no capabilities'] as const).map((scenario) => ({
  scenario,
  fails: /chat to show .*(last-line|output-42)/,
  says: 'It shows no output of a command that succeeds.',
  shows: (message) => isUpdate(message, { kind: 'execute', status: 'completed' }) && hasNoContent(message),
  never: /shell-output-42|last-line/,
}));

/** Pi; and Cline in a session after others. */
export const hidesErrors: readonly OwnFault[] = [
  {
    scenario: 'error',
    fails: /chat to show .*mock error 400/,
    says: 'It ends the turn and says nothing of an error of the model.',
    shows: ({ result }) => asObject(result)['stopReason'] === 'end_turn',
    never: /mock error 400/,
  },
];
