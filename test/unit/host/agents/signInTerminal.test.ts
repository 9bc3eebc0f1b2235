import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { LaunchPlan, resolveLine } from '../../../../src/acp/agentProcess';
import type { AuthMethod } from '../../../../src/core/agents/introduction';
import type * as Source from '../../../../src/host/agents/signInTerminal';
import { withEditor } from '../../../support/withEditor';

type Options = Readonly<Record<string, unknown>>;

class ThemeIcon {
  constructor(readonly id: string) {}
}

/** A VS Code whose terminals end at once with 0. */
class Editor {
  /** What the person presses in a question. */
  answer: string | undefined;
  questions: { detail: string; modal: boolean }[] = [];
  terminals: Options[] = [];
  readonly ThemeIcon = ThemeIcon;
  readonly l10n = { t: (text: string) => text };
  private closed: (terminal: unknown) => void = () => undefined;

  readonly window = {
    showWarningMessage: (_text: string, { modal, detail }: { modal: boolean; detail: string }) => {
      this.questions.push({ detail, modal });
      return Promise.resolve(this.answer);
    },
    createTerminal: (options: Options) => {
      this.terminals.push(options);
      const terminal = { exitStatus: { code: 0 }, show: () => this.closed(terminal) };
      return terminal;
    },
    onDidCloseTerminal: (listener: (terminal: unknown) => void) => {
      this.closed = listener;
      return { dispose: () => undefined };
    },
  };
}

describe('the terminal of a sign-in', () => {
  const editor = new Editor();
  const { signInInTerminal } = withEditor(
    editor,
    () => createRequire(__filename)('../../../../src/host/agents/signInTerminal') as typeof Source,
  );
  beforeEach(() => Object.assign(editor, { answer: undefined, questions: [], terminals: [] }));

  const own = { command: '/opt/agent', args: ['login', 'two words'], env: { FAST: 'yes' } };
  const run = (method: Partial<AuthMethod>): Promise<number | undefined> => {
    const plan: LaunchPlan = {
      command: 'agent',
      args: ['--acp'],
      env: { A: '1' },
      cwd: '/w',
      shell: false,
      startTimeout: 1_000,
    };
    const asItIs: typeof resolveLine = ({ command, args, env }) =>
      Promise.resolve({ file: command, args: [...args], env });
    return signInInTerminal(plan, { id: 'm', name: 'Log in', type: 'terminal', ...method }, asItIs);
  };
  const launched = (): unknown[] =>
    editor.terminals.map(({ shellPath, shellArgs, env }) => [shellPath, shellArgs, env]);

  it('AU-6 AU-7 runs the agent’s own program without a question', async () => {
    assert.equal(await run({ args: ['login'], env: { B: '2' } }), 0);
    assert.deepEqual(editor.questions, []);
    assert.deepEqual(launched(), [['agent', ['--acp', 'login'], { A: '1', B: '2' }]]);
  });

  it('AU-13 shows all of a command that the agent named, and runs it once the person agreed', async () => {
    editor.answer = 'Run';
    assert.equal(await run(own), 0);
    assert.deepEqual(editor.questions, [{ detail: '/opt/agent login "two words"\nFAST=yes', modal: true }]);
    assert.deepEqual(launched(), [['/opt/agent', ['login', 'two words'], { A: '1', FAST: 'yes' }]]);
  });

  it('AU-13 runs nothing where the person did not agree, and hides no character of the command', async () => {
    assert.equal(await run({ ...own, args: ['\u202egnp'] }), undefined);
    assert.deepEqual(editor.terminals, []);
    assert.match(editor.questions[0]?.detail ?? '', /\\u\{202E\}gnp/);
  });
});
