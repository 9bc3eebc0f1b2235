import type { SessionAction, ToolPatch } from '../../../src/core/session/actions';
import {
  NO_ABILITIES,
  type BlockView,
  type StyledRun,
  type ToolContent,
} from '../../../src/core/session/state';
import { cardScenes } from './cardScenes';
import { changeScenes } from './changeScenes';
import { builtInConfig, configOf } from './config';
import { galleryScenes } from './galleryScenes';
import { habitScenes } from './habitScenes';
import { oddScenes } from './oddScenes';
import { questionScenes } from './questionScenes';
import { markdownScenes } from './markdownScenes';
import { loopScenes } from './loopScenes';
import { text, update } from './sceneParts';
import { startScenes } from './startScenes';
import { turnScenes } from './turnScenes';

/** A scene: what happened to an empty session of the agent of `agentOf` until `now` (ms since the epoch). */
export type Scene = (now: number) => SessionAction[];

const chunk = (role: 'user' | 'agent' | 'thought', value: string, at: number): SessionAction =>
  update({ kind: 'chunk', role, block: text(value) }, at);
const tool = (patch: ToolPatch, at: number): SessionAction => update({ kind: 'toolCall', patch }, at);
const end = (stopReason: string, at: number, turn = 1): SessionAction => ({
  type: 'turnEnded',
  turn,
  stopReason,
  at,
  modelCalls: 7,
});
const prompt = (blocks: BlockView[], at: number): SessionAction => ({ type: 'promptSubmitted', blocks, at });
const run = (value: string, fg?: string, dim?: boolean): StyledRun => ({
  text: value,
  ...(fg ? { fg } : {}),
  ...(dim ? { dim } : {}),
});

const connected = (now: number, agent = 'Copilot'): SessionAction[] => [
  { type: 'agentsListed', agents: ['Built-in', 'Copilot'] },
  { type: 'connectionChanged', status: 'ready', at: now },
  { type: 'agentIntroduced', title: agent, authMethods: [], abilities: { ...NO_ABILITIES, logout: true } },
  { type: 'sessionOpened', sessionId: 's1', cwd: '/home/ada/shop', config: configOf(agent), fresh: true },
  {
    type: 'update',
    at: now,
    update: {
      kind: 'commands',
      commands: [
        { name: 'tour', description: 'Shows what the agent can do' },
        { name: 'test', description: 'Runs the tests', hint: 'name of a test' },
        { name: 'compact', description: 'Makes the context shorter' },
      ],
    },
  },
];

const diff: ToolContent = {
  type: 'diff',
  path: '/home/ada/shop/src/date.ts',
  isNew: false,
  ref: 'd1',
  diff: {
    added: 2,
    removed: 1,
    truncated: false,
    hunks: [
      {
        oldStart: 18,
        newStart: 18,
        lines: [
          { sign: ' ', text: 'export function formatDay(d: Date) {' },
          { sign: '-', text: '  return iso(d).slice(0, 10);' },
          { sign: '+', text: '  const day = startOfUtcDay(d);' },
          { sign: '+', text: '  return iso(day).slice(0, 10);' },
          { sign: ' ', text: '}' },
        ],
      },
    ],
  },
};

const options = [
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' as const },
  { optionId: 'always', name: 'Always allow git commit in this workspace', kind: 'allow_always' as const },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' as const },
];

