// Compares texts for the extension host in a thread of its own; see lineCounts.ts.
import { parentPort } from 'node:worker_threads';
import { compare, type CompareJob } from './compare';

parentPort?.on('message', (job: CompareJob) => {
  const result = compare(job);
  parentPort?.postMessage(result, [result.numbers.buffer]);
});
