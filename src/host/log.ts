import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle';

/** Longest line that goes to a channel, in UTF-16 units. */
const MAX_LINE = 2_000;

/** The log channel of Parley, and one channel per agent for what the agent prints; those are made when first written to. */
export class Log implements Disposable {
  readonly main = vscode.window.createOutputChannel('Parley', { log: true });
  private readonly agents = new Map<string, vscode.OutputChannel>();
  private latest: vscode.OutputChannel | undefined;

  /** Adds text that an agent printed on stderr, or a line on stdout that is not a message. */
  agent(id: string, text: string): void {
    let channel = this.agents.get(id);
    if (!channel) {
      channel = vscode.window.createOutputChannel(`Parley: ${id}`);
      this.agents.set(id, channel);
    }
    this.latest = channel;
    channel.append(text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…\n` : text);
  }

  /** Shows what the agent printed, or the main log if it printed nothing. */
  show(agentId: string): void {
    (this.agents.get(agentId) ?? this.latest ?? this.main).show(true);
  }

  dispose(): void {
    this.main.dispose();
    for (const channel of this.agents.values()) channel.dispose();
  }
}
