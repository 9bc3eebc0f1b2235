// Runs commands as Parley does, in a process of its own, and prints the figures as JSON.
//   node --expose-gc terminalsProcess.js raw|flood|heap NODE_PTY BYTES
//   node --expose-gc terminalsProcess.js short NODE_PTY COMMANDS
import { ActionQueue } from '../../src/core/chat/sync';
import { applyTerminal } from '../../src/core/session/terminals';
import { emptySession } from '../../src/core/session/state';
import { TerminalBridge } from '../../src/host/bridges/terminalBridge';
import { PtySpawner } from '../../src/host/terminal/ptySpawner';

/** What a command with much output cost. */
export interface Flooded {
  /** Time from the start of the command until all was taken in, ms. */
  wall: number;
  /** CPU of this process, ms. */
  cpu: number;
  /** UTF-16 units that the pty gave. */
  units: number;
  /** The most that the heap grew, after collections, in bytes; only of `heap`. */
  growth: number;
}

/** What is left over after short commands, before and after many of them. */
export interface Lasting {
  heap: number;
  handles: number;
  listeners: number;
}

const LIMIT = 1 << 20;
/** ms between two looks at the heap, each of which stops everything. */
const LOOK = 200;

const [kind = '', nodePty = '', amount = '0'] = process.argv.slice(2);
const { gc } = globalThis as unknown as { gc: () => void };
const spawner = new PtySpawner({
  nodePty,
  log: (line) => {
    throw new Error(line);
  },
});

/** Bytes of the heap; the emulator's buffers, which have a fixed size, are beside it. */
function heapNow(): number {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}

/** A bridge whose actions go into a session and, as JSON, to a page; `units` written to its tabs are counted. */
function buildBridge(): TerminalBridge {
  const state = emptySession('bench');
  const queue = new ActionQueue();
  return new TerminalBridge({
    session: () => ({ cwd: '/tmp' }),
    environment: () => Promise.resolve(process.env),
    dispatch: (_key, action) => {
      if ('terminalId' in action) applyTerminal(state, action, () => undefined);
      queue.push(action);
      JSON.stringify(queue.take());
      // A session keeps what its cards show; here is none.
      if (action.type === 'terminalExited') state.terminals = {};
    },
    agentTitle: () => 'Agent',
    extensionPath: '',
    gate: () => Promise.resolve(),
    presenter: {
      present: () => ({
        write: () => undefined,
        leftOut: () => undefined,
        exited: () => undefined,
        reveal: () => undefined,
        dispose: () => undefined,
      }),
    },
    spawner,
    log: () => undefined,
  });
}

async function measured(work: () => Promise<number>): Promise<Flooded> {
  const before = process.cpuUsage();
  const start = performance.now();
  const units = await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1000, units, growth: 0 };
}

const flood = (bytes: string): string => `yes | head -c ${bytes}`;

/** Reads the pty and does nothing with it. */
function readRaw(bytes: string): Promise<number> {
  let units = 0;
  const { exited } = spawner.spawn({
    file: '/bin/sh',
    args: ['-c', flood(bytes)],
    cwd: '/tmp',
    env: { PATH: process.env['PATH'] ?? '' },
    onData: (text) => (units += text.length),
  });
  return exited.then(() => units);
}

async function run(bridge: TerminalBridge, command: string): Promise<string> {
  const sessionId = 's';
  const { terminalId } = await bridge.create({ sessionId, command, outputByteLimit: LIMIT });
  await bridge.waitForExit({ sessionId, terminalId });
  const { output } = bridge.output({ sessionId, terminalId }) as { output: string };
  bridge.release({ sessionId, terminalId });
  return output;
}

/** The same through all that Parley does with it. */
async function readByBridge(bridge: TerminalBridge, bytes: string): Promise<number> {
  const output = await run(bridge, flood(bytes));
  if (output.length !== LIMIT || !output.endsWith('y\ny\n')) throw new Error('The tail is not what it was.');
  return Number(bytes);
}

async function measureFlood(): Promise<Flooded> {
  if (kind === 'raw') {
    await readRaw('100000');
    return measured(() => readRaw(amount));
  }
  const bridge = buildBridge();
  // Code is loaded and compiled in the first ones.
  await run(bridge, flood('3000000'));
  if (kind === 'flood') return measured(() => readByBridge(bridge, amount));
  const before = heapNow();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, heapNow())), LOOK);
  const figures = await measured(() => readByBridge(bridge, amount));
  clearInterval(timer);
  return { ...figures, growth: most - before };
}

/** Everything settles: what closes itself is given the time for it. */
async function lasting(): Promise<Lasting> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 25));
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return { heap: heapNow(), handles: process.getActiveResourcesInfo().length, listeners };
}

async function measureShort(): Promise<{ before: Lasting; after: Lasting }> {
  const bridge = buildBridge();
  // Caches are filled and code is compiled in the first ones.
  for (let n = 0; n < Number(amount); n++) await run(bridge, 'true');
  const before = await lasting();
  for (let n = 0; n < Number(amount); n++) await run(bridge, 'true');
  return { before, after: await lasting() };
}

void (kind === 'short' ? measureShort() : measureFlood()).then((figures) => {
  console.log(JSON.stringify(figures));
  process.exit();
});
