import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import type { LaunchPlan } from '../../acp/agentProcess';
import type { ConnectedAgent } from '../../acp/connectAgent';
import { resolveCommand } from '../../acp/resolveCommand';
import { PROTOCOL_VERSION } from '../../core/acp';
import { COMPATIBILITY_ROWS, isInRange } from '../../core/agents/compatibility';
import { agentCapabilityRows, clientCapabilityRows } from '../../core/diagnostics/capabilities';
import { createMasker, maskJson } from '../../core/diagnostics/mask';
import type { AgentReport, LaunchReport, StartReport } from '../../core/diagnostics/report';
import { namesSecret } from '../../core/diagnostics/secretNames';
import { toErrorView, type AgentFailure } from '../../core/errors';
import { compact } from '../../core/json';
import { variableOf } from '../../core/launch/programPath';
import type { StartFacts } from '../agents/agentFacts';

/** What a report is about beside the agent. */
export type Surroundings = Pick<
  AgentReport,
  'terminals' | 'parley' | 'editor' | 'platform' | 'remote' | 'ui' | 'trusted'
>;

type Sentence = (failure: AgentFailure) => string;

/** Where the facts of a report come from. */
export interface ReportSource {
  /** How the agent would be started now; undefined for a name that the settings don't know. */
  launchPlan(): Promise<LaunchPlan | undefined>;
  /** The environment to which the definition adds. */
  environment(): Promise<NodeJS.ProcessEnv>;
  /** Where that comes from, once it is known. */
  origin(): AgentReport['environment'];
  start(): StartFacts | undefined;
  sessions(): AgentReport['sessions'];
  surroundings(): Surroundings;
  /** A failure as one sentence for the person. */
  readonly sentence: Sentence;
  home: string;
  /** Name of the account, where the system tells it. */
  user: string | undefined;
  now(): number;
}

/** Looks at everything anew; nothing is started. What others must not read is masked. */
export async function collectReport(agent: string, source: ReportSource): Promise<AgentReport> {
  const environment = await source.environment();
  const { plan, problem } = await planOf(source);
  const start = source.start();
  const origin = source.origin();
  const report: AgentReport = {
    agent,
    madeAt: source.now(),
    ...(plan ? { launch: await launchReport(plan, environment, source.sentence) } : {}),
    ...(problem === undefined ? {} : { launchProblem: problem }),
    ...(origin ? { environment: origin } : {}),
    ...(start ? { start: startReport(start, source.sentence) } : {}),
    sessions: source.sessions(),
    ...source.surroundings(),
  };
  const { home, user } = source;
  const secrets = [environment, plan?.env ?? {}].flatMap(secretValues);
  const mask = createMasker({ home, ...(user === undefined ? {} : { user }), secrets });
  return maskJson(report, mask) as AgentReport;
}

async function planOf(source: ReportSource): Promise<{ plan?: LaunchPlan; problem?: string }> {
  try {
    const plan = await source.launchPlan();
    return plan ? { plan } : { problem: source.sentence({ reason: 'unknownAgent' }) };
  } catch (error) {
    return { problem: toErrorView(error).message };
  }
}

async function launchReport(
  plan: LaunchPlan,
  environment: NodeJS.ProcessEnv,
  sentence: Sentence,
): Promise<LaunchReport> {
  const { command, args, shell, cwd, env } = plan;
  const found = await resolveCommand(plan);
  const cwdExists = existsSync(cwd);
  const path = variableOf(env, 'PATH', process.platform === 'win32') ?? '';
  const failure: AgentFailure | undefined =
    'reason' in found ? found : cwdExists ? undefined : { reason: 'noFolder', folder: cwd };
  return {
    command,
    ...('reason' in found || shell ? {} : { resolved: fileOf(found.file, found.args) }),
    ...(failure ? { problem: sentence(failure) } : {}),
    shell,
    args: [...args],
    cwd,
    cwdExists,
    variables: Object.keys(env)
      .filter((name) => env[name] !== environment[name])
      .sort(),
    path: path.split(delimiter).filter((folder) => folder !== ''),
  };
}

/** A batch file of Windows is run by cmd.exe, whose command line names it. */
const fileOf = (file: string, args: string[] | string): string =>
  typeof args === 'string' ? `${file} ${args}` : file;

function startReport(facts: StartFacts, sentence: Sentence): StartReport {
  const { at, agent, servers, announced, failure: error } = facts;
  const failure = error === undefined ? undefined : asFailure(error);
  const exit = facts.exit ?? (failure?.reason === 'exited' ? failure : undefined);
  return {
    at,
    status: statusOf(facts),
    times: timesOf(facts),
    ...compact({
      pid: agent?.process.pid,
      exit: exit && { code: exit.code, signal: exit.signal },
      problem: problemOf(error, failure, sentence),
      protocolVersion: protocolOf(agent, failure),
      servers,
    }),
    printed: printedOf(facts, failure),
    announced: clientCapabilityRows(announced),
    ...toldBy(agent),
  };
}

function problemOf(
  error: unknown,
  failure: AgentFailure | undefined,
  sentence: Sentence,
): string | undefined {
  if (failure) return sentence(failure);
  return error === undefined ? undefined : toErrorView(error).message;
}

/** What the agent said of itself. */
function toldBy(
  agent: ConnectedAgent | undefined,
): Pick<StartReport, 'info' | 'capabilities' | 'authMethods' | 'habits'> {
  if (!agent) return { info: {}, capabilities: [], authMethods: [], habits: [] };
  const { name, title, version, authMethods } = agent.introduction;
  return {
    info: compact({ name, title, version }),
    capabilities: agentCapabilityRows(agent.announced),
    authMethods: authMethods.map((method) => ({ name: method.name, id: method.id, type: method.type })),
    habits: name === undefined ? [] : habitsOf(name, version),
  };
}

function timesOf({ at, agent, introduced, opened }: StartFacts): StartReport['times'] {
  const spawned = agent && agent.process.spawnedAt - at;
  return compact({ spawned, initialized: introduced, session: opened });
}

function statusOf({ agent, exit, failure }: StartFacts): StartReport['status'] {
  if (failure !== undefined) return 'failed';
  if (exit) return 'ended';
  return agent ? 'running' : 'starting';
}

/** The error may be of another bundle, whose classes are not ours. */
const asFailure = (error: unknown): AgentFailure | undefined => (error as { failure?: AgentFailure }).failure;

function printedOf({ agent, exit }: StartFacts, failure: AgentFailure | undefined): string {
  if (failure && 'stderr' in failure) return failure.stderr;
  return exit?.stderr ?? agent?.process.printedTail() ?? '';
}

function protocolOf(
  agent: ConnectedAgent | undefined,
  failure: AgentFailure | undefined,
): string | undefined {
  if (failure?.reason === 'unsupportedVersion') return String(failure.version);
  return agent && String(PROTOCOL_VERSION);
}

function habitsOf(name: string, version: string | undefined): StartReport['habits'] {
  return COMPATIBILITY_ROWS.filter((row) => row.name === name && isInRange(version, row.versions)).map(
    ({ switches, reason }) => ({ name: Object.keys(switches).join(', '), reason }),
  );
}

function secretValues(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value && namesSecret(name) ? [value] : []));
}
