import type { SessionUpdate } from '../../core/acp';
import { WireError } from '../../core/errors';
import { compact } from '../../core/json';
import type { Pause } from '../abort';
import { failureText } from '../access/failureText';
import { ModelFailure, type HistoryItem, type Mode, type Model, type ToolDefinition } from '../model/model';
import type { TurnReport } from '../report';
import { applyCuts, lastOutputs, oldOutputs, type Cuts } from './cuts';
import { splitHistory, summaryItem, summaryRequest, type Split } from './summary';
import { summarize } from './summarize';
import type { TokenMeter } from './tokens';

/** From which share of the model's room on there is too little left. */
const FULL = 0.8;

/** The share that is to be in use after room was made, so that it lasts for a while. */
const ROOMY = 0.6;

/** The share that a summary is made from. */
const READ = 0.6;

/** Tokens that a summary is made from where nobody knows how much the model can read. */
const READ_BLINDLY = 50_000;

export interface PromptContextOptions {
  model: Model;
  /** The session's, changed in place. */
  history: HistoryItem[];
  meter: TokenMeter;
  mode: () => Mode;
  instructions: () => string;
  tools: () => readonly ToolDefinition[];
  report: TurnReport;
  /** True if the client announced that it shows compactions. */
  compactionUpdates: boolean;
  signal: AbortSignal;
  pause?: Pause;
}

/** How a compaction went. */
interface Compacted {
  modelCalls: number;
  /** Why there is no summary; undefined too where it was called off. */
  error?: Error;
}

/** How a compaction that the person asked for went. */
export interface CompactedNow {
  modelCalls: number;
  /** What the person is told. */
  text: string;
}

/** Makes what the model is given fit into what it can read, in one prompt turn. Each change of the history is kept in the log. */
export class PromptContext {
  /** True after a compaction that failed or hardly helped: another one would do no better in this prompt turn. */
  private gaveUp = false;

  constructor(private readonly options: PromptContextOptions) {}

  /**
   * Makes room before a model call: first old tool outputs are cut, then what was said before is summarized. Gives how many model calls
   * that took; a cancel ends it without an error. Throws a ModelFailure where the next call can't fit.
   */
  async makeRoom(callsBefore: number): Promise<number> {
    const size = this.options.model.contextTokens;
    if (size === undefined || this.used() <= size * FULL) return 0;
    this.checkPrompt(size);
    this.cut(oldOutputs(this.options.history, this.tooMany(size, ROOMY)));
    if (this.used() <= size * FULL) return 0;
    const { modelCalls, error } = await this.compactOnce(size, callsBefore);
    if (this.options.signal.aborted) return modelCalls;
    if (this.used() > size) this.cut(lastOutputs(this.options.history, this.tooMany(size, FULL)));
    if (this.used() > size) throw tooLong(size, error);
    return modelCalls;
  }

  /**
   * Summarizes all of the conversation because the person asked for it.
   *
   * @param focus what the person wants to be kept above all.
   */
  async compactNow(focus: string): Promise<CompactedNow> {
    const { history, signal } = this.options;
    if (!history.some(({ role }) => role === 'assistant'))
      return { modelCalls: 0, text: 'There is nothing to summarize yet.' };
    const before = this.used();
    const { modelCalls, error } = await this.compaction({ told: [...history], kept: [] }, 0, focus);
    if (error !== undefined && !signal.aborted) throw error;
    const text = `The conversation is summarized: about ${inWords(before)} tokens became ${inWords(this.used())}.`;
    return { modelCalls, text };
  }

  /** Tells the client how full the context is, by the estimate. */
  tellUsage(): void {
    const { model, report } = this.options;
    if (model.contextTokens === undefined) return;
    report.update({ sessionUpdate: 'usage_update', used: this.used(), size: model.contextTokens });
  }

  private used(history: readonly HistoryItem[] = this.options.history): number {
    const { meter, instructions, tools } = this.options;
    return meter.measure({ history, instructions: instructions(), tools: tools() });
  }

  /** How many tokens are in use beyond a share of the room, as estimated. */
  private tooMany(size: number, share: number): number {
    return this.options.meter.inEstimate(this.used() - size * share);
  }

