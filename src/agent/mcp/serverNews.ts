import { untilAborted } from '../abort';
import type { SessionReport, TurnReport } from '../report';
import type { ConnectedServers } from './connectServers';

/** Tells the person which MCP servers can't be used, and lets a prompt turn wait for the others. */
export class ServerNews {
  private told = 0;

  /** @param notices true if the client shows notices. */
  constructor(
    private readonly servers: ConnectedServers,
    private readonly report: SessionReport,
    private readonly notices: boolean,
  ) {}

  /** The client knows the session now. */
  async announced(): Promise<void> {
    if (!this.notices) return;
    await this.servers.ready;
    for (const problem of this.untold()) this.report.notice('warning', problem);
  }

  /**
   * Resolves when the servers are connected, or the turn is cancelled. What a client without notices is not told otherwise comes as a
   * thought of its first turn: the protocol has messages of the agent for that, and this is the least of them.
   */
  async beforeTurn(turn: TurnReport, signal: AbortSignal): Promise<void> {
    // A cancel ends the turn where all turns end.
    await untilAborted(this.servers.ready, signal).catch(() => undefined);
    const text = signal.aborted || this.notices ? '' : this.untold().join('\n\n');
    if (text === '') return;
    const messageId = this.report.nextMessageId();
    turn.update({ sessionUpdate: 'agent_thought_chunk', messageId, content: { type: 'text', text } });
  }

  private untold(): readonly string[] {
    const problems = this.servers.problems.slice(this.told);
    this.told += problems.length;
    return problems;
  }
}
