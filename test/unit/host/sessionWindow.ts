import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/core/json';
import type { SessionBadge } from '../../../src/core/chat/sessionRow';
import { AgentLinks } from '../../../src/host/session/agentLinks';
import { Sessions, type OpenSession } from '../../../src/host/session/sessions';
import { MemoryArchive } from '../../support/sessionHarness';
import { buildSession, MemoryAgent, PLACE } from '../acp/memoryAgent';

/** What an agent says that can do all with its sessions. */
export const CAN_ALL = {
  agentCapabilities: {
    loadSession: true,
    sessionCapabilities: { list: {}, close: {}, delete: {}, resume: {} },
  },
};

export type Answers = ConstructorParameters<typeof MemoryAgent>[1];

/** An agent that gives each new session an id of its own. */
export function agentWith(says: JsonObject = CAN_ALL, answers: Answers = {}): MemoryAgent {
  let ids = 0;
  return new MemoryAgent(says, { 'session/new': () => ({ sessionId: `new-${++ids}` }), ...answers });
}

/** The sessions of a window, with agents in memory. */
export class SessionWindow {
  readonly sessions: Sessions;
  readonly stopped: string[] = [];
  readonly switches: string[] = [];
  private keys = 0;

  constructor(
    agents: Record<string, MemoryAgent> = { memory: agentWith() },
    readonly archive = new MemoryArchive(),
  ) {
    const plan = { command: 'agent', args: [], env: {}, cwd: '/', shell: false, startTimeout: 1_000 };
    const links = new AgentLinks({
      launchPlan: (id) => Promise.resolve(id in agents ? plan : undefined),
      connect: (_plan, id, handlers) =>
        Promise.resolve(agents[id]?.connect(handlers) ?? assert.fail(`no agent ${id}`)),
      ports: () => ({ permission: { request: () => Promise.reject(new Error('not expected')) } }),
      signInInTerminal: () => Promise.reject(new Error('not expected')),
      log: () => undefined,
    });
    this.sessions = new Sessions({
      build: (key, start) => ({
        ...buildSession(key, start, links.get(typeof start === 'string' ? start : start.agent.id)),
        stopRecording: () => {
          this.stopped.push(key);
          return Promise.resolve();
        },
      }),
      archive: this.archive,
      links,
      defaultAgent: () => 'memory',
      newKey: () => `key-${++this.keys}`,
      folder: () => PLACE.cwd,
      listFailed: (agent, reason) => `${agent}: ${reason}`,
      log: () => undefined,
      now: () => 1_000,
    });
    this.sessions.setAgents(Object.keys(agents));
    this.sessions.onDidSwitch(() => this.switches.push(this.key));
  }

  get key(): string {
    return this.sessions.current.key;
  }

  /** Sends a prompt in the shown session, which has a transcript from then on. */
  async use(words = 'go'): Promise<OpenSession> {
    const { current } = this.sessions;
    await current.controller.prompt({ text: words, attachments: [] });
    return current;
  }

  /** Key, origin and title of each row. */
  get rows(): unknown[] {
    return this.sessions.list().rows.map(({ key, origin, title }) => [key, origin, title]);
  }

  badgeOf(key: string): SessionBadge | undefined {
    return this.sessions.list().rows.find((row) => row.key === key)?.badge;
  }
}
