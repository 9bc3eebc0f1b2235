// Takes archives apart in a thread of its own: decoding keeps a processor busy for seconds; see unpack.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { extractArchive, type UnpackJob } from './extractArchive';

extractArchive(workerData as UnpackJob).then(
  (found) => parentPort?.postMessage({ found }),
  (error: unknown) =>
    parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error) }),
);
