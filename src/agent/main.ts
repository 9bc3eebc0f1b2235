import { Console } from 'node:console';
import { parseArgs } from 'node:util';
import { NdjsonMessageReader, NdjsonMessageWriter } from '../acp/ndjsonTransport';
import { createPause } from './abort';
import { failureText } from './access/failureText';
import { AgentServer } from './agentServer';
import { logTable } from './cli/log';
import { login, logout } from './cli/login';
import { ExitCode, runPrompt } from './cli/run';
import { dataFolder } from './dataFolder';
import { readConfiguration, takeVariables } from './model/configuration';
import { ConfiguredModels } from './model/configured';
import { Planner } from './model/planner';
import { SessionStore } from './sessionStore';

const USAGE = `The agent of Parley. Without arguments it speaks the Agent Client Protocol on its standard input and output.

  log SESSION          prints the model calls, tools, times and tokens of a session
  run PROMPT           runs one prompt in this folder; the exit code tells how it ended:
                       0 ended, 1 failed, 3 at a limit, 4 refused, 130 cancelled
      --autopilot      goes on until the task is marked as complete; 5 where it never was
      --allow-all      allows changes and commands without asking
  login                asks for a provider, its endpoint, a model and a key, and keeps them
  logout               removes what login kept
  --help               prints this

The environment sets up models, too, before what login kept:

  PARLEY_AGENT_PROVIDER        openai-compatible, anthropic, google, or offline for none
  PARLEY_AGENT_ENDPOINT        base URL; without it the provider's own, or that of Ollama on this machine
  PARLEY_AGENT_MODEL           name of the model, or several with commas between; the first one is preferred
  PARLEY_AGENT_API_KEY         key; commands that the agent runs do not get it
  PARLEY_AGENT_CONTEXT_TOKENS  how much the model can read in one call
  PARLEY_AGENT_IDLE_SECONDS    how long the server may be quiet in a call, 120 without it
  PARLEY_AGENT_MAX_CALLS       most model calls for one prompt
  PARLEY_AGENT_HOME            folder of the sessions and of what login kept
`;

/** Factor of human pace, for tests: `PARLEY_AGENT_PACE=0` streams without waiting. */
const pace = Number(process.env['PARLEY_AGENT_PACE'] ?? 1);
const planner = new Planner(createPause(Number.isFinite(pace) ? Math.max(0, pace) : 1));
const home = dataFolder(process.env, process.platform);
const variables = takeVariables(process.env);
const models = new ConfiguredModels(
  planner,
  () => readConfiguration(variables, home),
  (problem) => process.stderr.write(`${problem}\n`),
);
const store = new SessionStore(home, Date.now);
const limits = readLimits();

/** Most model calls for one prompt, where the environment sets another number. */
function readLimits(): { maxModelCalls?: number } {
  const maxModelCalls = Number(process.env['PARLEY_AGENT_MAX_CALLS']);
  return Number.isInteger(maxModelCalls) && maxModelCalls > 0 ? { maxModelCalls } : {};
}

/** ms that MCP servers get to end by themselves when the agent ends; after that they are ended. */
const END_LIMIT_MS = 700;

function serve(): void {
  // Standard output is the protocol's (TR-5): whatever a library prints goes to the log.
  const { stdout } = process;
  Object.defineProperty(process, 'stdout', { value: process.stderr });
  globalThis.console = new Console(process.stderr, process.stderr);
  const log = (text: string): void => console.error(text);
  const server = new AgentServer({
    reader: new NdjsonMessageReader(process.stdin, {
      skippedLine: (line) => log(`This line is no message and was skipped: ${line.slice(0, 200)}`),
    }),
    writer: new NdjsonMessageWriter(stdout),
    logger: { error: log, warn: log, info: log, log },
    models,
    store,
    ...limits,
    // Parley sets models up itself, and gives them by the environment.
    ...(process.env['PARLEY_AGENT_HOST'] === 'parley' ? {} : { setup: models }),
  });
  const exit = (): void => {
    server.dispose();
    setTimeout(() => process.exit(0), END_LIMIT_MS);
    // The turns that were stopped write their ends into their logs first.
    void server.freed().then(() => setImmediate(() => process.exit(0)));
  };
  void server.closed.then(exit);
  process.on('SIGTERM', exit).on('SIGINT', exit);
}

interface CommandLine {
  words: string[];
  autopilot: boolean;
  allowAll: boolean;
}

/** Undefined for a line that is not understood. */
function readCommandLine(): CommandLine | undefined {
  const options = { autopilot: { type: 'boolean' }, 'allow-all': { type: 'boolean' } } as const;
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options });
    return {
      words: positionals,
      autopilot: values.autopilot ?? false,
      allowAll: values['allow-all'] ?? false,
    };
  } catch {
    return undefined;
  }
}

async function runOnce(prompt: string, { autopilot, allowAll }: CommandLine): Promise<number> {
  const stop = new AbortController();
  process.on('SIGINT', () => stop.abort()).on('SIGTERM', () => stop.abort());
  const { stdin, stdout } = process;
  return runPrompt({
    prompt,
    autopilot,
    allowAll,
    cwd: process.cwd(),
    models,
    store,
    write: (text) => stdout.write(text),
    terminal: stdin.isTTY && stdout.isTTY ? { input: stdin, output: stdout } : undefined,
    signal: stop.signal,
  });
}

async function runCommand({ words, autopilot, allowAll }: CommandLine): Promise<number | undefined> {
  const [command, argument, ...more] = words;
  if (more.length > 0) return undefined;
  const { stdin: input, stdout: output } = process;
  if (argument === undefined) {
    if (command === 'login') return login({ input, output, home });
    if (command === 'logout') return logout(home, (text) => output.write(text));
    return undefined;
  }
  if (command === 'run') return runOnce(argument, { words, autopilot, allowAll });
  if (command !== 'log') return undefined;
  output.write(`${logTable(store.open(argument).events)}\n`);
  return ExitCode.done;
}

async function main(line: CommandLine | undefined): Promise<number> {
  try {
    const code = line && (await runCommand(line));
    if (code !== undefined) return code;
  } catch (error) {
    process.stderr.write(`${failureText(error)}\n`);
    return ExitCode.failed;
  }
  process.stderr.write(USAGE);
  return ExitCode.usage;
}

if (process.argv.length <= 2) serve();
else if (process.argv[2] === '--help') process.stdout.write(USAGE);
else void main(readCommandLine()).then((code) => (process.exitCode = code));
