import type { SessionAction, ToolPatch } from '../../../src/core/session/actions';
import {
  NO_ABILITIES,
  type BlockView,
  type DiffLine,
  type PermissionOptionView,
  type ToolContent,
} from '../../../src/core/session/state';
import type { Scene } from './scenes';

const text = (value: string): BlockView => ({ type: 'text', text: value });

const options: PermissionOptionView[] = [
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/** A diff in which a line is changed in the middle of others, with a number of new lines. */
export function fileDiff(path: string, added: number): ToolContent {
  const lines: DiffLine[] = [
    { sign: ' ', text: 'export function formatDay(d: Date) {' },
    { sign: '-', text: '  return iso(d).slice(0, 10);' },
    ...Array.from({ length: added }, (_, i): DiffLine => ({
      sign: '+',
      text: `  const day${i} = startOfUtcDay(d);`,
    })),
    { sign: ' ', text: '}' },
  ];
  const hunks = [{ oldStart: 18, newStart: 18, lines }];
  return {
    type: 'diff',
    path,
    isNew: false,
    ref: `ref ${path}`,
    diff: { added, removed: 1, hunks, truncated: false },
  };
}

/** A permission request as the extension tells it to the page. */
export function request(
  requestId: string,
  patch: Partial<ToolPatch>,
  extra: Partial<Extract<SessionAction, { type: 'permissionRequested' }>> = {},
): SessionAction {
  return {
    type: 'permissionRequested',
    requestId,
    patch: { toolCallId: `call-${requestId}`, ...patch },
    options,
    at: 1,
    ...extra,
  };
}

const begun = (now: number): SessionAction[] => [
  { type: 'connectionChanged', status: 'ready', at: now },
  { type: 'agentIntroduced', title: 'Copilot', authMethods: [], abilities: NO_ABILITIES },
  { type: 'sessionOpened', sessionId: 's1', cwd: '/home/ada/shop', config: [], fresh: true },
  {
    type: 'promptSubmitted',
    blocks: [text('The date test fails on machines west of Greenwich. Find out why, and fix it.')],
    at: now - 9000,
  },
  {
    type: 'update',
    at: now - 8000,
    update: {
      kind: 'chunk',
      role: 'agent',
      block: text(
        `The test builds its expectation in local time.\n\n${'A line of what I found.\n\n'.repeat(20)}So I change \`formatDay\`.`,
      ),
    },
  },
];

const offer = [{ effect: 'allow', command: 'npm test' }] as const;

const test = request(
  'p2',
  { title: 'npm test -- date', command: 'npm test -- date', toolKind: 'execute' },
  { cwd: '/home/ada/shop/packages/date', offer: [...offer] },
);

const edit = request('p1', {
  title: 'Edit date.ts',
  toolKind: 'edit',
  content: [fileDiff('/home/ada/shop/src/date.ts', 2), fileDiff('/home/ada/shop/src/calendar/day.ts', 40)],
  rawInput: '{"path":"/home/ada/shop/src/date.ts"}',
});

const LONG =
  'for file in $(git ls-files "*.ts"); do npx prettier --check "$file" || echo "$file" >> /tmp/unformatted.txt; done && ' +
  'git commit -am "Fix day in UTC" && curl -sS https://example.com/hooks/deploy --data @/tmp/unformatted.txt && '.repeat(
    4,
  ) +
  'rm -rf build';

/** Scenes of permissions that wait. */
export const questionScenes: Readonly<Record<string, Scene>> = {
  calm: begun,
  editing: (now) => [...begun(now), edit],
  twoWaiting: (now) => [...begun(now), edit, test],
  longCommand: (now) => [...begun(now), request('p1', { title: LONG, command: LONG, toolKind: 'execute' })],
  always: (now) => [...begun(now), test],
  nothing: (now) => [...begun(now), request('p1', { title: 'mystery' })],
  refused: (now) => [
    ...begun(now),
    {
      type: 'noticeShown',
      severity: 'warning',
      title: 'Copilot was refused a file outside the folders of this session.',
      folder: '/home/ada/other',
    },
  ],
};
