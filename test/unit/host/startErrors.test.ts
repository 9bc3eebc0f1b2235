import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { ShellProblem } from '../../../src/core/launch/environment';
import type * as startErrors from '../../../src/host/startErrors';
import type { StartFailure } from '../../../src/host/startErrors';
import { withEditor } from '../../support/withEditor';

const path = '../../../src/host/startErrors';
const t = (text: string, ...args: unknown[]): string =>
  text.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)]));

describe('what a person is told of a start that failed', () => {
  let source: typeof startErrors;
  // Another test may have loaded it with an editor of its own.
  const load = createRequire(__filename);
  const forget = (): boolean => Reflect.deleteProperty(load.cache, load.resolve(path));
  before(() => {
    forget();
    source = withEditor({ l10n: { t } }, () => load(path) as typeof startErrors);
  });
  after(forget);

  const late: ShellProblem = { cause: 'late', seconds: 10 };
  const missing = { reason: 'commandNotFound', command: 'gemini' } as const;
  const cases: [title: string, failure: StartFailure, ...parts: RegExp[]][] = [
    [
      'whose PATH was searched',
      { ...missing, origin: { source: 'shell', shell: '/bin/zsh', ms: 3 } },
      /"gemini" was not found on the PATH of \/bin\/zsh\./,
      /Install it/,
      /reload the window/,
    ],
    [
      'why it was not that of the shell',
      { ...missing, origin: { source: 'editor', shell: '/bin/zsh', problem: late } },
      /on the PATH of the editor, which is used since \/bin\/zsh did not answer within 10 seconds\./,
      /full path/,
    ],
    [
      'that it was the editor’s',
      { ...missing, origin: { source: 'editor' } },
      /PATH of the editor\. Install it/,
    ],
    [
      'that a path leads nowhere',
      { ...missing, command: '/x/gemini' },
      /"\/x\/gemini" was not found\. Correct/,
    ],
    ['what a script runs on', { reason: 'cannotRun', command: '/x/a', interpreter: 'node' }, /needs "node"/],
    ['that a program is of another system', { reason: 'cannotRun', command: '/x/a' }, /not for this system/],
    [
      'which argument cmd.exe would act on',
      { reason: 'unsafeArgument', command: 'C:\\a.cmd', argument: 'a&b' },
      /cmd\.exe, which would act on a character in "a&b"/,
    ],
    ['that the folder is missing', { reason: 'noFolder', folder: '/gone' }, /folder "\/gone" does not exist/],
  ];
  for (const [title, failure, ...parts] of cases) {
    it(`TR-1 says ${title}`, () => {
      const message = source.startMessage('Gemini', failure);
      assert.match(message, /^Gemini could not be started: /);
      for (const part of parts) assert.match(message, part);
    });
  }

  it('TR-9 says which program an agent did not find', () => {
    const exit = (code: number, stderr: string): string =>
      source.exitMessage('Gemini', { reason: 'exited', code, signal: null, stderr });
    assert.match(exit(127, 'env: ‘node’: No such file or directory'), /127: it needs the program "node"/);
    assert.match(exit(127, 'see you'), /127: its command was not found/);
    assert.match(exit(3, 'node: not found'), /^Gemini ended with exit code 3\.$/);
  });

  it('says each problem of a shell', () => {
    const of = (problem: ShellProblem): string => source.shellProblem('/bin/zsh', problem);
    assert.match(of({ cause: 'silent', code: 1 }), /\/bin\/zsh ended without/);
    assert.match(of({ cause: 'notStarted', message: 'ENOENT' }), /could not be started \(ENOENT\)/);
  });
});
