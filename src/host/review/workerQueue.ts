import { Worker } from 'node:worker_threads';
import type { CompareJob, CompareResult } from './compare';

/** MB of heap after which a comparison is given up, so that it cannot end the extension host. */
const MAX_HEAP = 512;

/** Both in ms. */
export interface WorkerTimes {
  /** What one comparison may take. */
  limit: number;
  /** How long the thread is kept for a next job: files often follow each other, and a start is dear. */
  linger: number;
}

interface Waiting {
  job: CompareJob;
  done: (result: CompareResult | undefined) => void;
}

/** Runs comparisons one after the other in a thread, which is started when it is needed and ends soon after. */
export class WorkerQueue {
  private worker: Worker | undefined;
  private readonly waiting: Waiting[] = [];
  private running: Waiting | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly times: WorkerTimes,
  ) {}

  /** Whether there is a thread now. */
  get isRunning(): boolean {
    return this.worker !== undefined;
  }

  /** Undefined where the thread failed, or took longer than the limit. Never rejects. */
  run(job: CompareJob): Promise<CompareResult | undefined> {
    return new Promise((done) => {
      this.waiting.push({ job, done });
      if (!this.running) this.next();
    });
  }

  dispose(): void {
    const open = [...(this.running ? [this.running] : []), ...this.waiting.splice(0)];
    this.running = undefined;
    this.end();
    for (const { done } of open) done(undefined);
  }

  private next(): void {
    clearTimeout(this.timer);
    this.running = this.waiting.shift();
    if (!this.running) {
      this.timer = setTimeout(() => this.end(), this.times.linger).unref();
      return;
    }
    const { job } = this.running;
    this.timer = setTimeout(() => this.fail(), this.times.limit);
    try {
      this.worker ??= this.start();
      this.worker.postMessage(job);
    } catch {
      this.fail();
    }
  }

  private start(): Worker {
    // Without the options of this process, by which a debugger or a loader would come into the thread too.
    const worker = new Worker(this.file, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP },
    });
    const lost = (): void => {
      if (this.worker === worker) this.fail();
    };
    worker.on('message', (result: CompareResult) => {
      if (this.worker === worker) this.answer(result);
    });
    worker.on('error', lost);
    worker.on('exit', lost);
    worker.unref();
    return worker;
  }

  private answer(result: CompareResult): void {
    if (this.running?.job.id !== result.id) return;
    const { done } = this.running;
    this.next();
    done(result);
  }

  /** The thread is gone or is to be: the job has no answer, and the next one gets a new thread. */
  private fail(): void {
    const failed = this.running;
    this.end();
    if (!failed) return;
    this.next();
    failed.done(undefined);
  }

  private end(): void {
    clearTimeout(this.timer);
    const { worker } = this;
    this.worker = undefined;
    void worker?.terminate();
  }
}
