import { readForm } from '../../../src/core/elicitation/form';
import type { SessionAction, SessionUpdate } from '../../../src/core/session/actions';
import { NO_ABILITIES, type BlockView, type QueueState } from '../../../src/core/session/state';
import type { Scene } from './scenes';

const text = (value: string): BlockView => ({ type: 'text', text: value });
const update = (change: SessionUpdate, at: number): SessionAction => ({ type: 'update', update: change, at });
const say = (value: string, at: number): SessionAction =>
  update({ kind: 'chunk', role: 'agent', block: text(value) }, at);
const prompt = (value: string, at: number, ...others: BlockView[]): SessionAction => ({
  type: 'promptSubmitted',
  blocks: [text(value), ...others],
  at,
});
const end = (stopReason: string, turn: number, at: number): SessionAction => ({
  type: 'turnEnded',
  turn,
  stopReason,
  at,
});

/** A picture of one grey pixel, base64. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

/** An agent that takes images, with an open session. */
const opened = (now: number): SessionAction[] => [
  { type: 'connectionChanged', status: 'ready', at: now },
  {
    type: 'agentIntroduced',
    title: 'Copilot',
    authMethods: [],
    abilities: { ...NO_ABILITIES, image: true, embeddedContext: true },
  },
  { type: 'sessionOpened', sessionId: 's1', cwd: '/home/ada/shop', config: [], fresh: true },
];

const waiting: QueueState = {
  paused: false,
  items: [
    {
      id: 'q1',
      text: 'Then run the tests of the checkout, the whole of them, in Firefox too',
      attachments: [],
    },
    {
      id: 'q2',
      text: 'Write the change log',
      attachments: [{ kind: 'file', path: '/home/ada/shop/CHANGELOG.md', name: 'CHANGELOG.md' }],
    },
    { id: 'q3', text: 'Commit', attachments: [] },
  ],
};

const queue: Scene = (now) => [
  ...opened(now - 9000),
  prompt('Move the checkout page to the new router.', now - 9000),
  say('I begin with the routes.', now - 8000),
  { type: 'queueChanged', queue: waiting },
];

const queuePaused: Scene = (now) => [
  ...queue(now),
  { type: 'cancelRequested', at: now },
  end('cancelled', 1, now),
  { type: 'queueChanged', queue: { ...waiting, paused: true } },
];

/** The schema of a form with every kind of field. */
export const formSchema = {
  title: 'New service',
  description: 'What the deployment needs to know. See https://example.com/help',
  required: ['name', 'replicas', 'region', 'checks'],
  properties: {
    name: {
      type: 'string',
      title: 'Name',
      description: 'Letters and dashes',
      minLength: 3,
      maxLength: 20,
      pattern: '^[a-z-]+$',
    },
    replicas: { type: 'integer', title: 'Replicas', minimum: 1, maximum: 9, default: 2 },
    budget: { type: 'number', title: 'Budget' },
    region: {
      type: 'string',
      title: 'Region',
      oneOf: [
        { const: 'eu', title: 'Europe', description: 'Frankfurt and Dublin' },
        { const: 'us', title: 'United States' },
      ],
    },
    checks: { type: 'array', title: 'Checks', minItems: 1, items: { enum: ['lint', 'unit', 'e2e'] } },
    public: { type: 'boolean', title: 'Reachable from outside' },
    contact: { type: 'string', title: 'Contact', format: 'email' },
    token: { type: 'string', title: 'Access token' },
    notes: { type: 'string', title: 'Notes', maxLength: 2000 },
  },
};

const form: Scene = (now) => {
  const view = readForm(formSchema);
  return [
    ...opened(now - 9000),
    prompt('Deploy the shop.', now - 9000),
    {
      type: 'elicitationRequested',
      requestId: 'e1',
      message: 'I need a few details, see https://example.com/deploy',
      ...(view ? { form: view } : {}),
    },
  ];
};

const page =
  (url: string): Scene =>
  (now) => [
    ...opened(now - 9000),
    prompt('Deploy the shop.', now - 9000),
    { type: 'elicitationRequested', requestId: 'e2', message: 'Please allow the deployment.', url },
  ];

const forms: Scene = (now) => [
  ...form(now),
  { type: 'elicitationAnswered', requestId: 'e1', action: 'accept' },
  { type: 'elicitationRequested', requestId: 'e3', message: 'Which colour?' },
  { type: 'elicitationAnswered', requestId: 'e3', action: 'decline' },
  {
    type: 'elicitationRequested',
    requestId: 'e4',
    message: 'Please allow the deployment.',
    url: 'https://id.example.com/allow',
  },
  { type: 'elicitationAnswered', requestId: 'e4', action: 'accept' },
];

const compactions = (at: number): SessionAction[] => [
  update(
    {
      kind: 'compaction',
      compactionId: 'c1',
      status: 'completed',
      summary: [text('**Goal:** move the checkout.\n\n- routes are done\n- tests are open')],
    },
    at,
  ),
  update({ kind: 'compaction', compactionId: 'c2', status: 'failed', error: 'The model was busy.' }, at),
  update({ kind: 'compaction', compactionId: 'c3', status: 'cancelled' }, at),
  update({ kind: 'compaction', compactionId: 'c4', status: 'postponed' }, at),
];

const turnEnds: Scene = (now) => [
  ...opened(now - 9000),
  prompt('Delete the production database.', now - 9000, {
    type: 'link',
    uri: 'file:///home/ada/shop/db.sql',
    name: 'db.sql',
  }),
  say('I will not do that.', now - 8900),
  end('refusal', 1, now - 8800),
  ...compactions(now - 8000),
  update({ kind: 'notice', severity: 'celebration', title: 'Your plan was renewed.' }, now - 8000),
  prompt(
    'Explain these lines.',
    now - 7000,
    { type: 'resource', uri: 'file:///home/ada/shop/src/date.ts#L18-22', text: 'export function x() {}' },
    { type: 'image', mimeType: 'image/png', data: PIXEL },
    { type: 'audio', mimeType: 'audio/wav' },
  ),
  update({ kind: 'chunk', role: 'agent', block: { ...text('Raw notes'), hidden: true } }, now - 6500),
  say('They make the first day of the month, and', now - 6000),
  end('max_tokens', 2, now - 5000),
  update({ kind: 'compaction', compactionId: 'c5', status: 'in_progress' }, now - 4000),
];

/** Scenes of the queue, of forms, and of the ends of turns. */
export const turnScenes: Readonly<Record<string, Scene>> = {
  queue,
  queuePaused,
  form,
  forms,
  page: page('https://id.example.com/allow?request=8f2c&scope=deploy%20read'),
  oddPage: page('https://accounts.example.com@xn--exmple-cua.com:8443/allow'),
  plainPage: page('http://example.com/allow'),
  turnEnds,
};
