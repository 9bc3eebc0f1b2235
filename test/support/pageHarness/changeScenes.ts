import type { ChangedFileView, ChangesView } from '../../../src/core/review/changes';
import type { SessionAction } from '../../../src/core/session/actions';
import { NO_ABILITIES } from '../../../src/core/session/state';
import type { Scene } from './scenes';

const root = '/home/ada/shop';
const file = (
  name: string,
  change: ChangedFileView['change'],
  lines: [added: number, removed: number],
  more: Pick<ChangedFileView, 'special' | 'shared'> = {},
): ChangedFileView => ({
  path: `${root}/${name}`,
  name,
  change,
  added: lines[0],
  removed: lines[1],
  ...more,
});

const ofTurn: ChangedFileView[] = [
  file('src/date.ts', 'modified', [12, 4]),
  file('packages/checkout/src/components/payment/PaymentMethodSelector.tsx', 'added', [118, 0]),
  file('src/legacy/tz.ts', 'deleted', [0, 57]),
];
const earlier: ChangedFileView[] = [
  file('README.md', 'modified', [1, 1], { shared: true }),
  file('media/logo.png', 'modified', [0, 0], { special: 'binary' }),
  file('data/old.csv', 'modified', [3, 0], { special: 'unknown' }),
];

/** Copies: what the state holds must not be shared. */
const shown = (changes: ChangesView): SessionAction => ({
  type: 'changesShown',
  changes: structuredClone(changes),
});

/** The end of a first turn. */
const firstTurn: Scene = (now) => [
  { type: 'connectionChanged', status: 'ready', at: now },
  { type: 'agentIntroduced', title: 'Copilot', authMethods: [], abilities: NO_ABILITIES },
  { type: 'sessionOpened', sessionId: 's1', cwd: root, config: [], fresh: true },
  { type: 'promptSubmitted', blocks: [{ type: 'text', text: 'Make dates use UTC.' }], at: now - 60_000 },
  {
    type: 'update',
    at: now,
    update: { kind: 'chunk', role: 'agent', block: { type: 'text', text: 'All dates are in UTC now.' } },
  },
  { type: 'turnEnded', turn: 1, stopReason: 'end_turn', at: now },
];

/** Files of one turn, and earlier ones of the session: every kind of row. */
const changes: Scene = (now) => [
  ...firstTurn(now),
  shown({ turn: { number: 1, files: ofTurn, undone: false }, session: [...ofTurn, ...earlier] }),
];

const changesOfTurn: Scene = (now) => [
  ...firstTurn(now),
  shown({ turn: { number: 1, files: ofTurn, undone: false }, session: ofTurn }),
];

const changesUndone: Scene = (now) => [
  ...firstTurn(now),
  shown({ turn: { number: 1, files: ofTurn, undone: true }, session: [] }),
];

/** Names that could mislead or do not fit. */
const oddChanges: Scene = (now) => {
  const files = [
    file('src/evil\u202Egpj.ts', 'added', [1, 0]),
    file('docs/\u05E9\u05DC\u05D5\u05DD/\u05E2\u05D5\u05DC\u05DD.md', 'modified', [2, 2]),
    file(`src/two\nlines.ts`, 'modified', [1, 1]),
    file('文档/设计/支付方式选择器.md', 'modified', [20, 3], { shared: true }),
    file(`a/${'VeryLongNameOfAFile'.repeat(4)}.generated.snapshot.ts`, 'modified', [98_765, 123_456]),
  ];
  return [...firstTurn(now), shown({ turn: { number: 1, files, undone: false }, session: files })];
};

/** As many changed files as a person never wants to see in a list. */
const manyChanges: Scene = (now) => {
  const files = Array.from({ length: 2000 }, (_, i) =>
    file(`src/generated/model${i}/schema.ts`, 'modified', [i % 7, i % 3]),
  );
  return [...firstTurn(now), shown({ turn: { number: 1, files, undone: false }, session: files })];
};

/** Scenes of the list of changed files. */
export const changeScenes: Readonly<Record<string, Scene>> = {
  changes,
  changesOfTurn,
  changesUndone,
  oddChanges,
  manyChanges,
};
