import { join } from 'node:path';
import { TerminalBridge } from '../../../src/host/bridges/terminalBridge';
import { Watchdog } from '../../../src/host/terminal/watchdog';
import { spawnerFor } from './terminalHarness';

/*
 * Stands for an extension host that crashes: it runs the command that it is given, prints the pids that the command prints and that of
 * the watchdog, and lives until it is killed.
 */
const watchdog = new Watchdog({
  args: ['--import', 'tsx', join(__dirname, '../../../src/host/terminal/watchdogMain.ts')],
  log: (line) => console.log(line),
});
const bridge = new TerminalBridge({
  session: () => ({ cwd: process.cwd() }),
  environment: () => Promise.resolve(process.env),
  dispatch: () => undefined,
  agentTitle: () => 'Agent',
  extensionPath: '',
  gate: () => Promise.resolve(),
  presenter: {
    present: () => ({
      write: (text) => process.stdout.write(text),
      exited: () => undefined,
      leftOut: () => undefined,
      reveal: () => undefined,
      dispose: () => undefined,
    }),
  },
  spawner: spawnerFor(process.argv[3] === 'pipe' ? 'pipe' : 'pty'),
  watchdog,
  log: (line) => console.log(line),
});
void bridge.create({ sessionId: 's', command: process.argv[2] }).then(() => {
  console.log(`watchdog ${watchdog.pid}`);
});
setInterval(() => undefined, 1e6);
