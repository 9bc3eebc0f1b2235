import { tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import { NdjsonMessageWriter } from '../../src/acp/ndjsonTransport';
import { runTurn } from '../../src/agent/autopilot';
import type { AgentEvent } from '../../src/agent/events/event';
import type { HistoryItem, Model } from '../../src/agent/model/model';
import { SessionReport } from '../../src/agent/report';
import { PermissionDesk } from '../../src/agent/tools/permissions';
import { ToolRunner } from '../../src/agent/tools/runner';
import type { Tool } from '../../src/agent/tools/tool';

const SESSION = 'session';

/** The tool that the models of the measurements ask for. */
export const TOOL: Tool = {
  name: 'measure',
  kind: 'read',
  description: 'Does nothing.',
  inputSchema: { type: 'object' },
  changes: false,
  start: () => ({ title: 'Measure', run: () => Promise.resolve({ output: 'A result of a few words.' }) }),
};

/** A stream that takes lines and forgets them. */
class Lines extends Writable {
  count = 0;

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    this.count++;
    done();
  }
}

/**
 * Runs one prompt turn of the agent with this model, whose messages to the client are written as lines; gives how many those were.
 *
 * @throws Error if the turn did not take so many model calls.
 */
export async function runOne(
  model: Model,
  calls: number,
  record: (event: AgentEvent) => void,
): Promise<number> {
  const lines = new Lines();
  const writer = new NdjsonMessageWriter(lines);
  const report = new SessionReport({
    sessionId: SESSION,
    turnEvents: true,
    record,
    notify: (method, params) => {
      const message = { jsonrpc: '2.0', method, params };
      void writer.write(message);
    },
  });
  const unused = (): never => {
    throw new Error('The tool uses nothing of its environment.');
  };
  const cwd = tmpdir();
  const runner = new ToolRunner({
    tools: new Map([[TOOL.name, TOOL]]),
    environment: {
      cwd,
      additionalDirectories: [],
      files: { read: unused, write: unused, exists: unused },
      commands: { run: unused },
    },
    permissions: new PermissionDesk(SESSION, unused),
    mode: () => 'interactive',
  });
  const { signal } = new AbortController();
  const history: HistoryItem[] = [{ role: 'user', text: 'go' }];
  const { modelCalls, stopReason } = await runTurn({
    model,
    history,
    mode: () => 'interactive',
    runTool: (request, call) => runner.run(request, call, signal),
    readsOnly: () => true,
    nudge: unused,
    report: report.beginTurn(),
    signal,
    maxModelCalls: calls,
  });
  if (modelCalls !== calls || stopReason !== 'end_turn')
    throw new Error(`The turn ended with ${stopReason} after ${modelCalls} of ${calls} model calls.`);
  return lines.count;
}
