import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Emitter } from '../../core/emitter';
import { parseInstalled, type InstalledAgent } from '../../core/agents/registryInstalls';

/**
 * The list of installed agents. It lies beside their files: VS Code keeps the global state of an extension on the side of the person,
 * and one list would then be shown on every machine that a window is connected to.
 */
export class InstalledAgents {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly file: string) {}

  /** Read anew each time: another window may have changed it. */
  list(): InstalledAgent[] {
    try {
      return parseInstalled(JSON.parse(readFileSync(this.file, 'utf8')));
    } catch {
      return []; // Nothing was ever installed, or the file is broken.
    }
  }

  find(id: string): InstalledAgent | undefined {
    return this.list().find((agent) => agent.id === id);
  }

  /** Puts an agent in the place of the one with its id, or takes that away; in one step, so that no other window comes between. */
  set(id: string, agent: InstalledAgent | undefined): void {
    const others = this.list().filter((other) => other.id !== id);
    mkdirSync(dirname(this.file), { recursive: true });
    const part = `${this.file}.${process.pid}.part`;
    writeFileSync(part, JSON.stringify(agent ? [...others, agent] : others, undefined, 2));
    renameSync(part, this.file);
    this.changed.fire();
  }

  /** A session's agent was started: the version that works from now on counts as good. */
  started(name: string): void {
    const agent = this.list().find((one) => one.name === name);
    if (agent && !agent.proven) this.set(agent.id, { ...agent, proven: true });
  }

  dispose(): void {
    this.changed.dispose();
  }
}