const turn: Scene = (now) => {
  const t = now - 72_000;
  const read = (name: string, at: number): SessionAction =>
    tool(
      {
        toolCallId: `read-${name}`,
        title: `Read ${name}`,
        toolKind: 'read',
        status: 'completed',
        locations: [{ path: `/home/ada/shop/src/${name}`, line: 12 }],
        content: [{ type: 'block', block: text('```ts\nexport const x = 1;\n```') }],
      },
      at,
    );
  return [
    ...connected(t),
    { type: 'update', update: { kind: 'info', title: 'Flaky date test' }, at: t },
    { type: 'update', update: { kind: 'usage', usage: { used: 74_000, size: 200_000 } }, at: t },
    prompt(
      [
        text('The date test fails on machines west of Greenwich. Find out why, fix it, and run the tests.'),
        { type: 'link', uri: 'file:///home/ada/shop/src/date.test.ts#L12-L40', name: 'date.test.ts:12–40' },
      ],
      t,
    ),
    chunk('thought', 'The test builds a local date', t + 1000),
    chunk('thought', ' while the code is in UTC.', t + 5000),
    chunk(
      'agent',
      'The test builds its expectation with `new Date(2024, 0, 1)`, which is local time, while `formatDay` works in UTC.',
      t + 6000,
    ),
    read('date.ts', t + 7000),
    read('date.test.ts', t + 7100),
    read('tz.ts', t + 7200),
    read('package.json', t + 7300),
    tool(
      { toolCallId: 'edit', title: 'src/date.ts', toolKind: 'edit', status: 'completed', content: [diff] },
      t + 20_000,
    ),
    {
      type: 'terminalStarted',
      terminalId: 't1',
      command: 'npm test -- date',
      cwd: '/home/ada/shop',
      at: now - 12_400,
    },
    {
      type: 'terminalScreen',
      terminalId: 't1',
      from: 0,
      hiddenLines: 0,
      lines: [
        [run('$ vitest run date', undefined, true)],
        [run('✓', '2'), run(' formats the first day of a year')],
        [run('✓', '2'), run(' keeps the day west of Greenwich')],
        [run('…', '3'), run(' daylight saving  '), run('37/120', undefined, true)],
      ],
    },
    tool(
      {
        toolCallId: 'run',
        title: 'npm test -- date',
        command: 'npm test -- date',
        toolKind: 'execute',
        status: 'in_progress',
        content: [{ type: 'terminal', terminalId: 't1' }],
      },
      now - 12_400,
    ),
    {
      type: 'update',
      at: now,
      update: {
        kind: 'plan',
        items: [
          { content: 'Reproduce the failure', priority: 'high', status: 'completed' },
          { content: 'Make formatDay use UTC', priority: 'high', status: 'completed' },
          { content: 'Run the tests', priority: 'high', status: 'in_progress' },
          { content: 'Commit', priority: 'low', status: 'pending' },
        ],
      },
    },
    {
      type: 'permissionRequested',
      requestId: 'p1',
      at: now,
      options,
      patch: {
        toolCallId: 'commit',
        title: 'git commit -am "Fix day in UTC"',
        command: 'git commit -am "Fix day in UTC"',
        toolKind: 'execute',
        rawInput: '{"command":"git commit -am \\"Fix day in UTC\\""}',
      },
    },
  ];
};

const markdown = `## What I found

The build has **three** parts, see [the build file](.esbuild.mjs:12) and https://example.com/docs.

1. The extension
   - core
   - host
2. The page

| part | size | time |
|---|---:|:-:|
| extension | 120 KB | 80 ms |
| page | 72 KB | 35 ms |

\`\`\`ts
export function build(options: BuildOptions): Promise<void> {
  return esbuild.build({ bundle: true, ...options, entryPoints: ['src/extension.ts', 'src/webview/main.tsx'] });
}
\`\`\`

> Quoted: nothing else is shipped.

Done.`;

const failures: Scene = (now) => {
  const t = now - 60_000;
  return [
    ...connected(t),
    prompt([text('Run the linter')], t),
    tool(
      {
        toolCallId: 'a',
        title:
          'Read /home/ada/shop/packages/checkout/src/components/payment/very-long-directory-name/PaymentMethodSelector.tsx',
        toolKind: 'read',
        status: 'failed',
        content: [{ type: 'block', block: text('ENOENT: no such file or directory') }],
        locations: [{ path: '/home/ada/shop/packages/checkout/PaymentMethodSelector.tsx', line: 4 }],
        rawInput: '{"path":"x"}',
      },
      t + 100,
    ),
    { type: 'terminalStarted', terminalId: 't2', command: 'npm run lint', cwd: '/', at: t + 2000 },
    {
      type: 'terminalScreen',
      terminalId: 't2',
      from: 0,
      hiddenLines: 0,
      lines: Array.from({ length: 30 }, (_, i) => [
        run(`src/file${i}.ts:${i} `),
        run('error', '1'),
        run(' no-unused-vars'),
      ]),
    },
    { type: 'terminalExited', terminalId: 't2', code: 1, signal: null, at: t + 9000 },
    tool(
      {
        toolCallId: 'b',
        title: 'npm run lint',
        command: 'npm run lint',
        toolKind: 'execute',
        status: 'failed',
        content: [{ type: 'terminal', terminalId: 't2' }],
      },
      t + 9000,
    ),
    {
      type: 'turnFailed',
      turn: 1,
      at: t + 10_000,
      error: { message: 'The model is overloaded.', code: -32603, detail: 'status 529\nrequest 8f3a' },
    },
    prompt([text('Try again')], t + 20_000),
    tool({ toolCallId: 'c', title: 'sleep 100', toolKind: 'execute', status: 'in_progress' }, t + 21_000),
    { type: 'cancelRequested', at: t + 24_000 },
    end('cancelled', t + 25_000, 2),
    prompt([text('Write malware')], t + 30_000),
    end('refusal', t + 31_000, 3),
    prompt([text('Explain the build')], t + 32_000),
    chunk('agent', markdown, t + 33_000),
    { type: 'turnEnded', turn: 4, stopReason: 'end_turn', at: t + 45_000, modelCalls: 3 },
    {
      type: 'noticeShown',
      severity: 'warning',
      title: 'The agent has gone back to an older model.',
      description: 'Quota',
    },
    prompt([text('Finish')], t + 46_000),
    {
      type: 'turnEnded',
      turn: 5,
      stopReason: 'end_turn',
      at: t + 47_000,
      modelCalls: 1,
      taskComplete: 'All tests pass.',
    },
  ];
};

