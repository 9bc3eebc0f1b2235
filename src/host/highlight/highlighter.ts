import { Worker } from 'node:worker_threads';
import type { HighlightAnswer, HighlightRequest } from '../../core/highlight/messages';
import { Emitter } from '../../core/emitter';
import type { Disposable } from '../../core/lifecycle';
import type { FromHighlighter, ThemeSource, ToHighlighter } from './workerMessages';

/** MB of heap after which the thread is given up, so that it cannot end the extension host. */
const MAX_HEAP = 256;

export interface HighlighterOptions {
  /** The thread's script. */
  file: string;
  /** Where the colours come from now. */
  theme: () => ThemeSource;
  /** ms without a question after which the thread ends. */
  linger: number;
  /** ms that an answer may take. */
  limit: number;
  log(line: string): void;
}

interface Waiting {
  block: number;
  done: (answer: HighlightAnswer) => void;
}

/** Has code coloured by a thread, which starts with the first question and ends when there were none for a while. */
export class Highlighter implements Disposable {
  private readonly changed = new Emitter<void>();
  /** What is on screen must be asked for anew. */
  readonly onDidChangeTheme = this.changed.event;
  private worker: Worker | undefined;
  private themeIsKnown = false;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: HighlighterOptions) {}

  /** Whether there is a thread now. */
  get isRunning(): boolean {
    return this.worker !== undefined;
  }

  /** Never rejects: code that can't be coloured stays plain. */
  highlight(page: number, request: HighlightRequest): Promise<HighlightAnswer> {
    const { block } = request;
    return new Promise((done) => {
      const id = this.nextId++;
      this.waiting.set(id, { block, done });
      try {
        this.worker ??= this.start();
        if (!this.themeIsKnown) this.post({ type: 'theme', theme: this.options.theme() });
        this.themeIsKnown = true;
        this.post({ type: 'highlight', id, key: `${page} ${block}`, request });
        this.restartTimer();
      } catch (error) {
        this.fail(error);
      }
    });
  }

  /** The colours are others now; what was begun must begin anew. */
  themeChanged(): void {
    this.themeIsKnown = false;
    this.changed.fire();
  }

  dispose(): void {
    this.end();
    this.changed.dispose();
  }

  private post(message: ToHighlighter): void {
    this.worker?.postMessage(message);
  }

  private start(): Worker {
    // Without the options of this process, by which a debugger or a loader would come into the thread too.
    const worker = new Worker(this.options.file, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP },
    });
    const lost = (reason: unknown): void => {
      if (this.worker === worker) this.fail(reason);
    };
    worker.on('message', ({ id, answer, problem }: FromHighlighter) => {
      if (problem !== undefined) this.options.log(`highlighting: ${problem}`);
      if (this.worker === worker) this.answer(id, answer);
    });
    worker.on('error', lost);
    worker.on('exit', lost);
    worker.unref();
    this.themeIsKnown = false;
    return worker;
  }

  private answer(id: number, answer: HighlightAnswer): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    this.restartTimer();
    waiting?.done(answer);
  }

  private restartTimer(): void {
    clearTimeout(this.timer);
    const { linger, limit } = this.options;
    this.timer =
      this.waiting.size > 0
        ? setTimeout(() => this.fail('it took too long'), limit).unref()
        : setTimeout(() => this.end(), linger).unref();
  }

  private fail(reason: unknown): void {
    this.options.log(`highlighting: ${reason instanceof Error ? reason.message : String(reason)}`);
    this.end();
  }

  private end(): void {
    clearTimeout(this.timer);
    const { worker } = this;
    this.worker = undefined;
    void worker?.terminate();
    const open = [...this.waiting.values()];
    this.waiting.clear();
    for (const { block, done } of open) done({ type: 'noTokens', block, why: 'plain' });
  }
}
