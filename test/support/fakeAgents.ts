import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LaunchPlan } from '../../src/acp/agentProcess';
import type { ConnectOptions } from '../../src/acp/connectAgent';
import { silent } from './memoryTransport';
import { WireRecorder } from './wireRecorder';

/** Path of one of the small agents in test/agents. */
export const agentFile = (name: string): string => join(import.meta.dirname, '..', 'agents', `${name}.mjs`);

export function planFor(name: string, ...args: string[]): LaunchPlan {
  return {
    command: process.execPath,
    args: [agentFile(name), ...args],
    // Without the options of the test runner, which would load its compiler into the agent as well.
    env: { ...process.env, NODE_OPTIONS: '' },
    cwd: process.cwd(),
    shell: false,
    startTimeout: 10_000,
  };
}

/**
 * Options for connecting to an agent with handlers that refuse everything; `lines` collects skipped stdout lines. What Parley writes is
 * checked against the schema at the end of the test.
 */
export function connectOptions(plan: LaunchPlan, lines: string[] = []): ConnectOptions {
  return {
    plan,
    handlers: {
      session: { update: () => undefined },
      permission: { request: () => Promise.reject(new Error('not expected')) },
      onUnknownNotification: () => undefined,
    },
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
    logger: silent,
    trace: new WireRecorder().trace,
    onStderr: () => undefined,
    onSkippedLine: (line) => lines.push(line),
    aborted: new AbortController().signal,
  };
}

/** True while a process runs; one that ended and waits for its parent (a zombie) counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
