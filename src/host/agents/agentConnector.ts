import type { ClientHandlers } from '../../acp/agentClient';
import type { LaunchPlan } from '../../acp/agentProcess';
import type { ConnectedAgent } from '../../acp/connectAgent';
import type { ClientCapabilities } from '../../core/acp';
import type { Log } from '../log';
import type { Watchdog } from '../terminal/watchdog';
import type { TrafficSwitch } from '../traffic/trafficSwitch';

/** Connects to agents, with what Parley can do and where its log goes. */
export class AgentConnector {
  constructor(
    private readonly log: Log,
    private readonly version: string,
    private readonly watchdog: Pick<Watchdog, 'watch' | 'unwatch'>,
    private readonly traffic: Pick<TrafficSwitch, 'begin'>,
  ) {}

  async connect(
    plan: LaunchPlan,
    id: string,
    handlers: ClientHandlers,
    aborted: AbortSignal,
  ): Promise<ConnectedAgent> {
    const { main } = this.log;
    main.info(`Starting ${id}: ${plan.command} ${plan.args.join(' ')}`);
    // The JSON-RPC library is loaded with the first agent, not with the window.
    const { connectAgent } = await import('../../acp/connectAgent');
    const run = await this.traffic.begin(id, plan);
    const { trace } = run;
    const connecting = connectAgent({
      plan,
      handlers,
      capabilities: capabilitiesOf(handlers),
      clientInfo: { name: 'parley', title: 'Parley', version: this.version },
      logger: {
        error: (text) => main.error(text),
        warn: (text) => main.warn(text),
        info: (text) => main.info(text),
        log: (text) => main.debug(text),
      },
      ...(trace ? { trace } : {}),
      onStderr: (text) => {
        run.stderr(text);
        this.log.agent(id, text);
      },
      onSkippedLine: (line) => {
        run.line(line);
        this.log.agent(id, `${line}\n`);
      },
      aborted,
    });
    connecting.catch((error: unknown) => run.failed(error));
    const agent = run.connected(await connecting);
    // Some agents outlive their stdin.
    const { pid, exited } = agent.process;
    this.watchdog.watch(pid);
    void exited.then(() => this.watchdog.unwatch(pid));
    return agent;
  }
}

/** Announces what is served, and nothing else (CC-1, CC-2, CC-4..CC-8, EX-6). */
export function capabilitiesOf({
  files,
  terminals,
  elicitation,
  extensions,
}: ClientHandlers): ClientCapabilities {
  const announced = Object.assign({}, ...(extensions ?? []).map(({ announce }) => announce)) as object;
  return {
    fs: { readTextFile: files !== undefined, writeTextFile: files !== undefined },
    terminal: terminals !== undefined,
    // The process is started by us, so its command line can be run in a terminal as well (CC-3).
    auth: { terminal: terminals !== undefined },
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    ...(elicitation ? { elicitation: { form: {}, url: {} } } : {}),
    ...(Object.keys(announced).length > 0 ? { _meta: announced as Record<string, unknown> } : {}),
  };
}
