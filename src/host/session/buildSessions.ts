import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { resolveLine } from '../../acp/agentProcess';
import type { ClientExtension } from '../../acp/agentClient';
import type { ConnectedAgent } from '../../acp/connectAgent';
import type { McpServer } from '../../core/acp';
import { BUILT_IN_AGENT } from '../../core/agents/definition';
import { mentionedPaths } from '../../core/review/mentionedPaths';
import type { SessionState } from '../../core/session/state';
import { AgentConnector, capabilitiesOf } from '../agents/agentConnector';
import type { AgentRegistry } from '../agents/agentRegistry';
import type { Base } from '../base';
import type { Bridges } from '../bridges/bridges';
import { readDefaultAgent } from '../config';
import { agentLoop } from '../extensions/agentLoop';
import { displayTerminals } from '../extensions/displayTerminals';
import { terminalAuth } from '../extensions/terminalAuth';
import { History } from '../history/history';
import { LastShown } from '../history/lastShown';
import { lmExtension } from '../lm/lmExtension';
import type { McpPort } from '../mcp/lazyMcp';
import { chooseSessionPlace, listFolder } from '../workspaceFolder';
import { AgentLinks } from './agentLinks';
import type { SharedPorts } from './scopedPorts';
import { SessionController } from './sessionController';
import { Sessions, type OpenSession } from './sessions';
import { SessionStore } from './sessionStore';
import { sessionTexts } from './sessionTexts';
import { unlinked } from '../unlinked';

const { t } = vscode.l10n;

export interface SessionParts {
  base: Base;
  bridges: Bridges;
  registry: AgentRegistry;
  mcp: McpPort;
  /** Folder of this workspace in the extension's storage. */
  storage: string;
}

/** The sessions of the window with what they stand on: agents, history, MCP servers. */
export function buildSessions(parts: SessionParts): { sessions: Sessions; history: History } {
  const { base, storage } = parts;
  const log = (line: string): void => base.log.main.info(line);
  const history = new History({
    folder: join(storage, 'sessions'),
    log,
    notKept: t('Earlier messages of this session are not kept.'),
    now: Date.now,
  });
  const links = buildLinks(parts);
  const last = new LastShown(join(storage, 'lastShown.json'), log);
  const sessions = new Sessions({
    build: (key, start) => buildSession(parts, { links, history }, key, start),
    archive: {
      list: () => history.list(),
      load: (key) => history.load(key),
      remove: (key) => history.remove(key),
      lastShown: () => last.read(),
      setLastShown: (shown) => last.write(shown),
    },
    links,
    defaultAgent: readDefaultAgent,
    newKey: randomUUID,
    folder: () => listFolder(),
    listFailed: (agent, reason) => t('{0} did not list its sessions: {1}', agent, reason),
    log,
    now: Date.now,
  });
  return { sessions, history };
}

function buildLinks({ base, bridges, registry }: SessionParts): AgentLinks {
  const { log, context } = base;
  const { version } = context.extension.packageJSON as { version: string };
  const connector = new AgentConnector(log, version, bridges.watchdog, base.traffic.recording);
  return new AgentLinks({
    launchPlan: (id, cwd) => registry.launchPlan(id, cwd),
    connect: async (plan, id, handlers, aborted) => {
      try {
        const connecting = connector.connect(plan, id, handlers, aborted);
        const agent = await base.facts.follow(id, capabilitiesOf(handlers), connecting);
        registry.started(id, true);
        return agent;
      } catch (error) {
        // What the person stopped says nothing of the agent.
        if (!aborted.aborted) registry.started(id, false);
        throw error;
      }
    },
    ports: (agentId) => ports(bridges, agentId === BUILT_IN_AGENT ? [lmExtension(base.models)] : []),
    signInInTerminal: async (plan, method) =>
      (await import('../agents/signInTerminal')).signInInTerminal(plan, method, resolveLine),
    opened: (id, ms) => base.facts.sessionOpened(id, ms),
    log: (line) => log.main.info(line),
  });
}

/** Files, terminals and what only this agent gets only in a trusted workspace (CC-8). */
function ports(
  { permissions, elicitations, files, terminals }: Bridges,
  more: readonly ClientExtension[],
): SharedPorts {
  const { isTrusted } = vscode.workspace;
  return {
    permission: permissions,
    elicitation: elicitations,
    extensions: [agentLoop, displayTerminals, ...(isTrusted ? [terminalAuth, ...more] : [])],
    ...(isTrusted ? { files, terminals } : {}),
  };
}

function buildSession(
  { base, bridges, mcp }: SessionParts,
  { links, history }: { links: AgentLinks; history: History },
  key: string,
  start: string | SessionState,
): OpenSession & { stopRecording(): Promise<void> } {
  const { log, diffs, context } = base;
  const store = new SessionStore(start);
  const recorder = history.record(key, () => store.state);
  const scratch = vscode.Uri.joinPath(context.globalStorageUri, 'scratch');
  const controller = new SessionController({
    key,
    store,
    link: links.get(store.state.agent.id),
    texts: sessionTexts,
    choosePlace: (cwd, ask) => chooseSessionPlace(scratch, cwd, ask),
    mcpServers: async (agent, cwd) => {
      const agentId = store.state.agent.id;
      const servers = await offerServers(mcp, { agent, agentId, cwd });
      base.facts.serversGiven(
        agentId,
        servers.map(({ name }) => name),
      );
      return servers;
    },
    cancelQuestions: () => {
      bridges.permissions.cancelSession(key);
      bridges.elicitations.cancelSession(key);
    },
    releaseTerminals: () => bridges.terminals.releaseSession(key),
    recorded: () => recorder.written(),
    keepDiff: diffs.keep,
    changes: {
      begin: (turn, roots) => base.changes.begin(key, turn, roots),
      end: () => base.changes.end(key),
    },
    log: (line) => log.main.info(line),
    newId: randomUUID,
    now: Date.now,
  });
  const listening = [
    store.onDidDispatch((action) => recorder.take(action)),
    store.onDidDispatch((action) => {
      for (const path of mentionedPaths(action)) base.changes.mentioned(key, path);
    }),
    store.onDidReset(() => recorder.rewrite()),
  ];
  const stopRecording = async (): Promise<void> => {
    for (const listener of listening) listener.dispose();
    await recorder.close();
  };
  return { key, store, controller, stopRecording };
}

/** The servers that the agent can use; the person is told of the others, once a session. */
async function offerServers(
  mcp: McpPort,
  { agent, agentId, cwd }: { agent: ConnectedAgent; agentId: string; cwd: string },
): Promise<McpServer[]> {
  const { servers, dropped } = await mcp.serversFor(agentId, cwd, agent.introduction.mcp);
  if (dropped.length > 0) {
    const reasons = dropped.map(({ name, reason }) => `${name}: ${reason}`).join(' ');
    const said = t('Some MCP servers are not given to {0}. {1}', agentId, reasons);
    void vscode.window.showWarningMessage(unlinked(said));
  }
  return servers;
}
