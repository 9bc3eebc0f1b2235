import { ClientMethod, type CreateTerminalRequest } from '../../core/acp';
import { asNumber, asObject, asString } from '../../core/json';
import { ToolFailure } from '../tools/tool';
import type { ClientRequest } from './clientRequest';
import {
  OUTPUT_LIMIT,
  outputTail,
  watchTime,
  type CommandAccess,
  type CommandEnd,
  type CommandRun,
} from './commands';

/** Runs commands in the client's terminals. Each terminal is released, whatever happens (TE-9). */
export function clientCommands(sessionId: string, request: ClientRequest): CommandAccess {
  return {
    run: async (run) => {
      // Not given the signal: a terminal that is being made when the person cancels has to be released when it is there.
      const terminalId = await createTerminal(sessionId, run, request);
      const params = { sessionId, terminalId };
      const release = once(() => {
        // A client that is gone or has no such terminal any more has released it.
        request(ClientMethod.releaseTerminal, params).catch(() => undefined);
      });
      // In the abort itself, so that the command is stopped before the prompt is answered.
      run.signal.addEventListener('abort', release, { once: true });
      try {
        run.signal.throwIfAborted();
        run.show([{ type: 'terminal', terminalId }]);
        return await waitForEnd(params, run, request);
      } finally {
        run.signal.removeEventListener('abort', release);
        release();
      }
    },
  };
}

async function createTerminal(sessionId: string, run: CommandRun, request: ClientRequest): Promise<string> {
  const { command, cwd } = run;
  const params: CreateTerminalRequest = { sessionId, command, cwd, outputByteLimit: OUTPUT_LIMIT };
  const terminalId = asString(asObject(await request(ClientMethod.createTerminal, params))['terminalId']);
  if (terminalId === undefined) throw new ToolFailure('The client gave no terminal.');
  return terminalId;
}

async function waitForEnd(params: object, run: CommandRun, request: ClientRequest): Promise<CommandEnd> {
  const stopWatch = watchTime(run.timeLimitMs, () => {
    // If it can't be killed it goes on; the wait below then lasts until it ends or the person cancels.
    request(ClientMethod.killTerminal, params).catch(() => undefined);
  });
  try {
    const exit = asObject(await request(ClientMethod.waitForTerminalExit, params, run.signal));
    const { output, truncated } = asObject(await request(ClientMethod.terminalOutput, params, run.signal));
    return {
      exitCode: asNumber(exit['exitCode']) ?? null,
      signal: asString(exit['signal']) ?? null,
      output: outputTail(asString(output) ?? '', truncated === true),
      timedOut: stopWatch(),
    };
  } finally {
    stopWatch();
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
