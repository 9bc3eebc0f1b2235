import assert from 'node:assert/strict';
import type { Platform } from '../../../../src/core/launch/programPath';
import {
  CommandLineError,
  commandEnvironment,
  displayCommand,
  planCommand,
  type CommandPlan,
} from '../../../../src/host/terminal/commandLine';

const platform = (windows: boolean, ...programs: string[]): Platform => ({
  windows,
  isProgram: (path) => programs.includes(path),
});

const POSIX_ENV = { PATH: '/usr/bin:/bin' };
const WINDOWS_ENV = {
  Path: 'C:\\bin;C:\\Windows',
  PATHEXT: '.EXE;.CMD',
  ComSpec: 'C:\\Windows\\cmd.exe',
};

const posix = (command: string, args: string[] = [], ...programs: string[]): CommandPlan =>
  planCommand({ command, args, cwd: '/project', env: POSIX_ENV }, platform(false, '/bin/bash', ...programs));

const windows = (command: string, args: string[] = [], ...programs: string[]): CommandPlan =>
  planCommand({ command, args, cwd: 'C:\\work', env: WINDOWS_ENV }, platform(true, ...programs));

describe('planCommand', () => {
  it('e.21 starts the program itself where there are arguments, each unchanged', () => {
    const args = ['a b', '$HOME', '*', '"', ''];
    assert.deepEqual(posix('node', args, '/usr/bin/node'), { kind: 'run', file: '/usr/bin/node', args });
  });

  it('e.21 gives a line without arguments to bash', () => {
    assert.deepEqual(posix('echo one && echo two'), {
      kind: 'run',
      file: '/bin/bash',
      args: ['-c', 'echo one && echo two'],
    });
  });

  it('e.21 gives a line to sh where there is no bash', () => {
    const plan = planCommand(
      { command: 'a | b', args: [], cwd: '/project', env: POSIX_ENV },
      platform(false, '/bin/sh'),
    );
    assert.deepEqual(plan, { kind: 'run', file: '/bin/sh', args: ['-c', 'a | b'] });
  });

  it('e.21 starts a program of exactly the name without arguments, also one with blanks in its path', () => {
    assert.deepEqual(posix('ls', [], '/bin/ls'), { kind: 'run', file: '/bin/ls', args: [] });
    assert.deepEqual(posix('/opt/my tool/run', [], '/opt/my tool/run'), {
      kind: 'run',
      file: '/opt/my tool/run',
      args: [],
    });
  });

  it('finds a relative path from the working folder of the command', () => {
    assert.deepEqual(posix('./go', ['x'], '/project/./go'), {
      kind: 'run',
      file: '/project/./go',
      args: ['x'],
    });
  });

  it('takes no program from the working folder by an empty or relative entry of PATH', () => {
    const plan = planCommand(
      { command: 'ls', args: ['x'], cwd: '/project', env: { PATH: ':.:bin' } },
      platform(false, 'ls', './ls', 'bin/ls', '/project/ls', '/ls'),
    );
    assert.deepEqual(plan, { kind: 'missing', command: 'ls' });
  });

  it('says what is missing where there are arguments', () => {
    assert.deepEqual(posix('nope', ['x']), { kind: 'missing', command: 'nope' });
  });

  it('e.21 gives a line to cmd on Windows, as it is', () => {
    assert.deepEqual(windows('echo "a" & echo b'), {
      kind: 'run',
      file: 'C:\\Windows\\cmd.exe',
      args: [],
      verbatim: '/d /s /c "echo "a" & echo b"',
    });
  });

  it('finds a program by its endings on Windows, and never a file without one', () => {
    assert.deepEqual(windows('git', ['x'], 'C:\\bin\\git', 'C:\\bin\\git.exe'), {
      kind: 'run',
      file: 'C:\\bin\\git.exe',
      args: ['x'],
    });
    assert.deepEqual(windows('git.EXE', ['x'], 'C:\\bin\\git.EXE'), {
      kind: 'run',
      file: 'C:\\bin\\git.EXE',
      args: ['x'],
    });
    assert.deepEqual(windows('git', ['x'], 'C:\\bin\\git'), { kind: 'missing', command: 'git' });
  });

  it('e.21 runs a batch file by cmd, with nothing in an argument that cmd would read', () => {
    const plan = windows('npm', ['a b', '%PATH%', 'x"&calc', 'back\\'], 'C:\\bin\\npm.cmd');
    assert.deepEqual(plan, {
      kind: 'run',
      file: 'C:\\Windows\\cmd.exe',
      args: [],
      verbatim:
        '/e:ON /v:OFF /d /s /c ""C:\\bin\\npm.cmd" "a b" "%%cd:~,%PATH%%cd:~,%" "x""&calc" "back\\\\""',
    });
    assert.throws(() => windows('npm', ['a\nb'], 'C:\\bin\\npm.cmd'), CommandLineError);
  });
});

