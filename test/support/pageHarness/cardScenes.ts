import { lineDiff } from '../../../src/core/diff/lineDiff';
import type { SessionAction, ToolPatch } from '../../../src/core/session/actions';
import { NO_ABILITIES, type BlockView, type ToolContent } from '../../../src/core/session/state';
import type { Scene } from './scenes';
import { PIXEL } from './turnScenes';

const text = (value: string): BlockView => ({ type: 'text', text: value });
const block = (view: BlockView): ToolContent => ({ type: 'block', block: view });
const tool = (patch: ToolPatch, at: number): SessionAction => ({
  type: 'update',
  update: { kind: 'toolCall', patch },
  at,
});
const think = (value: string, at: number): SessionAction => ({
  type: 'update',
  update: { kind: 'chunk', role: 'thought', block: text(value) },
  at,
});
const prompt = (value: string, at: number): SessionAction => ({
  type: 'promptSubmitted',
  blocks: [text(value)],
  at,
});
const lines = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${of(index)}\n`).join('');
const diff = (path: string, before: string | null, after: string): ToolContent => ({
  type: 'diff',
  path,
  isNew: before === null,
  diff: lineDiff(before, after),
  ref: path,
});

const old = lines(40, (i) => `  line ${i + 1};`);
const changed = old.replace('  line 4;\n', '  line four;\n  and one more;\n').replace('  line 30;\n', '');
const read = (name: string, at: number, more: Partial<ToolPatch> = {}): SessionAction[] => {
  const path = `/home/ada/shop/src/${name}`;
  const patch = { toolCallId: `read ${name}`, title: `Read ${name}`, toolKind: 'read' };
  return [
    tool({ ...patch, status: 'in_progress' }, at),
    tool({ ...patch, status: 'completed', locations: [{ path }], ...more }, at + 40),
  ];
};

const options = [
  { optionId: 'yes', name: 'Allow once', kind: 'allow_once' as const },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' as const },
];
const ask = (requestId: string, patch: ToolPatch, at: number): SessionAction => ({
  type: 'permissionRequested',
  requestId,
  at,
  options,
  patch,
});

const done = (patch: ToolPatch, at: number, ms = 200): SessionAction[] => [
  tool({ ...patch, status: 'in_progress' }, at),
  tool({ ...patch, status: 'completed' }, at + ms),
];

/** What came of calls of every kind, in the order in which the agent sent it. */
const results = (t: number): SessionAction[] => [
  ...read('date.ts', t),
  ...read('tz.ts', t),
  ...read('index.ts', t, { content: [block(text('```ts\nexport {};\n```'))] }),
  ...done(
    {
      toolCallId: 'edit',
      title: 'Edit src/date.ts',
      toolKind: 'edit',
      content: [diff('/home/ada/shop/src/date.ts', old, changed)],
      locations: [{ path: '/home/ada/shop/src/date.ts', line: 4 }],
      rawInput: '{"path":"src/date.ts","old":"line 4","new":"line four"}',
      rawOutput: '"ok"',
    },
    t,
    3_400,
  ),
  ...done(
    {
      toolCallId: 'create',
      title: 'Write two files',
      toolKind: 'edit',
      content: [
        block(text('First the data, then the **reader**:')),
        diff(
          '/home/ada/shop/src/data.ts',
          null,
          lines(260, (i) => `export const day${i} = ${i};`),
        ),
        diff('/home/ada/shop/src/same.ts', 'same\n', 'same\n'),
        block(text('Both are there.')),
      ],
    },
    t,
  ),
  ...done(
    {
      toolCallId: 'shot',
      title: 'Take a screenshot of the page',
      toolKind: 'other',
      content: [
        block({ type: 'image', mimeType: 'image/png', data: PIXEL }),
        block({ type: 'image', mimeType: 'image/svg+xml', uri: 'https://example.com/a.svg' }),
        block({
          type: 'resource',
          uri: 'report://run/7/summary.json',
          mimeType: 'application/json',
          text: '{"ok":true}',
        }),
        block({ type: 'resource', uri: 'file:///home/ada/shop/log.txt', text: 'all is well' }),
        block({ type: 'resource', uri: 'blob://7/movie' }),
        block({ type: 'link', uri: 'https://example.com/run/7', name: 'Run 7', title: 'The run' }),
        block({ type: 'audio', mimeType: 'audio/wav' }),
        block({ type: 'unknown', name: 'hologram' }),
        block({ ...text('Only for the model.'), hidden: true }),
      ],
    },
    t,
    72_000,
  ),
  ...done(
    {
      toolCallId: 'fetch',
      title: 'https://example.com/a/long/address/of/a/page/that/does/not/fit',
      toolKind: 'fetch',
      content: [block(text(lines(80, (i) => `Paragraph ${i} of the page.\n`)))],
    },
    t,
  ),
  ...done(
    {
      toolCallId: 'big',
      title: 'Query the database',
      toolKind: 'other',
      content: [block(text(lines(120, (i) => `row ${i}: a value of some length\n`)))],
    },
    t,
  ),
  ...done(
    {
      toolCallId: 'move',
      title: 'Move a.ts to b.ts',
      toolKind: 'move',
      locations: [{ path: '/home/ada/shop/src/a.ts' }, { path: '/home/ada/shop/src/b.ts', line: 12 }],
    },
    t,
  ),
  ...done(
    {
      toolCallId: 'print',
      title: 'npm run print',
      toolKind: 'execute',
      content: [block(text(lines(40, (i) => `printed ${i}`)))],
    },
    t,
  ),
  ...done({ toolCallId: 'delete', title: 'Delete old.ts', toolKind: 'delete' }, t),
  ...done({ toolCallId: 'mode', title: 'Switch to plan mode', toolKind: 'switch_mode' }, t),
  tool(
    {
      toolCallId: 'failed',
      title: 'Read missing.ts',
      toolKind: 'read',
      status: 'failed',
      content: [block(text('ENOENT: no such file or directory'))],
      rawInput: `{"path":"${'x'.repeat(300)}"}`,
    },
    t,
  ),
];

const cards: Scene = (now) => {
  const t = now - 200_000;
  return [
    { type: 'agentsListed', agents: ['Built-in', 'Copilot'] },
    { type: 'connectionChanged', status: 'ready', at: t },
    { type: 'agentIntroduced', title: 'Copilot', authMethods: [], abilities: NO_ABILITIES },
    { type: 'sessionOpened', sessionId: 's1', cwd: '/home/ada/shop', config: [], fresh: true },
    prompt('Show me every kind of card.', t),
    think('What would be good to see?', t),
    think(' All of it.', t + 4_000),
    ...results(t + 5_000),
    ask(
      'p1',
      { toolCallId: 'no', title: 'rm -r build', command: 'rm -r build', toolKind: 'execute' },
      t + 90_000,
    ),
    { type: 'permissionAnswered', requestId: 'p1', optionId: 'no', at: t + 91_000 },
    { type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: t + 92_000, modelCalls: 7 },
    prompt('Now stop one.', t + 93_000),
    tool(
      { toolCallId: 'stopped', title: 'sleep 100', toolKind: 'execute', status: 'in_progress' },
      t + 94_000,
    ),
    { type: 'cancelRequested', at: t + 99_000 },
    { type: 'turnEnded', turn: 2, stopReason: 'cancelled', at: t + 99_500 },
    prompt('Now lose one.', t + 100_000),
    tool({ toolCallId: 'lost', title: 'sleep 200', toolKind: 'execute', status: 'in_progress' }, t + 101_000),
    { type: 'turnEnded', turn: 3, stopReason: 'end_turn', at: t + 105_000 },
    prompt('Now go on.', now - 9_000),
    think('On we go.', now - 8_000),
    tool({ toolCallId: 'later', title: 'Then build', toolKind: 'execute', status: 'pending' }, now - 7_000),
    tool(
      { toolCallId: 'running', title: 'Count the stars', toolKind: 'other', status: 'in_progress' },
      now - 6_500,
    ),
    ask('p2', { toolCallId: 'asked', title: 'git push', command: 'git push', toolKind: 'execute' }, now),
    {
      type: 'update',
      at: now,
      update: {
        kind: 'plan',
        items: [
          { content: 'Read `date.ts`', priority: 'high', status: 'completed' },
          { content: 'Count the stars', priority: 'high', status: 'in_progress' },
          { content: 'Push', priority: 'low', status: 'pending' },
        ],
      },
    },
  ];
};

/** Scenes of cards of tools. */
export const cardScenes: Readonly<Record<string, Scene>> = { cards };