  private checkPrompt(size: number): void {
    if (this.used([]) > size)
      throw new ModelFailure(
        'request',
        `The model can read about ${inWords(size)} tokens at once, which is too little for the agent's own instructions and tools. Choose another model, or correct the number where the model is set up.`,
      );
    const prompt = this.options.history.findLast((item) => item.role === 'user' && !item.synthetic);
    if (prompt && this.used([prompt]) > size)
      throw new ModelFailure(
        'request',
        `This prompt is too long for the model, which can read about ${inWords(size)} tokens at once. Shorten it, or name files for the agent to read instead.`,
      );
  }

  private cut(kept: Cuts): void {
    if (Object.keys(kept).length === 0) return;
    const { history, report } = this.options;
    report.session.record({ type: 'session.outputs_cut', kept });
    history.splice(0, Infinity, ...applyCuts(history, kept));
  }

  private async compactOnce(size: number, callsBefore: number): Promise<Compacted> {
    const isSmall = (kept: readonly HistoryItem[]): boolean => this.used(kept) <= (size * ROOMY) / 2;
    const split = this.gaveUp ? undefined : splitHistory(this.options.history, isSmall);
    if (!split) return { modelCalls: 0 };
    const compacted = await this.compaction(split, callsBefore);
    this.gaveUp = this.used() > size * ROOMY;
    return compacted;
  }

  private async compaction({ told, kept }: Split, callsBefore: number, focus?: string): Promise<Compacted> {
    const { history, signal, report } = this.options;
    let compactionId = '';
    let modelCalls = 0;
    const onCall = (turnId: string): void => {
      if (modelCalls++ > 0) return;
      compactionId = `compaction-${turnId}`;
      this.tell({ compactionId, status: 'in_progress' });
    };
    try {
      const summary = await this.summary(told, { callsBefore, onCall, ...compact({ focus }) });
      const next = [summaryItem(summary), ...kept];
      if (this.used(next) >= this.used())
        throw new ModelFailure(
          'request',
          'A summary would be no shorter than the conversation, which stays.',
        );
      report.session.record({ type: 'session.compaction', history: next, compactionId, summary });
      history.splice(0, Infinity, ...next);
      this.tell({ compactionId, status: 'completed', summary: [{ type: 'text', text: summary }] });
      this.tellUsage();
      return { modelCalls };
    } catch (error) {
      if (signal.aborted) this.tell({ compactionId, status: 'cancelled' });
      else this.tell({ compactionId, status: 'failed', error: failureText(error) });
      // The log can't be written: nothing that follows could be kept.
      if (error instanceof WireError) throw error;
      return signal.aborted ? { modelCalls } : { modelCalls, error: asError(error) };
    }
  }

  private summary(
    told: readonly HistoryItem[],
    call: { callsBefore: number; onCall: (turnId: string) => void; focus?: string },
  ): Promise<string> {
    const { model, mode, report, signal, pause, meter } = this.options;
    const { contextTokens } = model;
    const room = contextTokens === undefined ? READ_BLINDLY : meter.inEstimate(contextTokens * READ);
    const { focus, ...more } = call;
    const request = summaryRequest(told, room, focus);
    return summarize({ ...more, ...compact({ pause }), model, request, mode: mode(), report, signal });
  }

  private tell(
    update: Omit<Extract<SessionUpdate, { sessionUpdate: 'compaction_update' }>, 'sessionUpdate'>,
  ): void {
    if (this.options.compactionUpdates && update.compactionId !== '')
      this.options.report.update({ sessionUpdate: 'compaction_update', ...update });
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(failureText(error));
}

function tooLong(size: number, error: Error | undefined): ModelFailure {
  if (error instanceof ModelFailure && error.kind === 'auth') return error;
  const why = error === undefined ? '' : ` It could not be summarized: ${failureText(error)}`;
  return new ModelFailure(
    'request',
    `The conversation is too long for the model, which can read about ${inWords(size)} tokens at once; begin a new session, or use /compact.${why}`,
  );
}

/** A number of tokens with groups of three digits. */
function inWords(tokens: number): string {
  return tokens.toLocaleString('en');
}
