// An agent built on the official SDK: each prompt names what it does (the keys of `acts`, and "wait"). Its sessions can be listed (in
// pages of two), loaded, resumed, closed and deleted; it can be signed in and out. node reference.mjs [--auth]
//   --auth  sessions need a sign-in first
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import { Readable, Writable } from 'node:stream';

const { client: calls } = methods;
const needsAuth = process.argv.includes('--auth');
const text = (value) => ({ type: 'text', text: value });
const select = (currentValue) => ({
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  currentValue,
  options: [
    { value: 'small', name: 'Small' },
    { value: 'large', name: 'Large' },
  ],
});
const fast = (currentValue) => ({ id: 'fast', name: 'Fast', type: 'boolean', currentValue });
const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};

/** One update of each kind that is stable. */
const everyKind = [
  { sessionUpdate: 'user_message_chunk', content: text('from elsewhere'), messageId: 'u' },
  { sessionUpdate: 'agent_thought_chunk', content: text('hm'), messageId: 't' },
  { sessionUpdate: 'agent_message_chunk', content: text('hello'), messageId: 'm' },
  {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' },
  },
  {
    sessionUpdate: 'tool_call',
    toolCallId: 'call',
    title: 'Edit a.txt',
    kind: 'edit',
    status: 'pending',
    locations: [{ path: '/a.txt', line: 3 }],
    rawInput: { path: '/a.txt' },
  },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call',
    status: 'completed',
    content: [
      { type: 'content', content: text('done') },
      { type: 'diff', path: '/a.txt', oldText: 'a\n', newText: 'b\n' },
      { type: 'terminal', terminalId: 'term' },
    ],
    rawOutput: { ok: true },
  },
  { sessionUpdate: 'plan', entries: [{ content: 'one', priority: 'high', status: 'in_progress' }] },
  {
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ name: 'tour', description: 'Shows all', input: { hint: 'what' } }],
  },
  { sessionUpdate: 'current_mode_update', currentModeId: 'code' },
  { sessionUpdate: 'config_option_update', configOptions: [select('large'), fast(true)] },
  { sessionUpdate: 'session_info_update', title: 'A title' },
  { sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } },
  { sessionUpdate: 'notice', severity: 'warning', title: 'Take care' },
];

