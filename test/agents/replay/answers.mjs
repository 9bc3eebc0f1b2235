import { merge } from './values.mjs';

/** The answer to a client request that no step of the script waits for. */
export async function builtIn(msg, agent) {
  const { defaults, openSession, reply, replyError, sendMsg, sub } = agent;
  const { method, id, params = {} } = msg;
  if (id === undefined) return;
  const d = defaults[method];
  if (d?.off) return;
  if (d?.error) return replyError(id, d.error.code, d.error.message, d.error.data);
  const done = (r) =>
    reply(id, d && 'result' in d ? (r && d.result ? merge(r, sub(d.result)) : sub(d.result)) : r);
  switch (method) {
    case 'initialize':
      return done({
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: false,
          promptCapabilities: { image: true, audio: false, embeddedContext: true },
          mcpCapabilities: { http: false, sse: false },
        },
        agentInfo: { name: 'replay-agent', title: 'Replay Agent', version: '1.0.0' },
        authMethods: [],
      });
    case 'session/new': {
      const sid = openSession(params);
      const r = merge({ sessionId: sid }, d && d.result ? sub(d.result) : {});
      if (r.configOptions) agent.configOptions = r.configOptions;
      return reply(id, r);
    }
    case 'session/load':
    case 'session/resume':
      if (d && 'result' in d) {
        openSession(params, params.sessionId);
        return reply(id, sub(d.result));
      }
      return replyError(id, -32601, 'Method not found');
    case 'session/prompt':
      await sendMsg({
        jsonrpc: '2.0',
        method: 'session/update',
        params: {
          sessionId: params.sessionId,
          update: {
            sessionUpdate: 'agent_message_chunk',
            content: { type: 'text', text: '(the script has no step for this prompt)' },
          },
        },
      });
      return done({ stopReason: 'end_turn' });
    case 'session/set_config_option':
      agent.configOptions = (agent.configOptions ?? []).map((o) =>
        o.id === params.configId ? { ...o, currentValue: params.value } : o,
      );
      return done({ configOptions: agent.configOptions });
    case 'session/list':
      return done({ sessions: [] });
    case 'authenticate':
    case 'session/set_mode':
    case 'session/close':
    case 'session/delete':
    case 'logout':
      return done({});
    default:
      return d && 'result' in d ? reply(id, sub(d.result)) : replyError(id, -32601, 'Method not found');
  }
}
