import type { Pause } from '../abort';
import type { HistoryItem, Mode, Model, ModelEvent, ModelInput } from './model';
import { phrasesFor, type Phrases } from './phrases';
import { parseRequest, type Request } from './requests';
import { Speech } from './speech';
import { takeStep, whyStopped } from './steps';
import { takeTourStop } from './tour';

/** The result of a tool, as it stands in the history. */
export type ToolItem = Extract<HistoryItem, { role: 'tool' }>;

/** What the planner knows in one model call. */
export interface Situation {
  mode: Mode;
  /** What came of the tools that were asked for since the prompt, in order. */
  results: readonly ToolItem[];
  phrases: Phrases;
  speech: Speech;
}

/** Milliseconds between two pieces of a stream. */
const GAPS = { answer: 12, tour: 35, count: 400, paragraphs: 300 };

/**
 * The first model: no language model, but rules. It remembers nothing between calls; the history says how far it is, so the same
 * history always gives the same answer.
 */
export class Planner implements Model {
  constructor(private readonly pause: Pause) {}

  async *next({ history, mode }: ModelInput, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { prompt, results, nudged } = currentTurn(history);
    const request = parseRequest(prompt);
    const phrases = phrasesFor(prompt);
    const speech = new Speech(this.pause, signal, gapFor(request));
    const situation = { mode, results, phrases, speech };
    if (nudged) yield* answerNudge(request, situation);
    else if (request.type === 'steps') yield* takeStep(request.steps, situation);
    else if (request.type === 'tour') yield* takeTourStop(situation);
    else if (request.type === 'help') yield* speech.say(phrases.help);
    else if (request.type === 'compact') yield* speech.say(phrases.compact);
    else if (request.type === 'other') yield* speech.say(answerToOther(request, phrases));
    else yield* stream(request.type, request.n, speech);
  }
}

/** Says that the task is done, unless it was not understood or its last step did not go well: then trying again would change nothing. */
async function* answerNudge(request: Request, situation: Situation): AsyncGenerator<ModelEvent> {
  const { results, phrases, speech } = situation;
  const last = results.at(-1);
  if (request.type === 'other') yield* speech.say(answerToOther(request, phrases));
  else if (last && last.outcome !== 'completed') {
    const step = request.type === 'steps' ? request.steps[results.length - 1] : undefined;
    yield* speech.say(whyStopped(situation, step ? phrases.entry(step) : last.name));
  } else {
    const input = results.length > 0 ? { summary: phrases.summary(results.length) } : {};
    yield { type: 'toolRequest', name: 'task_complete', input };
  }
}

/** The last prompt and the results since; `nudged`: the agent asked whether the task is done. */
function currentTurn(history: readonly HistoryItem[]): {
  prompt: string;
  results: ToolItem[];
  nudged: boolean;
} {
  const at = history.findLastIndex((item) => item.role === 'user' && !item.synthetic);
  const user = history[at];
  const since = history.slice(at + 1);
  return {
    prompt: user?.role === 'user' ? user.text : '',
    results: since.filter((item) => item.role === 'tool'),
    nudged: since.some((item) => item.role === 'user'),
  };
}

function gapFor({ type }: Request): number {
  if (type === 'tour' || type === 'count' || type === 'paragraphs') return GAPS[type];
  return type === 'lorem' ? 0 : GAPS.answer;
}

function answerToOther({ part }: Extract<Request, { type: 'other' }>, phrases: Phrases): string {
  return part === undefined ? phrases.other : `${phrases.notUnderstood(part)}\n\n${phrases.help}`;
}

async function* stream(
  type: 'count' | 'paragraphs' | 'lorem',
  n: number,
  speech: Speech,
): AsyncGenerator<ModelEvent> {
  if (type === 'count') yield* speech.repeat(n, (i) => (i < n ? `${i}, ` : `${i}.`));
  else if (type === 'paragraphs') yield* speech.repeat(n, (i) => `Paragraph ${i} of ${n}. ${FILLER}\n\n`);
  else yield* speech.repeat(n, (i) => `${LOREM[(i - 1) % LOREM.length] ?? ''} `);
}

const FILLER =
  'It says nothing of importance, but it is long enough to fill more than one line of a narrow panel, as real answers do.';
const LOREM =
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua'.split(
    ' ',
  );
