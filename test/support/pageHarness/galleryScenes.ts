import { readForm } from '../../../src/core/elicitation/form';
import type { SessionAction } from '../../../src/core/session/actions';
import type { StyledRun } from '../../../src/core/session/state';
import { doneTurn, nudgedTurn } from './loopScenes';
import { fileDiff, request } from './questionScenes';
import { end, opened, part, prompt, say, text, tool, update } from './sceneParts';
import type { Scene } from './scenes';
import { formSchema, PIXEL } from './turnScenes';

const everyMarkdown = `# First heading

## Second heading

### Third heading

Text that is **bold**, *leaning*, ~~struck~~ and \`code\`, with [a file](src/date.ts:12), https://example.com/docs,
![a picture](data:image/png;base64,${PIXEL}) and ![one from elsewhere](https://example.com/a.png).

- one
  - inside
- [ ] open
- [x] done

3. three
4. four

> Quoted.
>
> > Quoted twice.

| left | middle | right |
|:---|:-:|---:|
| a | b | 1 |

---

\`\`\`ts
export function formatDay(d: Date): string { return iso(d).slice(0, 10); }
\`\`\`

    indented code

\`\`\`
no language
\`\`\`
`;

/** Every colour of a terminal, on the terminal's own background. */
const screen: StyledRun[][] = [
  [{ text: '$ npm test', dim: true }],
  Array.from({ length: 16 }, (_, i): StyledRun => ({ text: `c${i} `, fg: String(i) })),
  [
    { text: 'bold', bold: true },
    { text: ' leaning ', italic: true },
    { text: 'under', underline: true },
  ],
];

const everyTool = (t: number): SessionAction[] => [
  ...['date.ts', 'tz.ts', 'package.json'].map((name) =>
    tool(`read ${name}`, { title: `Read ${name}`, toolKind: 'read', status: 'completed' }, t),
  ),
  say('Now I change it.', t),
  tool(
    'edit',
    {
      title: 'Edit date.ts and tz.ts',
      toolKind: 'edit',
      status: 'completed',
      content: [fileDiff('/home/ada/shop/src/date.ts', 3), fileDiff('/home/ada/shop/src/tz.ts', 1)],
      rawInput: '{"path":"src/date.ts"}',
      rawOutput: 'ok',
    },
    t + 100,
  ),
  { type: 'terminalStarted', terminalId: 't1', command: 'npm test', cwd: '/home/ada/shop', at: t },
  { type: 'terminalScreen', terminalId: 't1', from: 0, hiddenLines: 0, lines: screen },
  { type: 'terminalExited', terminalId: 't1', code: 1, signal: null, at: t + 4000 },
  tool(
    'run',
    {
      title: 'npm test',
      toolKind: 'execute',
      status: 'failed',
      content: [{ type: 'terminal', terminalId: 't1' }],
    },
    t + 200,
  ),
  tool(
    'mixed',
    {
      title: 'Look at the page',
      toolKind: 'other',
      status: 'completed',
      locations: [{ path: '/home/ada/shop/src/date.ts', line: 4 }],
      content: [
        part(text('It **works**.\n\n- one\n\n```sh\nls\n```')),
        part({ type: 'image', mimeType: 'image/png', data: PIXEL }),
        part({ type: 'resource', uri: 'file:///home/ada/shop/a.md', text: 'a' }),
        part({ type: 'link', uri: 'https://example.com/docs', name: 'docs' }),
        part({ type: 'audio', mimeType: 'audio/wav' }),
        part({ type: 'unknown', name: 'hologram' }),
        part({ ...text('only for the agent'), hidden: true }),
      ],
    },
    t + 300,
  ),
  tool('out', { title: 'ls', toolKind: 'execute', status: 'completed', content: [part(text('a\nb'))] }, t),
  ...['delete', 'move', 'search', 'think', 'fetch', 'switch_mode'].map((toolKind) =>
    tool(toolKind, { title: `A call to ${toolKind}`, toolKind, status: 'failed' }, t + 400),
  ),
];

