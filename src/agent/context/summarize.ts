import { itemsUntilAborted, type Pause } from '../abort';
import { ModelFailure, type Mode, type Model, type Usage } from '../model/model';
import type { TurnReport } from '../report';
import { Retries } from '../retries';
import { SUMMARY_INSTRUCTIONS } from './summary';

export interface SummaryCall {
  model: Model;
  /** What the model is asked. */
  request: string;
  mode: Mode;
  report: TurnReport;
  signal: AbortSignal;
  pause?: Pause;
  /** Model calls of the same prompt turn before this one. */
  callsBefore: number;
  /** Hears of each model call before it begins, with the id that it has in the log. */
  onCall: (turnId: string) => void;
}

/** Lets the model write a summary. Each try is a model call like all others, but its text is no answer and it has no tools. */
export async function summarize(options: SummaryCall): Promise<string> {
  const retries = new Retries(options.pause);
  for (let index = options.callsBefore + 1; ; index++) {
    options.signal.throwIfAborted();
    const summary = await callModel(options, index).catch((error: unknown) => {
      options.signal.throwIfAborted();
      return retries.wait(error, options.signal);
    });
    if (typeof summary !== 'string') return summary.text;
  }
}

async function callModel(
  { model, request, mode, report, signal, onCall }: SummaryCall,
  index: number,
): Promise<{ text: string }> {
  const call = report.beginModelCall(index, 'compaction');
  let text = '';
  let usage: Usage | undefined;
  try {
    onCall(call.turnId);
    const input = {
      history: [{ role: 'user' as const, text: request, synthetic: true as const }],
      mode,
      instructions: SUMMARY_INSTRUCTIONS,
      tools: [],
    };
    for await (const event of itemsUntilAborted(model.next(input, signal), signal)) {
      if (event.type === 'text') text += event.text;
      if (event.type === 'usage') usage = event.usage;
      if (event.type === 'stop' && event.reason === 'refusal')
        throw new ModelFailure('request', 'The model refused to write a summary.');
    }
  } finally {
    call.end(0, usage);
  }
  if (text.trim() === '') throw new ModelFailure('request', 'The model wrote no summary.');
  return { text: text.trim() };
}
