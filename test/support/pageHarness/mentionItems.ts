import { workspaceItems, type MentionItem } from '../../../src/core/chat/mentions';

const folder = '/home/ada/shop';
const paths = [
  'README.md',
  'package.json',
  'src/date.ts',
  'src/date.test.ts',
  'src/calendar/day.ts',
  'src/calendar/very/deep/folders/of/a/generated/client/models/index.ts',
  'packages/checkout/src/components/payment/PaymentMethodSelectorWithAVeryLongName.tsx',
  'docs/\u65e5\u671f\u8bf4\u660e.md',
  'docs/evil\u202Egpj.ts',
  'docs/\u05E9\u05DC\u05D5\u05DD.md',
];

const symbol = (name: string, icon: string, place: string): MentionItem => ({
  kind: 'symbol',
  name,
  icon,
  place,
  path: `${folder}/src/date.ts`,
  line: 3,
  column: 17,
});
const symbols = [
  symbol('formatDate', 'symbol-function', 'src/date.ts'),
  symbol('DateRange', 'symbol-class', 'src/date.ts'),
  symbol('overlapsWithAnotherRangeOfTheSameCalendar', 'symbol-method', 'DateRange · src/date.ts'),
];

/** What the editor of the harness can mention. */
export const mentionItems: readonly MentionItem[] = [
  {
    kind: 'file',
    name: 'orders.ts',
    place: 'src/orders',
    path: `${folder}/src/orders/orders.ts`,
    open: true,
  },
  { kind: 'selection', name: 'Selection', place: 'orders.ts:3-9' },
  { kind: 'problems', name: 'Problems', place: '4' },
  { kind: 'terminal', name: 'Terminal output', place: 'npm test -- --grep dates' },
  { kind: 'changes', name: 'Git changes', place: '' },
  { kind: 'symbols', name: 'Symbols', place: '#' },
  ...workspaceItems(paths.map((path) => ({ folder, label: '', path }))),
  ...symbols,
];
