import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../vscode/setup.mjs';

/** The most that the median start of the agent may be of that of Node alone. */
export const agentStartBound = 2;

/** Fewest runs of each; a median of fewer says little on a busy machine. */
const LEAST_RUNS = 15;

/** Times in ms, in the order of the runs. */
export interface AgentStartResult {
  /** From the start of the process until its answer to `initialize` is here. */
  agent: number[];
  /** `node -e 0`, from its start to its end. */
  node: number[];
  /** Median of the agent ÷ median of Node. */
  ratio: number;
}

const REQUEST = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
};

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

async function startAgent(env: NodeJS.ProcessEnv): Promise<number> {
  const begun = performance.now();
  const command = [join(repository, 'dist', 'agent.js')];
  const child = spawn(process.execPath, command, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  child.stdin.write(`${JSON.stringify(REQUEST)}\n`);
  let answer = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    answer += String(chunk);
    if (answer.includes('\n')) break;
  }
  const time = performance.now() - begun;
  if (!answer.includes('"agentCapabilities"')) throw new Error(`The agent answered: ${answer || 'nothing'}`);
  child.stdin.end();
  await exit;
  return time;
}

async function startNode(env: NodeJS.ProcessEnv): Promise<number> {
  const begun = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { env, stdio: ['pipe', 'pipe', 'inherit'] }), 'exit');
  return performance.now() - begun;
}

/**
 * Starts the agent of dist and Node alone by turns, after one start of each that does not count.
 *
 * @throws Error if the agent does not answer.
 */
export async function measureAgentStart(rounds: number): Promise<AgentStartResult> {
  const home = mkdtempSync(join(tmpdir(), 'parley-measure-'));
  const env = { ...process.env, NODE_OPTIONS: '', PARLEY_AGENT_HOME: home };
  const [agent, node]: [number[], number[]] = [[], []];
  try {
    await startAgent(env);
    await startNode(env);
    for (let round = 0; round < Math.max(rounds, LEAST_RUNS); round++) {
      agent.push(await startAgent(env));
      node.push(await startNode(env));
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return { agent, node, ratio: median(agent) / median(node) };
}
