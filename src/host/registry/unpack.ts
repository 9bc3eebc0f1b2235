import { Worker } from 'node:worker_threads';
import type { UnpackJob } from './extractArchive';
import { InstallFailure } from './installFailure';

/** Takes an archive apart; see `extractArchive`. Rejects with an InstallFailure. */
export type Unpack = (job: UnpackJob, signal: AbortSignal) => Promise<void>;

/** Takes archives apart in a thread, which ends with the work or with the signal. */
export const unpackInThread =
  (script: string): Unpack =>
  (job, signal) =>
    new Promise((resolve, reject) => {
      // Without the options of this process, by which a debugger or a loader would come into the thread too.
      const worker = new Worker(script, { workerData: job, execArgv: [], env: {} });
      const cancel = (): void => void worker.terminate();
      signal.addEventListener('abort', cancel);
      let answer: { found?: boolean; problem?: string } = { problem: 'the thread that reads it ended' };
      worker.on('message', (message: typeof answer) => (answer = message));
      worker.on('error', (error) => (answer = { problem: error.message }));
      worker.on('exit', () => {
        signal.removeEventListener('abort', cancel);
        if (signal.aborted) reject(new InstallFailure({ reason: 'cancelled' }));
        else if (answer.problem !== undefined)
          reject(new InstallFailure({ reason: 'badArchive', message: answer.problem }));
        else if (answer.found) resolve();
        else reject(new InstallFailure({ reason: 'noProgram', program: job.program }));
      });
    });