describe('commandEnvironment', () => {
  it('TE-12 adds to the environment of the person, and the last entry of a name wins', () => {
    const entries = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
    const env = commandEnvironment({ A: '0', B: 'b', C: undefined }, entries, false);
    assert.equal(env['A'], '2');
    assert.equal(env['B'], 'b');
    assert.ok(!('C' in env));
  });

  it('leaves out the key of the built-in agent, which is for nobody else', () => {
    const env = commandEnvironment({ PARLEY_AGENT_API_KEY: 'sk', PARLEY_AGENT_MODEL: 'm' }, [], false);
    assert.deepEqual(env, { PARLEY_AGENT_MODEL: 'm', PAGER: 'cat', GIT_PAGER: 'cat' });
  });

  it('TE-15 keeps pagers away unless the agent asks for one, and leaves TERM to the agent', () => {
    const env = commandEnvironment({ PAGER: 'less', TERM: 'dumb' }, [], false);
    assert.deepEqual(env, { PAGER: 'cat', GIT_PAGER: 'cat' });
    const asked = commandEnvironment(
      {},
      [
        { name: 'PAGER', value: 'less' },
        { name: 'TERM', value: 'vt100' },
      ],
      false,
    );
    assert.deepEqual(asked, { PAGER: 'less', GIT_PAGER: 'cat', TERM: 'vt100' });
  });

  it('passes on nothing of the editor, unless the agent sets it', () => {
    const base = {
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_IPC_HOOK: 'x',
      VSCODE_PID: '1',
      COLUMNS: '3',
      HOME: '/h',
    };
    assert.deepEqual(commandEnvironment(base, [], false), { HOME: '/h', PAGER: 'cat', GIT_PAGER: 'cat' });
    const asked = commandEnvironment(base, [{ name: 'ELECTRON_RUN_AS_NODE', value: '1' }], false);
    assert.equal(asked['ELECTRON_RUN_AS_NODE'], '1');
  });

  it('has one variable per name on Windows, however it is spelled', () => {
    const env = commandEnvironment({ Path: 'a' }, [{ name: 'PATH', value: 'b' }], true);
    assert.deepEqual(
      Object.entries(env).filter(([name]) => name.toLowerCase() === 'path'),
      [['PATH', 'b']],
    );
  });

  it('takes a name such as __proto__ for a variable like any other', () => {
    const env = commandEnvironment({}, [{ name: '__proto__', value: 'x' }], false);
    assert.deepEqual(Object.keys(env), ['PAGER', 'GIT_PAGER', '__proto__']);
  });
});

describe('displayCommand', () => {
  it('TE-17 shows a command as one would type it', () => {
    assert.equal(displayCommand('npm run build', []), 'npm run build');
    assert.equal(displayCommand('git', ['commit', '-m', "it's done"]), "git commit -m 'it'\\''s done'");
    assert.equal(displayCommand('x', ['']), "x ''");
  });
});
