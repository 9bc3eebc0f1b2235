import type { Mutant } from '../mutant';

const agentClient = 'test/unit/acp/agentClient.test.ts';
const connection = 'test/unit/acp/connection.test.ts';
const handshake = 'test/integration/acp/handshake.test.ts';

/** The transport, JSON-RPC, the handshake and extensions. */
export const WIRE: readonly Mutant[] = [
  {
    duty: 'TR-2',
    file: 'src/acp/ndjsonTransport.ts',
    find: "new TextDecoder('utf-8'",
    replace: "new TextDecoder('latin1'",
    test: agentClient,
  },
  {
    duty: 'TR-2',
    file: 'src/acp/ndjsonTransport.ts',
    find: '(message)}\\n`, (error)',
    replace: "(message)}\\n`, 'latin1', (error)",
    test: agentClient,
  },
  {
    duty: 'TR-3',
    file: 'src/acp/ndjsonTransport.ts',
    find: 'JSON.stringify(message)',
    replace: 'JSON.stringify(message, null, 1)',
    test: agentClient,
  },
  {
    duty: 'TR-4',
    file: 'src/acp/ndjsonTransport.ts',
    find: '(message)}\\n`',
    replace: '(message)}\\n\\n`',
    test: agentClient,
  },
  {
    duty: 'TR-4',
    file: 'src/acp/connection.ts',
    find: 'onUnknownNotification?.(method);',
    replace: "onUnknownNotification?.(method); void this.inner.sendNotification('_parley/what', {});",
    test: agentClient,
  },
  {
    duty: 'RP-1',
    file: 'src/acp/responseErrors.ts',
    find: 'new ResponseError(error.code, error.message, error.data)',
    replace: 'new ResponseError(String(error.code) as never, error.message, error.data)',
    test: agentClient,
  },
  {
    duty: 'RP-1',
    file: 'src/acp/connection.ts',
    find: 'onUnknownNotification?.(method);',
    replace: "onUnknownNotification?.(method); void this.inner.sendNotification('_parley/what', {});",
    test: agentClient,
  },
  {
    duty: 'IN-1',
    file: 'src/acp/connectAgent.ts',
    find: 'const request = { protocolVersion',
    replace:
      "void client.newSession({ cwd: '/', mcpServers: [] }).catch(() => 0); const request = { protocolVersion",
    test: handshake,
  },
  {
    duty: 'IN-2',
    file: 'src/core/acp.ts',
    find: 'PROTOCOL_VERSION = 1;',
    replace: 'PROTOCOL_VERSION = 0;',
    test: handshake,
  },
  {
    duty: 'IN-3',
    file: 'src/host/agents/agentConnector.ts',
    find: 'readTextFile: files !== undefined',
    replace: 'readTextFile: true',
    test: agentClient,
  },
  {
    duty: 'IN-3',
    file: 'src/host/agents/agentConnector.ts',
    find: 'terminal: terminals !== undefined,',
    replace: 'terminal: true,',
    grep: 'IN-3',
    test: agentClient,
  },
  {
    duty: 'IN-7',
    file: 'src/core/agents/introduction.ts',
    find: "capabilities['loadSession'] === true",
    replace: "capabilities['loadSession'] !== false",
    test: 'test/unit/core/introduction.test.ts',
  },
  {
    duty: 'IN-7',
    file: 'src/core/agents/introduction.ts',
    find: "isObject(session['close'])",
    replace: "'close' in session",
    test: 'test/unit/core/introduction.test.ts',
  },
  {
    duty: 'CA-8',
    file: 'src/acp/responseErrors.ts',
    find: 'if (cancelled || (error',
    replace: 'if ((error',
    test: connection,
  },
  {
    duty: 'EX-1',
    file: 'src/core/session/loopMeta.ts',
    find: 'modelCalls: countIn(modelCalls, 0),',
    replace: 'modelCalls: modelCalls as number,',
    test: 'test/unit/core/meta.test.ts',
  },
  {
    duty: 'EX-2',
    file: 'src/acp/agentClient.ts',
    find: 'AgentMethod.prompt, { sessionId, prompt }',
    replace: 'AgentMethod.prompt, { sessionId, prompt, parley: true }',
    test: agentClient,
  },
  {
    duty: 'EX-4',
    file: 'src/acp/connection.ts',
    find: 'new ResponseError(ErrorCode.methodNotFound',
    replace: 'new ResponseError(ErrorCode.internal',
    test: agentClient,
  },
  {
    duty: 'EX-4',
    file: 'src/acp/agentClient.ts',
    find: 'requests[method] = (params, signal) => serve(asObject(params), signal, peer);',
    replace: 'requests[method.slice(1)] = (params, signal) => serve(asObject(params), signal, peer);',
    test: agentClient,
  },
];
