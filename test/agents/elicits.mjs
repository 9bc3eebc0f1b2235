// Asks by forms and web pages; the prompt says what: form, small, secret, url, complete, withdraw, unknown, odd, request.
// What the client answered is said as JSON. authenticate asks too, outside of any session.
import { ask, say, send, serve, textOf } from './line.mjs';

const string = (title, more = {}) => ({ type: 'string', title, ...more });
const everyField = {
  type: 'object',
  title: 'Where to deploy',
  properties: {
    name: string('Name', { minLength: 2, maxLength: 20, default: 'demo', description: 'Shown to all' }),
    mail: string('Mail', { format: 'email' }),
    stage: string('Stage', { enum: ['test', 'live'], default: 'test' }),
    region: string('Region', {
      oneOf: [
        { const: 'eu', title: 'Europe' },
        { const: 'us', title: 'America' },
      ],
    }),
    copies: { type: 'integer', title: 'Copies', minimum: 1, maximum: 9, default: 2 },
    share: { type: 'number', title: 'Share', minimum: 0, maximum: 1 },
    public: { type: 'boolean', title: 'Public', default: true },
    tags: {
      type: 'array',
      title: 'Tags',
      minItems: 1,
      maxItems: 2,
      items: { type: 'string', enum: ['a', 'b', 'c'] },
    },
    teams: {
      type: 'array',
      title: 'Teams',
      items: {
        anyOf: [
          { const: 'x', title: 'Team X' },
          { const: 'y', title: 'Team Y' },
        ],
      },
    },
  },
  required: ['name', 'copies'],
};
const formOf = (requestedSchema, message = 'Please fill in') => ({ mode: 'form', message, requestedSchema });
const small = { type: 'object', properties: { name: string('Name') }, required: ['name'] };
const urlOf = (elicitationId) => ({
  mode: 'url',
  message: 'Please sign in there',
  elicitationId,
  url: `https://example.com/sign-in?id=${elicitationId}`,
});
const create = (scope, what, id) => ask('elicitation/create', { ...scope, ...what }, id);
const complete = (elicitationId) => send({ method: 'elicitation/complete', params: { elicitationId } });

const acts = {
  form: (scope) => create(scope, formOf(everyField)),
  small: (scope) => create(scope, formOf(small, 'What is your name?')),
  secret: (scope) =>
    create(scope, formOf({ ...small, properties: { name: string('API password') } }, 'Your password?')),
  url: (scope) => create(scope, urlOf('page-1')),
  /** Completed after consent, twice, and one that never was. */
  complete: async (scope) => {
    const answer = await create(scope, urlOf('page-2'));
    for (const id of ['never', 'page-2', 'page-2']) complete(id);
    return answer;
  },
  /** Asked and withdrawn at once. */
  withdraw: (scope) => {
    const answer = create(scope, formOf(small), 'withdrawn');
    send({ method: '$/cancel_request', params: { requestId: 'withdrawn' } });
    return answer;
  },
  unknown: (scope) => create(scope, { mode: 'hologram', message: 'Look here' }),
  odd: (scope) =>
    create(scope, formOf({ ...small, properties: { name: { type: 'colour', title: 'Colour' } } })),
  /** Belongs to the prompt's request instead of its session. */
  request: (_scope, requestId) => create({ requestId }, formOf(small)),
};

serve({
  initialize: () => ({ protocolVersion: 1, authMethods: [{ id: 'ask', name: 'Sign in with questions' }] }),
  authenticate: async (_params, requestId) => {
    const { result } = await create({ requestId }, formOf(small, 'Who are you?'));
    if (result?.action !== 'accept')
      throw Object.assign(new Error('Sign-in was cancelled'), { code: -32603 });
    return {};
  },
  'session/prompt': async ({ sessionId, prompt }, id) => {
    const { result, error } = (await acts[textOf(prompt)]?.({ sessionId }, id)) ?? {};
    say(sessionId, JSON.stringify(result ?? error ?? 'nothing to ask'));
    return { stopReason: 'end_turn' };
  },
});