const languages: Scene = (now) => [
  ...connected(now - 9000),
  prompt([text('日期测试在格林威治以西的机器上失败。请找出原因并修复。')], now - 9000),
  chunk(
    'agent',
    '测试使用**本地时间**构造期望值，而 `formatDay` 使用 UTC。\n\n- 第一步：重现问题\n- 第二步：修复',
    now - 8000,
  ),
  end('max_tokens', now - 7000),
  prompt([text('مرحبا، لماذا يفشل الاختبار؟')], now - 6000),
  chunk(
    'agent',
    'الاختبار يستخدم **الوقت المحلي** بينما `formatDay` يعمل بتوقيت UTC.\n\n1. أعد إنتاج الخطأ\n2. أصلحه',
    now - 5000,
  ),
  {
    type: 'permissionRequested',
    requestId: 'p2',
    at: now,
    options,
    patch: {
      toolCallId: 'x',
      title: 'Edit src/a\u202Etxt.exe',
      toolKind: 'edit',
      content: [diff],
      locations: [{ path: 'src/a\u202Etxt.exe', line: 3 }],
    },
  },
];

/** The agent whose session a scene shows. */
export const agentOf = (scene: string): string => (scene.startsWith('empty') ? 'Built-in' : 'Copilot');

/** The scene of a session that is switched to from the first. */
export const sceneOfSession = (scene: string, key: string): string =>
  key === 'k1' ? scene : key === 'k3' ? 'turn' : 'ready';

const sessions: Scene = (now) => [
  ...connected(now),
  { type: 'update', update: { kind: 'info', title: 'Flaky date test' }, at: now },
  prompt([text('The date test fails on machines west of Greenwich.')], now),
  chunk('agent', 'It passes now.', now),
  end('end_turn', now),
];

/** The scenes by name. */
export const scenes: Readonly<Record<string, Scene>> = {
  turn,
  failures,
  languages,
  sessions,
  manySessions: sessions,
  noSessions: sessions,
  ...loopScenes,
  ...turnScenes,
  ...cardScenes,
  ...markdownScenes,
  ...questionScenes,
  ...changeScenes,
  ...galleryScenes,
  ...oddScenes,
  ...habitScenes,
  ...Object.fromEntries(
    ['empty', ...startScenes].map((name) => [name, (now: number) => connected(now, 'Built-in')]),
  ),
  emptyChosen: (now) => [
    ...connected(now, 'Built-in'),
    { type: 'configChanged', config: builtInConfig('model-0') },
  ],
  stopped: (now) => [...connected(now), { type: 'connectionChanged', status: 'exited', at: now }],
  ready: (now) => [...connected(now), { type: 'connectionChanged', status: 'ready', at: now }],
  connecting: (now) => [{ type: 'connectionChanged', status: 'connecting', at: now - 7000 }],
  slowStart: (now) => [{ type: 'connectionChanged', status: 'connecting', at: now - 42_000 }],
  signIn: (now) => [
    { type: 'connectionChanged', status: 'auth', at: now },
    {
      type: 'agentIntroduced',
      title: 'GitHub Copilot',
      authMethods: [
        { id: 'browser', name: 'Sign in with the browser', description: 'Opens github.com', type: 'agent' },
        { id: 'device', name: 'Sign in with a device code', type: 'terminal' },
        { id: 'key', name: 'Use an API key', type: 'unknown', variables: ['TEA_API_KEY', 'TEA_ORG'] },
        { id: 'card', name: 'Use a card', type: 'unknown' },
      ],
      abilities: NO_ABILITIES,
    },
  ],
  exited: (now) => [
    ...turn(now),
    { type: 'agentLost', at: now },
    { type: 'connectionChanged', status: 'exited', at: now },
    {
      type: 'bannerShown',
      banner: {
        severity: 'error',
        message: 'Copilot stopped unexpectedly (exit code 137).',
        detail: 'FATAL ERROR: Reached heap limit\n    at node::Abort()',
        actions: ['restart', 'showLog', 'openSettings'],
      },
    },
  ],
  long: (now) => [
    ...connected(now),
    ...Array.from({ length: 1000 }, (_, i): SessionAction[] => [
      prompt([text(`Question ${i}`)], now),
      chunk('thought', 'Thinking about it.', now),
      chunk('agent', `Answer **${i}** with \`code\`.\n\n- one\n- two`, now),
      tool({ toolCallId: `t${i}`, title: `Read file${i}.ts`, toolKind: 'read', status: 'completed' }, now),
      end('end_turn', now, i + 1),
    ]).flat(),
  ],
};
