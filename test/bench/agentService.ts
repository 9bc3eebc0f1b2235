import { ModelServer } from '../support/modelServer/modelServer';
import type { ScriptedAnswer } from '../support/modelServer/script';
import type { ServiceCost } from './agentServiceProcess';
import { withScripts } from './bundled';

/** The most CPU that a model call of the agent may take of that of the library alone. */
export const agentServiceBound = 2;

/** Model calls before those that are measured, as in the script. */
const WARM_UP = 20;

/** What model calls to a server cost, in the order of the runs. */
export interface AgentServiceResult {
  calls: number;
  agent: ServiceCost[];
  library: ServiceCost[];
  /** Agent ÷ library, by the least CPU of each. */
  ratio: number;
  /** µs of CPU for one model call. */
  perCall: { agent: number; library: number };
}

const TEXT = Array.from({ length: 20 }, () => 'A few words of it. ');

/** Answers for one conversation: each asks for the tool, but the last one. */
function conversation(calls: number): ScriptedAnswer[] {
  const usage = { input: 100, output: 40 };
  return Array.from({ length: calls }, (_, call) => ({
    text: TEXT,
    usage,
    ...(call < calls - 1 ? { calls: [{ name: 'measure', args: { call } }] } : {}),
  }));
}

const least = (runs: readonly ServiceCost[]): number => Math.min(...runs.map(({ cpu }) => cpu));

/**
 * Makes so many model calls to a scripted server on this machine, by the agent and by the library alone, in processes of their own and
 * by turns. The server's time is not part of it.
 *
 * @throws Error if a conversation did not run to its end, or took another number of requests.
 */
export async function measureAgentService(calls: number, rounds: number): Promise<AgentServiceResult> {
  const server = await ModelServer.start();
  try {
    return await withScripts(['test/bench/agentServiceProcess.ts'], async (run) => {
      const one = async (kind: string): Promise<ServiceCost> => {
        server.reset();
        server.answer(...conversation(WARM_UP), ...conversation(calls));
        const cost = (await run(kind, String(calls), server.endpoint('openai-compatible'))) as ServiceCost;
        if (server.requests.length !== WARM_UP + calls)
          throw new Error(
            `There were ${server.requests.length} requests for ${WARM_UP + calls} model calls.`,
          );
        return cost;
      };
      const agent: ServiceCost[] = [];
      const library: ServiceCost[] = [];
      for (let round = 0; round < rounds; round++) {
        library.push(await one('library'));
        agent.push(await one('agent'));
      }
      const per = (runs: readonly ServiceCost[]): number => (1000 * least(runs)) / calls;
      const ratio = least(agent) / least(library);
      return { calls, agent, library, ratio, perCall: { agent: per(agent), library: per(library) } };
    });
  } finally {
    await server.stop();
  }
}