/** What a prompt makes the agent do; what it gives is said. */
const acts = {
  kinds: async ({ client, sessionId }) => {
    const stable = everyKind.filter(
      ({ sessionUpdate }) => sessionUpdate !== 'notice' || announced.session?.notices,
    );
    for (const update of stable) await client.notify(calls.session.update, { sessionId, update });
  },
  permission: async ({ client, sessionId }) => {
    const { outcome } = await client.request(calls.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: 'asked', title: 'Remove all', kind: 'delete', status: 'pending' },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    });
    return outcome;
  },
  files: async ({ client, sessionId }) => {
    const { content } = await client.request(calls.fs.readTextFile, {
      sessionId,
      path: '/a.txt',
      line: 1,
      limit: 2,
    });
    await client.request(calls.fs.writeTextFile, { sessionId, path: '/b.txt', content });
    const missing = await client
      .request(calls.fs.readTextFile, { sessionId, path: '/missing' })
      .catch(({ code, data }) => ({ code, data }));
    return { content, missing };
  },
  terminal: async ({ client, sessionId }) => {
    const terminal = await client.createTerminal({
      sessionId,
      command: 'echo',
      args: ['hi'],
      env: [{ name: 'A', value: 'b' }],
      outputByteLimit: 100,
    });
    const exit = await terminal.waitForExit();
    const output = await terminal.currentOutput();
    await terminal.kill();
    await terminal.release();
    return { exit, output };
  },
  extension: async ({ client }) => client.request('_x/unknown', { a: 1 }).catch(({ code }) => ({ code })),
  withdraw: async ({ client, sessionId }) => {
    const abort = new AbortController();
    const asked = client
      .request(
        calls.session.requestPermission,
        { sessionId, toolCall: { toolCallId: 'withdrawn' }, options: [] },
        { cancellationSignal: abort.signal },
      )
      .catch(({ code }) => ({ code }));
    abort.abort();
    return asked;
  },
  form: async ({ client, sessionId }) =>
    client.request(calls.elicitation.create, {
      sessionId,
      mode: 'form',
      message: 'Who are you?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    }),
  url: async ({ client, sessionId }) => {
    const page = { mode: 'url', message: 'Look there', elicitationId: 'page', url: 'https://example.com/' };
    const answer = await client.request(calls.elicitation.create, { sessionId, ...page });
    await client.notify(calls.elicitation.complete, { elicitationId: 'page' });
    return answer;
  },
  compact: async ({ client, sessionId }) => {
    const updates = [
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress' },
      { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: text('All in ') },
      { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: text('short.') },
      { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed' },
    ];
    if (!announced.session?.compaction) return 'not announced';
    for (const update of updates) await client.notify(calls.session.update, { sessionId, update });
  },
  mode: async ({ client, sessionId }) => {
    const update = { sessionUpdate: 'current_mode_update', currentModeId: 'code' };
    await client.notify(calls.session.update, { sessionId, update });
  },
  capabilities: () => announced,
  fail: () => {
    throw RequestError.internalError({ details: 'out of tokens' });
  },
};

/** What the client can do. */
let announced = {};
let signedIn = !needsAuth;
const known = new Map();
let cancelTurn = () => undefined;

function open(params) {
  if (!signedIn) throw RequestError.authRequired();
  const sessionId = params.sessionId ?? `reference-${known.size + 1}`;
  known.set(sessionId, { sessionId, cwd: params.cwd, title: `Session ${known.size + 1}` });
  const offered = announced.session?.configOptions?.boolean ? [fast(false)] : [];
  return { sessionId, modes, configOptions: [select('small'), ...offered] };
}
function mustKnow({ sessionId }) {
  if (!known.has(sessionId)) throw RequestError.resourceNotFound(sessionId);
}
function page({ cwd, cursor }) {
  const all = [...known.values()].filter((session) => !cwd || session.cwd === cwd);
  const start = Number(cursor ?? 0);
  const rest = start + 2 < all.length ? { nextCursor: String(start + 2) } : {};
  return { sessions: all.slice(start, start + 2), ...rest };
}
const app = agent({ name: 'reference' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    announced = params.clientCapabilities ?? {};
    return {
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
        auth: { logout: {} },
      },
      agentInfo: { name: 'reference', title: 'Reference', version: '2.4.0' },
      authMethods: [{ id: 'login', name: 'Sign in' }],
    };
  })
  .onRequest(methods.agent.authenticate, () => {
    signedIn = true;
    return {};
  })
  .onRequest(methods.agent.logout, () => {
    signedIn = !needsAuth;
    return {};
  })
  .onRequest(methods.agent.session.new, ({ params }) => open(params))
  .onRequest(methods.agent.session.load, async ({ client, params }) => {
    const { sessionId } = params;
    const update = { sessionUpdate: 'agent_message_chunk', content: text('of old') };
    await client.notify(calls.session.update, { sessionId, update });
    return { modes, configOptions: open(params).configOptions };
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    mustKnow(params);
    return { modes };
  })
  .onRequest(methods.agent.session.list, ({ params }) => page(params))
  .onRequest(methods.agent.session.close, ({ params }) => {
    mustKnow(params);
    return {};
  })
  .onRequest(methods.agent.session.delete, ({ params }) => {
    known.delete(params.sessionId);
    return {};
  })
  .onRequest(methods.agent.session.setMode, ({ params: { modeId } }) => {
    if (!modes.availableModes.some(({ id }) => id === modeId)) throw RequestError.invalidParams({ modeId });
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params: { configId, value } }) => ({
    configOptions:
      configId === 'model' ? [select(String(value)), fast(false)] : [select('small'), fast(value === true)],
  }))
  .onNotification(methods.agent.session.cancel, () => cancelTurn())
  .onRequest(methods.agent.session.prompt, async ({ client, params: { sessionId, prompt } }) => {
    const say = (value) =>
      client.notify(calls.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: text(value) },
      });
    if (prompt[0].text === 'wait') {
      const cancelled = new Promise((resolve) => (cancelTurn = resolve));
      await say('READY');
      await cancelled;
      return { stopReason: 'cancelled' };
    }
    const result = await acts[prompt[0].text]({ client, sessionId });
    if (result !== undefined) await say(JSON.stringify(result));
    return { stopReason: 'end_turn' };
  });
app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
