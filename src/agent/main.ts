import { Console } from 'node:console';
import { NdjsonMessageReader, NdjsonMessageWriter } from '../acp/ndjsonTransport';
import { createPause } from './abort';
import { AgentServer } from './agentServer';
import { Planner } from './model/planner';

// Standard output is the protocol's (TR-5): whatever a library prints goes to the log.
globalThis.console = new Console(process.stderr, process.stderr);

/** Factor of human pace, for tests: `PARLEY_AGENT_PACE=0` streams without waiting. */
const pace = Number(process.env['PARLEY_AGENT_PACE'] ?? 1);

const log = (text: string): void => console.error(text);
const server = new AgentServer({
  reader: new NdjsonMessageReader(process.stdin, {
    skippedLine: (line) => log(`This line is no message and was skipped: ${line.slice(0, 200)}`),
  }),
  writer: new NdjsonMessageWriter(process.stdout),
  logger: { error: log, warn: log, info: log, log },
  model: new Planner(createPause(Number.isFinite(pace) ? Math.max(0, pace) : 1)),
});

function exit(): void {
  server.dispose();
  process.exit(0);
}

void server.closed.then(exit);
process.on('SIGTERM', exit).on('SIGINT', exit);
