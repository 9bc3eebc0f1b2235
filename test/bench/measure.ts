import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../vscode/setup.mjs';
import { step } from '../vscode/progress.mjs';
import type { VSCodeHost } from '../vscode/window';
import { measureActivation, type Activation } from './activation';
import { buildControl, copyParley } from './extensions';
import { measureStreaming, type Streamed, type StreamSubject } from './streaming';
import { launch, type Subject } from './subject';

/** What to measure. */
export interface BenchOptions {
  /** Windows of each extension for the activation; 0 for none. */
  windows: number;
  /** Messages that Parley streams, each in a window of its own; 0 for none. */
  messages: number;
  /** Chunks of a message. */
  chunks: number;
  /** Pause of the agent between two chunks, ms. */
  pause: number;
  /** Longest time for the control's message, ms. */
  limit: number;
}

/** What was measured, in the order it was. */
export interface BenchResult {
  activation?: { parley: Activation[]; control: Activation[] };
  streaming?: { parley: Streamed[]; control: Streamed[] };
}

const parley = { id: 'parley.parley', open: 'Parley: Open Chat' };
const connected = '[data-parley="panel"][data-connection="ready"]';
const control = { open: 'Control: Open', ready: '[data-control="page"]' };

function agentCommand({ chunks, pause }: BenchOptions): [string, ...string[]] {
  return [
    process.execPath,
    join(repository, 'test', 'bench', 'streamAgent.mjs'),
    String(chunks),
    String(pause),
  ];
}

async function withHost<T>(subject: Subject, work: (host: VSCodeHost) => Promise<T>): Promise<T> {
  const host = await launch(subject);
  try {
    return await work(host);
  } finally {
    await host.stop();
  }
}

async function compareActivation(path: string, rounds: number, temporary: string) {
  const empty = {
    ...control,
    id: 'parley-bench.empty-control',
    path: await buildControl('emptyExtension', join(temporary, 'empty')),
  };
  const panel = { ...parley, path, ready: '[data-parley="panel"]' };
  const [ours = [], theirs = []] = await withHost(panel, (first) =>
    withHost(empty, (second) => {
      const subjects = [
        { subject: panel, host: first },
        { subject: empty, host: second },
      ];
      return measureActivation(subjects, rounds, temporary);
    }),
  );
  return { parley: ours, control: theirs };
}

async function compareStreaming(path: string, options: BenchOptions, temporary: string) {
  const [command, ...args] = agentCommand(options);
  const chat: StreamSubject = {
    ...parley,
    path,
    ready: connected,
    message: '[data-entry="agent"]',
    input: '[data-parley="composer"]',
    prompt: 'Tell me everything',
    settings: { 'parley.agents': { Stream: { command, args } }, 'parley.defaultAgent': 'Stream' },
  };
  const naive: StreamSubject = {
    ...control,
    id: 'parley-bench.naive-control',
    path: await buildControl('naiveExtension', join(temporary, 'naive')),
    message: '[data-control="page"]',
    input: '[data-control="page"]',
    prompt: '',
    env: { PARLEY_BENCH_AGENT: JSON.stringify([command, ...args]) },
  };
  const ours = await withHost(chat, async (host) => {
    const results: Streamed[] = [];
    for (let n = 0; n < options.messages; n++) {
      const streamed = await measureStreaming(host, chat, options.limit, temporary);
      if (!streamed.complete) throw new Error('Parley did not show the last word of a message.');
      results.push(streamed);
    }
    return results;
  });
  const theirs = await withHost(naive, (host) => measureStreaming(host, naive, options.limit, temporary));
  const [headings] = ours.map((streamed) => streamed.headings);
  if (theirs.complete && theirs.headings !== headings)
    throw new Error(`Parley shows ${headings} headings, the control ${theirs.headings}.`);
  return { parley: ours, control: [theirs] };
}

/** Measures Parley against its controls in a real VS Code; Parley has been built before. */
export async function measure(options: BenchOptions): Promise<BenchResult> {
  const temporary = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
  const path = copyParley(join(temporary, 'parley'));
  const result: BenchResult = {};
  if (options.windows > 0)
    result.activation = await step('measuring the activation', () =>
      compareActivation(path, options.windows, temporary),
    );
  if (options.messages > 0)
    result.streaming = await step('measuring streamed messages', () =>
      compareStreaming(path, options, temporary),
    );
  return result;
}
