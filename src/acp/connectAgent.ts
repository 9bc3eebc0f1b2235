import type { Logger } from 'vscode-jsonrpc/node';
import { PROTOCOL_VERSION, type ClientCapabilities, type Implementation } from '../core/acp';
import { readIntroduction, type Introduction } from '../core/agents/introduction';
import { AgentError, toErrorView, type AgentFailure } from '../core/errors';
import { asObject } from '../core/json';
import { AgentClient, type ClientHandlers } from './agentClient';
import { launchAgent, type AgentProcess, type LaunchPlan, type ProcessExit } from './agentProcess';
import type { TraceHook } from './connection';
import { NdjsonMessageReader, NdjsonMessageWriter } from './ndjsonTransport';
import { isConnectionClosed } from './wireErrors';

export interface ConnectOptions {
  plan: LaunchPlan;
  handlers: ClientHandlers;
  capabilities: ClientCapabilities;
  clientInfo: Implementation;
  logger: Logger;
  trace?: TraceHook;
  onStderr: (text: string) => void;
  /** A line on stdout that is not a message (TR-5). */
  onSkippedLine: (line: string) => void;
  /** Stops the start: the process ends and the promise rejects. */
  aborted: AbortSignal;
}

/** An agent that runs and has introduced itself. */
export interface ConnectedAgent {
  readonly client: AgentClient;
  readonly process: AgentProcess;
  readonly introduction: Introduction;
  /** `agentCapabilities` as the agent sent them, to be shown: what Parley goes by is in the introduction. */
  readonly announced?: unknown;
  /** Resolves when the process ended or its stdout closed, whoever wanted it. */
  readonly lost: Promise<AgentFailure>;
  /** Ends the process by the stop ladder; resolves when it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts an agent and initializes it.
 *
 * @throws AgentError for each way in which that can fail; the process is gone by then.
 */
export async function connectAgent(options: ConnectOptions): Promise<ConnectedAgent> {
  const process = await launchAgent(options.plan);
  process.onStderr(options.onStderr);
  const skippedLine = (line: string): void => {
    process.addPrinted(line);
    options.onSkippedLine(line);
  };
  const backlog = (bytes: number): void =>
    options.logger.warn(`The agent does not read its input: ${bytes} bytes wait.`);
  const reader = new NdjsonMessageReader(process.stdout, { skippedLine });
  const client = new AgentClient({
    reader,
    writer: new NdjsonMessageWriter(process.stdin, { backlog }),
    handlers: options.handlers,
    logger: options.logger,
    ...(options.trace ? { trace: options.trace } : {}),
  });
  const lost = watchLoss(process, client, reader);
  const stop = async (): Promise<void> => {
    client.dispose();
    await process.stop();
  };
  try {
    const introduced = await introduce(options, client, process, lost);
    return { client, process, ...introduced, lost, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Waits for the exit; a process that only closed its stdin or stdout is ended, since it can't be talked to any more. What the agent
 * wrote before is handled first.
 */
async function watchLoss(
  process: AgentProcess,
  client: AgentClient,
  reader: NdjsonMessageReader,
): Promise<AgentFailure> {
  const unwritable = new Promise<undefined>((resolve) =>
    process.stdin.once('error', () => resolve(undefined)),
  );
  const exit = await Promise.race([process.exited, client.closed.then(() => undefined), unwritable]);
  if (!exit) void process.stop();
  const last = exit ?? (await process.exited);
  reader.end();
  await client.closed;
  return toFailure(last);
}

const toFailure = (exit: ProcessExit): AgentFailure => ({ reason: 'exited', ...exit });

type Introduced = Pick<ConnectedAgent, 'introduction' | 'announced'>;

async function introduce(
  options: ConnectOptions,
  client: AgentClient,
  process: AgentProcess,
  lost: Promise<AgentFailure>,
): Promise<Introduced> {
  const { capabilities, clientInfo, aborted } = options;
  const timeout = options.plan.startTimeout;
  let timer: NodeJS.Timeout | undefined;
  let abort = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => {
      const stderr = process.printedTail();
      reject(new AgentError({ reason: 'initializeTimeout', seconds: Math.round(timeout / 1000), stderr }));
    };
    timer = setTimeout(fail, timeout);
    abort = () => reject(new AgentError({ reason: 'aborted' }));
    if (aborted.aborted) abort();
    else aborted.addEventListener('abort', abort);
  });
  const ended = lost.then((failure) => Promise.reject(new AgentError(failure)));
  try {
    const request = { protocolVersion: PROTOCOL_VERSION, clientCapabilities: capabilities, clientInfo };
    const answer = await Promise.race([client.initialize(request).catch(requestFailed(lost)), late, ended]);
    return accepted(answer);
  } finally {
    clearTimeout(timer);
    aborted.removeEventListener('abort', abort);
  }
}

function accepted(answer: unknown): Introduced {
  const result = readIntroduction(answer, PROTOCOL_VERSION);
  if (!('problem' in result))
    return { introduction: result, announced: asObject(answer)['agentCapabilities'] };
  if (result.problem === 'badAnswer') throw new AgentError({ reason: 'badInitializeAnswer' });
  throw new AgentError({ reason: 'unsupportedVersion', version: result.version });
}

/** A request that failed because the agent went away is told as the exit, not as a lost request. */
function requestFailed(lost: Promise<AgentFailure>): (error: unknown) => Promise<never> {
  return async (error) => {
    if (isConnectionClosed(error)) throw new AgentError(await lost);
    throw new AgentError({ reason: 'requestFailed', method: 'initialize', error: toErrorView(error) });
  };
}
