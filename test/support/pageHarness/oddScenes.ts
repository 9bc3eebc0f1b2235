import { readForm } from '../../../src/core/elicitation/form';
import type { SessionAction } from '../../../src/core/session/actions';
import { NO_ABILITIES } from '../../../src/core/session/state';
import { fileDiff } from './questionScenes';
import { opened, part, prompt, say, text, tool, update } from './sceneParts';
import type { Scene } from './scenes';

const LONG = 'Verschlimmbesserung'.repeat(12);
const ODD: readonly string[] = [
  LONG,
  `/home/ada/${'deep-folder-'.repeat(20)}/file.ts`,
  `https://example.com/${'path'.repeat(60)}?q=${'x'.repeat(80)}`,
  '請修復這個測試並解釋原因'.repeat(12),
  'الاختبار يفشل لأن المنطقة الزمنية مختلفة (UTC) في `formatDay`، انظر src/date.ts:12',
  'בדיקה של טקסט מימין לשמאל with English inside, 123',
  '👩‍👩‍👧‍👦🏳️‍🌈👩🏽‍💻🇩🇪'.repeat(20),
  `Z\u0351\u036B\u0343\u036A\u0302a\u0321\u034A\u0360l\u0348\u0335g\u0321\u031Co ${'e\u0301'.repeat(120)}`,
];

/** One text of each odd kind in every field that an agent controls. */
const odd: Scene = (now) => [
  ...opened(now),
  update({ kind: 'info', title: LONG }, now),
  ...ODD.flatMap((value, i): SessionAction[] => [
    prompt(now, text(value), { type: 'link', uri: 'https://example.com/x', name: value }),
    say(value, now, 'thought'),
    say(
      `${value}\n\n# ${value}\n\n- ${value}\n\n> ${value}\n\n| ${value} | b |\n|---|---|\n| c | ${value} |\n\n` +
        `\`${value.replaceAll('`', '')}\` [${value}](https://example.com)\n\n\`\`\`${value.slice(0, 20)}\n${value}\n\`\`\``,
      now,
    ),
    tool(
      `edit${i}`,
      { title: value, toolKind: 'edit', status: 'completed', content: [fileDiff(value, 1)] },
      now,
    ),
    tool(
      `other${i}`,
      {
        title: value,
        toolKind: 'other',
        status: 'failed',
        content: [part(text(value)), part({ type: 'unknown', name: value })],
        locations: [{ path: value, line: 1_234_567 }],
        rawInput: value,
      },
      now,
    ),
    { type: 'terminalStarted', terminalId: `t${i}`, command: value, cwd: '/', at: now },
    { type: 'terminalScreen', terminalId: `t${i}`, from: 0, hiddenLines: 3, lines: [[{ text: value }]] },
    tool(
      `run${i}`,
      {
        title: 'x',
        toolKind: 'execute',
        status: 'completed',
        content: [{ type: 'terminal', terminalId: `t${i}` }],
      },
      now,
    ),
    { type: 'noticeShown', severity: 'warning', title: value, description: value, folder: value },
    update({ kind: 'compaction', compactionId: `c${i}`, status: 'failed', error: value }, now),
    { type: 'elicitationRequested', requestId: `d${i}`, message: value },
    { type: 'elicitationAnswered', requestId: `d${i}`, action: 'decline' },
    { type: 'turnEnded', turn: i + 1, stopReason: value, at: now, taskComplete: value },
  ]),
  prompt(now, text(LONG)),
  { type: 'turnFailed', turn: ODD.length + 1, at: now, error: { message: LONG, code: 1, detail: LONG } },
];

/** The questions and docks of `odd`: one text in every field of them. */
const oddDocks =
  (value: string): Scene =>
  (now) => {
    const view = readForm({
      title: value,
      description: value,
      required: ['a'],
      properties: {
        a: { type: 'string', title: value, description: value, oneOf: [{ const: 'x', title: value }] },
        b: { type: 'array', title: value, items: { enum: [value] } },
        c: { type: 'boolean', title: value, description: value },
      },
    });
    const name = `src/${value.replaceAll('/', '-')}`;
    const files = [
      { path: `/home/${name}`, name, change: 'added' as const, added: 98_765, removed: 123_456 },
    ];
    return [
      ...opened(now),
      { type: 'agentIntroduced', title: value, authMethods: [], abilities: NO_ABILITIES },
      update({ kind: 'info', title: value }, now),
      prompt(now, text(value)),
      { type: 'elicitationRequested', requestId: 'e1', message: value, ...(view ? { form: view } : {}) },
      {
        type: 'permissionRequested',
        requestId: 'p1',
        at: now,
        cwd: `/home/${value}`,
        patch: { toolCallId: 'c', title: value, command: value, toolKind: 'execute', rawInput: value },
        options: [{ optionId: 'once', name: value, kind: 'allow_once' }],
        offer: [{ effect: 'allow', command: value }],
      },
      update({ kind: 'plan', items: [{ content: value, priority: 'high', status: 'in_progress' }] }, now),
      {
        type: 'changesShown',
        changes: structuredClone({ turn: { number: 1, files, undone: false }, session: files }),
      },
      { type: 'queueChanged', queue: { paused: true, items: [{ id: 'q1', text: value, attachments: [] }] } },
      {
        type: 'configChanged',
        config: [
          {
            id: 'mode',
            name: value,
            category: 'mode',
            type: 'select',
            value: 'a',
            legacyMode: false,
            choices: [{ value: 'a', name: value, description: value }],
          },
          { id: 'switch', name: value, type: 'boolean', value: true },
        ],
      },
      {
        type: 'bannerShown',
        banner: { severity: 'error', message: value, detail: value, actions: ['restart'] },
      },
    ];
  };

/** Scenes with odd text in every field that an agent controls. */
export const oddScenes: Readonly<Record<string, Scene>> = {
  odd,
  ...Object.fromEntries(ODD.map((value, index) => [`oddDocks${index}`, oddDocks(value)])),
};

/** How many kinds of odd text there are: the scenes `oddDocks0` and so on. */
export const ODD_TEXTS = ODD.length;
