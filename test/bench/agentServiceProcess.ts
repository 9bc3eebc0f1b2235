// Asks a scripted server of language models, and prints the figures as JSON.
//   node agentServiceProcess.js agent|library CALLS ENDPOINT
//     agent    by a prompt turn of the built-in agent, with its tools, its messages to the client and its log on disk
//     library  by the provider's library alone, with the same conversation
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventLog } from '../../src/agent/events/eventLog';
import type { HistoryItem, ToolRequest } from '../../src/agent/model/model';
import { createLanguageModel } from '../../src/agent/model/providers/libraries';
import { promptOf } from '../../src/agent/model/providers/prompt';
import { ProviderModel } from '../../src/agent/model/providers/providerModel';
import { choiceId, type ModelSettings } from '../../src/agent/model/providers/settings';
import { runOne, TOOL } from './agentTurn';

/** What the model calls cost this process. */
export interface ServiceCost {
  calls: number;
  /** ms */
  wall: number;
  /** ms, on all of its threads. */
  cpu: number;
}

/** Model calls before those that are measured: code that was never run is slow. */
const WARM_UP = 20;

async function byLibrary(settings: ModelSettings, calls: number): Promise<void> {
  const history: HistoryItem[] = [{ role: 'user', text: 'go' }];
  for (let call = 0; call < calls; call++) {
    const model = createLanguageModel(settings, globalThis.fetch);
    const input = { history, mode: 'interactive', instructions: '', tools: [] } as const;
    const { stream } = await model.doStream({ prompt: promptOf(input, choiceId(settings)) });
    const answer = { role: 'assistant' as const, text: '', toolRequests: [] as ToolRequest[] };
    for await (const part of stream) {
      if (part.type === 'text-delta') answer.text += part.delta;
      if (part.type === 'tool-call')
        answer.toolRequests.push({ id: part.toolCallId, name: part.toolName, input: {} });
    }
    history.push(answer);
    for (const { id: requestId, name } of answer.toolRequests)
      history.push({
        role: 'tool',
        requestId,
        name,
        outcome: 'completed',
        output: 'A result of a few words.',
      });
    if (answer.toolRequests.length !== (call < calls - 1 ? 1 : 0) || answer.text === '')
      throw new Error(`Model call ${call + 1} of ${calls} was answered with something else than the script.`);
  }
}

async function byAgent(settings: ModelSettings, calls: number, folder: string): Promise<void> {
  const log = new EventLog(join(folder, TOOL.name, String(calls), 'events.jsonl'), 0, Date.now);
  await runOne(new ProviderModel(settings), calls, (event) => log.append(event));
}

async function main(): Promise<ServiceCost> {
  const [kind, count, endpoint = ''] = process.argv.slice(2);
  const calls = Number(count);
  const settings: ModelSettings = {
    provider: 'openai-compatible',
    endpoint,
    model: 'scripted',
    contextTokens: 1_000_000,
    idleMs: 60_000,
  };
  const folder = mkdtempSync(join(tmpdir(), 'parley-measure-'));
  const run = (n: number): Promise<void> =>
    kind === 'agent' ? byAgent(settings, n, folder) : byLibrary(settings, n);
  try {
    await run(WARM_UP);
    const [begun, used] = [performance.now(), process.cpuUsage()];
    await run(calls);
    const wall = performance.now() - begun;
    const { user, system } = process.cpuUsage(used);
    return { calls, wall, cpu: (user + system) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv.length > 2) void main().then((result) => console.log(JSON.stringify(result)));
