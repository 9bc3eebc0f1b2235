import type { Mutant } from '../mutant';

const agentClient = 'test/unit/acp/agentClient.test.ts';
const gates = 'test/unit/acp/capabilityGates.test.ts';
const signIn = 'test/unit/acp/signIn.test.ts';
const place = 'test/unit/acp/sessionPlace.test.ts';
const promptContent = 'test/unit/core/promptContent.test.ts';

/** Sessions, sign-in, MCP servers and prompts. */
export const SESSIONS: readonly Mutant[] = [
  {
    duty: 'AU-3',
    file: 'src/host/session/agentLink.ts',
    find: "if (method.type === 'terminal') {",
    replace: 'if (method.args === undefined && false) {',
    test: signIn,
  },
  {
    duty: 'AU-10',
    file: 'src/host/session/agentLink.ts',
    find: 'if (!running?.introduction.abilities.logout) return;',
    replace: 'if (!running) return;',
    test: signIn,
  },
  {
    duty: 'SE-3',
    file: 'src/host/workspaceFolder.ts',
    find: 'path: uri.fsPath }',
    replace: 'path: name }',
    test: place,
  },
  {
    duty: 'SE-6',
    file: 'src/host/session/sessionOpener.ts',
    find: '...(load ? [',
    replace: '...(load || !resume ? [',
    test: gates,
  },
  {
    duty: 'SE-7',
    file: 'src/acp/agentClient.ts',
    find: 'AgentMethod.loadSession, { sessionId, ...place }',
    replace: 'AgentMethod.loadSession, { sessionId, cwd: place.cwd }',
    test: agentClient,
  },
  {
    duty: 'SE-10',
    file: 'src/host/session/sessionOpener.ts',
    find: '...(resume ? [',
    replace: '...(resume || !load ? [',
    test: gates,
  },
  {
    duty: 'SE-11',
    file: 'src/acp/agentClient.ts',
    find: 'AgentMethod.resumeSession, { sessionId, ...place }',
    replace: 'AgentMethod.resumeSession, { sessionId, cwd: place.cwd }',
    test: agentClient,
  },
  {
    duty: 'SE-12',
    file: 'src/host/session/sessionController.ts',
    find: 'if (tellAgent && open?.agent.introduction.abilities.close) await',
    replace: 'if (tellAgent && open) await',
    test: gates,
  },
  {
    duty: 'SE-15',
    file: 'src/host/session/agentSessions.ts',
    find: 'if (!introduction.abilities.list) return [];',
    replace: '',
    test: gates,
  },
  {
    duty: 'SE-16',
    file: 'src/host/session/agentSessions.ts',
    find: 'if (!cursor || seen.has(cursor)) break;',
    replace: 'if (!cursor) break;',
    test: gates,
  },
  {
    duty: 'SE-16',
    file: 'src/host/session/agentSessions.ts',
    find: 'if (!cursor || seen.has(cursor)) break;',
    replace: 'if (seen.has(String(cursor))) break; seen.add(String(cursor)); continue;',
    test: gates,
  },
  {
    duty: 'SE-17',
    file: 'src/host/session/agentSessions.ts',
    find: "asString(answer['nextCursor'])",
    replace: "asString(answer['nextCursor'])?.trim()",
    test: gates,
  },
  {
    duty: 'SE-18',
    file: 'src/host/session/agentSessions.ts',
    find: "cwd: asString(item['cwd']) ?? null",
    replace: "cwd: String(asList(item['additionalDirectories'])[0])",
    test: gates,
  },
  {
    duty: 'SE-20',
    file: 'src/host/session/agentSessions.ts',
    find: 'if (!introduction.abilities.delete) return;',
    replace: '',
    test: gates,
  },
  {
    duty: 'SE-21',
    file: 'src/host/session/sessionController.ts',
    find: 'agent.introduction.additionalDirectories && others.length > 0',
    replace: 'others.length > 0',
    test: gates,
  },
  {
    duty: 'SE-22',
    file: 'src/host/workspaceFolder.ts',
    find: 'others: folders.map(({ path }) => path)',
    replace: 'others: folders.map(({ name }) => name)',
    test: place,
  },
  {
    duty: 'SE-25',
    file: 'src/host/workspaceFolder.ts',
    find: '.filter((path) => path !== cwd)',
    replace: '',
    test: place,
  },
  {
    duty: 'SE-25',
    file: 'src/host/workspaceFolder.ts',
    find: ".filter(({ uri }) => uri.scheme === 'file')",
    replace: '',
    test: place,
  },
  {
    duty: 'MC-4',
    file: 'src/host/mcp/mcpServers.ts',
    find: "if (transport !== 'stdio' && !session.transports[transport])",
    replace: "if (transport !== 'stdio' && !session.transports)",
    test: 'test/unit/host/mcp/mcpServers.test.ts',
  },
  {
    duty: 'PT-3',
    file: 'src/core/chat/contentBlocks.ts',
    find: 'if (!abilities[kind]) throw new UnsupportedContent(kind);',
    replace: '',
    test: promptContent,
  },
  {
    duty: 'PT-3',
    file: 'src/core/chat/contentBlocks.ts',
    find: '#L${fromLine}-L${toLine}`;\n      if (abilities.embeddedContext)',
    replace: '#L${fromLine}-L${toLine}`;\n      if (abilities)',
    test: promptContent,
  },
];
