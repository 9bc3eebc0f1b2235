import type { Mutant } from '../mutant';

const permissions = 'test/unit/acp/cancelOrder.test.ts';
const elicitations = 'test/unit/host/elicitationBridge.test.ts';
const page = 'test/integration/page/questions.test.ts';

/** What the person is asked: permissions and elicitations. */
export const QUESTIONS: readonly Mutant[] = [
  {
    duty: 'CA-3',
    file: 'src/host/bridges/permissionBridge.ts',
    find: "if (!state || state.turn.status === 'cancelling' || signal.aborted) {",
    replace: 'if (!state || signal.aborted) {',
    test: permissions,
  },
  {
    duty: 'CA-3',
    file: 'src/host/session/turnRunner.ts',
    find: 'this.cancelled = turn;\n    this.options.cancelQuestions();',
    replace: 'this.cancelled = turn;',
    test: permissions,
  },
  {
    duty: 'PE-5',
    file: 'src/host/bridges/permissionBridge.ts',
    find: 'question.resolve(outcome);',
    replace: "if (outcome.outcome === 'selected') question.resolve(outcome);",
    test: permissions,
  },
  {
    duty: 'EL-2',
    file: 'src/webview/transcript/elicitationCard.tsx',
    find: 'visibleText(store.state.agent.title)',
    replace: "visibleText('')",
    test: page,
    grep: 'EL-2 .*decline: page',
  },
  {
    duty: 'EL-2',
    file: 'src/webview/transcript/elicitationCard.tsx',
    find: "onClick={() => act('cancel')}",
    replace: "onClick={() => act('decline')}",
    test: page,
    grep: 'EL-2 .*cancel: page',
  },
  {
    duty: 'EL-5',
    file: 'src/host/bridges/elicitationBridge.ts',
    find: "if (mode === 'form') {",
    replace: "if (mode !== 'url') {",
    test: elicitations,
  },
  {
    duty: 'EL-5',
    file: 'src/core/elicitation/form.ts',
    find: "filter((name): name is string => typeof name === 'string')",
    replace: 'filter((name): name is string => name === null)',
    test: 'test/unit/core/elicitation/form.test.ts',
  },
  {
    duty: 'EL-10',
    file: 'src/webview/transcript/elicitationForm.tsx',
    find: 'void answer(action, result.answers);',
    replace: 'void answer(action, {});',
    test: page,
  },
  {
    duty: 'EL-21',
    file: 'src/webview/transcript/elicitationUrl.tsx',
    find: '<strong dir="ltr">{host}</strong>',
    replace: '<strong dir="ltr"></strong>',
    test: page,
  },
  {
    duty: 'EL-22',
    file: 'src/webview/transcript/elicitationUrl.tsx',
    find: '{visibleText(after)}',
    replace: '',
    test: page,
  },
  {
    duty: 'EL-22',
    file: 'src/host/bridges/elicitationBridge.ts',
    find: 'this.questions.set(requestId, asked);',
    replace:
      "this.questions.set(requestId, asked); if ('url' in subject) void this.options.openExternal(subject.url);",
    test: elicitations,
  },
  {
    duty: 'EL-23',
    file: 'src/host/bridges/elicitationBridge.ts',
    find: 'opened = await options.openExternal(url);',
    replace: 'opened = true;',
    test: elicitations,
  },
  {
    duty: 'EL-26',
    file: 'src/host/bridges/elicitationBridge.ts',
    find: 'if (!isMeant || question.connection',
    replace: 'if (question.connection',
    test: elicitations,
  },
];
