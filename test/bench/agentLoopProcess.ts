// Runs one prompt turn of the built-in agent with a model that is a script, and prints the figures as JSON.
//   node agentLoopProcess.js loop|memory|control CALLS
//     loop     the turn with its tools, its messages to the client as lines, and its log on disk
//     memory   the same without the disk
//     control  takes what the model says and does nothing with it
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventLog, parseEvents } from '../../src/agent/events/eventLog';
import type { Model, ModelEvent, ModelInput } from '../../src/agent/model/model';
import { runOne, TOOL } from './agentTurn';

/** What one turn cost. */
export interface LoopCost {
  calls: number;
  /** ms */
  wall: number;
  /** ms of this process, on all of its threads. */
  cpu: number;
  /** Lines to the client. */
  messages: number;
  /** Lines of the log. */
  events: number;
}

/** Pieces of text in an answer. */
const PIECES = 20;
/** A model that asks for the tool in each answer but the last one. */
function scripted(calls: number): Model {
  let left = calls;
  return {
    async *next() {
      left--;
      for (let piece = 0; piece < PIECES; piece++) {
        await Promise.resolve();
        yield { type: 'text', text: 'A few words of it. ' } satisfies ModelEvent;
      }
      if (left > 0) yield { type: 'toolRequest', name: TOOL.name, input: { left } } satisfies ModelEvent;
    },
  };
}

async function takeAll(calls: number): Promise<number> {
  const model = scripted(calls);
  const input: ModelInput = { history: [], mode: 'interactive', instructions: '', tools: [] };
  const { signal } = new AbortController();
  let taken = 0;
  for (let call = 0; call < calls; call++) for await (const _event of model.next(input, signal)) taken++;
  return taken;
}

async function run(kind: string, calls: number, folder: string): Promise<Omit<LoopCost, 'wall' | 'cpu'>> {
  let events = 0;
  if (kind === 'control') return { calls, messages: await takeAll(calls), events };
  const log = new EventLog(join(folder, String(calls), 'events.jsonl'), 0, Date.now);
  const messages = await runOne(scripted(calls), calls, (event) => {
    events++;
    if (kind === 'loop') log.append(event);
  });
  return { calls, messages, events };
}

async function main(): Promise<LoopCost> {
  const [kind = 'loop', count = '0'] = process.argv.slice(2);
  const calls = Number(count);
  const folder = mkdtempSync(join(tmpdir(), 'parley-measure-'));
  try {
    // Code that was never run is slow.
    await run(kind, 50, folder);
    const [begun, used] = [performance.now(), process.cpuUsage()];
    const cost = await run(kind, calls, folder);
    const wall = performance.now() - begun;
    const { user, system } = process.cpuUsage(used);
    if (kind === 'loop') checkLog(join(folder, count, 'events.jsonl'), cost);
    return { ...cost, wall, cpu: (user + system) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkLog(file: string, { calls, events }: { calls: number; events: number }): void {
  const kept = parseEvents(readFileSync(file, 'utf8'));
  const ends = kept.filter(({ type }) => type === 'assistant.turn_end').length;
  if (kept.length !== events || ends !== calls)
    throw new Error(`The log holds ${kept.length} of ${events} events and ${ends} of ${calls} model calls.`);
}

void main().then((result) => console.log(JSON.stringify(result)));