/** A first turn with all that an agent can send, and how turns end. */
const history = (t: number): SessionAction[] => [
  update({ kind: 'info', title: 'Flaky date test' }, t),
  update({ kind: 'usage', usage: { used: 164_000, size: 200_000 } }, t),
  prompt(
    t,
    text('Find out why the date test fails.'),
    { type: 'link', uri: 'file:///home/ada/shop/src/date.ts', name: 'date.ts' },
    { type: 'image', mimeType: 'image/png', data: PIXEL },
    { type: 'audio', mimeType: 'audio/wav' },
    { ...text('for the agent'), hidden: true },
  ),
  say('The test builds a local date.', t, 'thought'),
  say(everyMarkdown, t + 2000),
  ...everyTool(t + 3000),
  update({ kind: 'plan', items: [{ content: 'Fix `it`', priority: 'high', status: 'completed' }] }, t),
  end(1, 'end_turn', t + 5000),
  { type: 'noticeShown', severity: 'warning', title: 'An older model is used.', description: 'Quota' },
  { type: 'noticeShown', severity: 'warning', title: 'A file was refused.', folder: '/home/ada/other' },
  update({ kind: 'notice', severity: 'error', title: 'A server could not be reached.' }, t),
  update({ kind: 'compaction', compactionId: 'c1', status: 'completed', summary: [text('**Goal**')] }, t),
  update({ kind: 'compaction', compactionId: 'c2', status: 'failed', error: 'Busy.' }, t),
  prompt(t, text('Write malware')),
  end(2, 'refusal', t),
  prompt(t, text('Go on')),
  {
    type: 'turnFailed',
    turn: 3,
    at: t,
    error: { message: 'The model is overloaded.', code: -32603, detail: 'status 529' },
  },
  prompt(t, text('Again')),
  tool('cut', { title: 'sleep 100', toolKind: 'execute', status: 'in_progress' }, t),
  request('r1', { toolCallId: 'no', title: 'rm -rf build', toolKind: 'execute' }),
  { type: 'permissionAnswered', requestId: 'r1', optionId: 'reject', at: t },
  { type: 'cancelRequested', at: t },
  end(4, 'cancelled', t),
  prompt(t, text('Once more')),
  tool('lost', { title: 'A call that was interrupted', toolKind: 'other', status: 'in_progress' }, t),
  { type: 'agentLost', at: t },
  { type: 'connectionChanged', status: 'ready', at: t },
  prompt(t, text('Write a lot')),
  end(6, 'max_tokens', t),
];

/** What waits and runs now: the docks. */
const present = (now: number): SessionAction[] => {
  const view = readForm(formSchema);
  const file = { path: '/home/ada/shop/src/date.ts', name: 'src/date.ts', added: 12, removed: 4 };
  const files = [
    { ...file, change: 'modified' as const },
    { ...file, path: '/home/ada/shop/a.ts', name: 'a.ts', change: 'added' as const, shared: true as const },
    { ...file, path: '/home/ada/shop/b.ts', name: 'b.ts', change: 'deleted' as const },
  ];
  return [
    prompt(now - 9000, text('Deploy the shop.')),
    tool('pending', { title: 'A call that is pending', toolKind: 'other', status: 'pending' }, now - 5000),
    tool('running', { title: 'npm run build', toolKind: 'execute', status: 'in_progress' }, now - 5000),
    {
      type: 'elicitationRequested',
      requestId: 'e1',
      message: 'I need a few details.',
      ...(view ? { form: view } : {}),
    },
    {
      type: 'elicitationRequested',
      requestId: 'e2',
      message: 'Please allow the deployment.',
      url: 'http://accounts.example.com@xn--exmple-cua.com:8443/allow',
    },
    request(
      'p1',
      { title: 'git push', command: 'git push', toolKind: 'execute' },
      { cwd: '/home/ada/shop', offer: [{ effect: 'allow', command: 'git push' }] },
    ),
    update(
      {
        kind: 'plan',
        items: [
          { content: 'Reproduce the failure', priority: 'high', status: 'completed' },
          { content: 'Run the tests', priority: 'high', status: 'in_progress' },
          { content: 'Commit', priority: 'low', status: 'pending' },
        ],
      },
      now,
    ),
    {
      type: 'changesShown',
      changes: structuredClone({ turn: { number: 9, files, undone: false }, session: files }),
    },
    {
      type: 'queueChanged',
      queue: {
        paused: false,
        items: [
          { id: 'q1', text: 'Then run the tests', attachments: [] },
          {
            id: 'q2',
            text: 'Write the change log',
            attachments: [{ kind: 'file', path: '/home/ada/shop/CHANGELOG.md', name: 'CHANGELOG.md' }],
          },
        ],
      },
    },
  ];
};

/** Every kind of entry, each status of a call, and all the docks. */
const gallery: Scene = (now) => [
  ...opened(now),
  ...history(now - 60_000),
  ...doneTurn(7, now - 50_000),
  ...nudgedTurn(8, now - 30_000),
  ...present(now),
];

/** Every kind of entry, with nothing that waits. */
const past: Scene = (now) => [...opened(now), ...history(now - 60_000)];

/** Scenes that hold all there is to draw. */
export const galleryScenes: Readonly<Record<string, Scene>> = { gallery, past };
