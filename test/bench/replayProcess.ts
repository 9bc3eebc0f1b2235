// Measures one replay in a process of its own and prints the figures as JSON.
//   node --expose-gc replayProcess.js parley|control AGENT UPDATES
import { spawn } from 'node:child_process';
import type { LaunchPlan } from '../../src/acp/agentProcess';
import { connectAgent } from '../../src/acp/connectAgent';
import { readUpdate } from '../../src/core/session/intake';
import { DiffStore } from '../../src/host/session/diffTexts';
import { SessionStore } from '../../src/host/session/sessionStore';

/** What one replay cost. */
export interface Replayed {
  /** CPU of this process from the request to the last update's end, ms. */
  cpu: number;
  /** Time for the same, ms. */
  wall: number;
  /** What is kept afterwards, in bytes of heap and buffers, after a forced collection. */
  kept: number;
  /** Updates that arrived. */
  updates: number;
  /** Length of the text in the session, so that a missing part shows. */
  text: number;
}

const [kind = 'parley', agent = '', count = '0'] = process.argv.slice(2);

function used(): number {
  for (let n = 0; n < 3; n++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Runs the work and measures it; what it gives is held until the heap is read. */
async function measured(work: () => Promise<{ updates: number; text: () => number }>): Promise<Replayed> {
  const before = used();
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const result = await work();
  const spent = process.cpuUsage(cpu);
  const wall = performance.now() - begun;
  const kept = used() - before;
  const { updates, text } = result;
  return { cpu: (spent.user + spent.system) / 1000, wall, kept, updates, text: text() };
}

/** The way of an update through Parley: process, reader, connection, intake, reducer, store. */
async function parley(): Promise<Replayed> {
  const store = new SessionStore('replay');
  const diffs = new DiffStore();
  let updates = 0;
  const plan: LaunchPlan = {
    command: process.execPath,
    args: [agent, count],
    env: process.env,
    cwd: process.cwd(),
    shell: false,
    startTimeout: 10_000,
  };
  const connected = await connectAgent({
    plan,
    handlers: {
      session: {
        update: (_, value) => {
          updates++;
          store.dispatch({ type: 'update', update: readUpdate(value, diffs.keep), at: Date.now() });
        },
      },
      permission: { request: () => Promise.reject(new Error('not expected')) },
      onUnknownNotification: () => undefined,
    },
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
    logger: console,
    onStderr: (text) => process.stderr.write(text),
    onSkippedLine: (line) => console.error(line),
    aborted: new AbortController().signal,
  });
  const text = (): number =>
    store.state.entries
      .flatMap((entry) => (entry.kind === 'agent' || entry.kind === 'thought' ? entry.blocks : []))
      .reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  const result = await measured(async () => {
    await connected.client.loadSession('3f0c', { cwd: process.cwd(), mcpServers: [] });
    return { updates, text };
  });
  await connected.stop();
  diffs.find('');
  return result;
}

interface Line {
  id?: number;
  params?: { update: { sessionUpdate: string; content?: { text?: string } } };
}

/** The same bytes, split and parsed, and nothing else. */
async function control(): Promise<Replayed> {
  const child = spawn(process.execPath, [agent, count], { stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (id: number, method: string): boolean =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: {} })}\n`);
  let take = (_: Line): void => undefined;
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(JSON.parse(line) as Line);
  });
  await new Promise<void>((resolve) => {
    take = () => resolve();
    send(0, 'initialize');
  });
  let text = 0;
  let updates = 0;
  const result = await measured(async () => {
    await new Promise<void>((resolve) => {
      take = ({ id, params }) => {
        if (id === 1) resolve();
        updates++;
        const update = params?.update;
        if (update && /^agent_.*chunk$/.test(update.sessionUpdate)) text += update.content?.text?.length ?? 0;
      };
      send(1, 'session/load');
    });
    return { updates: updates - 1, text: () => text };
  });
  child.stdin.end();
  return result;
}

void (kind === 'parley' ? parley() : control()).then((result) => console.log(JSON.stringify(result)));
