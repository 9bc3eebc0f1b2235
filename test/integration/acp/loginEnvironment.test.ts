import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { questionsFor } from '../../../src/acp/askShell';
import { readLoginEnvironment } from '../../../src/acp/loginEnvironment';
import type { EnvironmentOrigin } from '../../../src/core/launch/environment';
import { isAlive } from '../../support/fakeAgents';

const BASE = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C' };

describe('the environment of the login shell', function () {
  this.timeout(30_000);
  let home = '';
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'parley-shell-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  if (process.platform === 'win32') {
    it('is the editor’s own on Windows, where there is no shell to ask', async () => {
      const { env, origin } = await readLoginEnvironment({ A: '1', VSCODE_PID: '1', SHELL: 'bash.exe' });
      assert.deepEqual([env, origin], [{ A: '1' }, { source: 'editor' }]);
    });
    return;
  }

  /** Writes a start-up file into the home folder. */
  function put(file: string, text: string): void {
    const path = join(home, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
  }

  /** A shell whose profile is the given script; it runs the line that `-c` names last. */
  function shell(profile: string, name = 'myshell'): string {
    const file = join(home, 'shells', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${profile}\nfor last; do :; done\neval "$last"\n`, { mode: 0o755 });
    return file;
  }

  async function read(
    SHELL: string,
    { limit, ...more }: { limit?: number; [name: string]: unknown } = {},
  ): Promise<{ env: NodeJS.ProcessEnv; origin: EnvironmentOrigin }> {
    return readLoginEnvironment({ ...BASE, HOME: home, SHELL, ...more }, limit);
  }

  const folderOf = (tool: string): string => join(home, tool, 'bin');
  const posixLine = (tool: string): string => `echo "{ noise }"; export PATH="$PATH:$HOME/${tool}/bin"`;
  const cshLine = (tool: string): string => `echo noise; setenv PATH "\${PATH}:$HOME/${tool}/bin"`;

  const real: [shell: string, files: Record<string, (tool: string) => string>][] = [
    ['bash', { '.bash_profile': posixLine, '.bashrc': posixLine }],
    ['zsh', { '.zprofile': posixLine, '.zshrc': posixLine }],
    [
      'fish',
      {
        '.config/fish/config.fish': (tool) =>
          `echo noise\nif status is-interactive; and status is-login\n  set -gx PATH $PATH $HOME/${tool}/bin\nend`,
      },
    ],
    ['dash', { '.profile': posixLine }],
    ['ksh', { '.profile': posixLine }],
    ['tcsh', { '.tcshrc': cshLine, '.login': cshLine }],
  ];
  const pathOf = (name: string): string | undefined =>
    ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].map((at) => join(at, name)).find(existsSync);
  for (const [name, files] of real) {
    const path = pathOf(name);
    if (path === undefined) continue;
    it(`is what ${name} gives to programs in a terminal`, async () => {
      for (const [file, line] of Object.entries(files)) put(file, line(file.replace(/\W/g, '')));
      const { env, origin } = await read(path);
      assert.equal(origin.source, 'shell', JSON.stringify(origin));
      assert.equal(origin.shell, path);
      assert.ok((origin.ms ?? -1) >= 0);
      for (const file of Object.keys(files)) {
        const folder = folderOf(file.replace(/\W/g, ''));
        assert.ok(env['PATH']?.split(':').includes(folder), `${folder} in ${env['PATH']}`);
      }
    });
  }

  if (process.env['CI'] && process.platform === 'linux' && process.getuid?.() === 0) {
    it('is tried with the real bash, zsh, fish and dash in CI', () => {
      for (const name of ['bash', 'zsh', 'fish', 'dash']) assert.ok(pathOf(name), name);
    });
  }

  it('is that of .bashrc once, where the profile of bash reads it already', async () => {
    put('.bashrc', 'export TIMES="${TIMES}x"');
    put('.profile', '[ -n "$BASH_VERSION" ] && . "$HOME/.bashrc"');
    assert.equal((await read('/bin/bash')).env['TIMES'], 'x');
  });

  it('is asked for in the home folder, without what a project sets', async () => {
    const { env } = await read(shell('export WHERE="$(pwd)"; export PWD OLDPWD=/x SHLVL=3'), {
      PARLEY_TEST: '1',
    });
    assert.equal(env['WHERE'], realpathSync(homedir()));
    for (const name of ['PWD', 'OLDPWD', 'SHLVL', '_', 'PARLEY_SHELL']) assert.ok(!(name in env), name);
  });

  it('has what the profile set, whatever else the profile prints', async () => {
    const profile = 'echo "{ noise }"; export FROM_PROFILE="a b=\'c\'\n\\d"; trap "echo bye" EXIT';
    const { env, origin } = await read(shell(profile));
    assert.equal(origin.problem, undefined);
    assert.equal(env['FROM_PROFILE'], "a b='c'\n\\d");
  });

  it('leaves out what belongs to the editor, which the shell does not see either', async () => {
    const profile = 'export SEEN="$VSCODE_IPC_HOOK$ELECTRON_ENABLE_LOGGING$SNAP_NAME"';
    const { env } = await read(shell(profile), {
      ELECTRON_RUN_AS_NODE: '1',
      ELECTRON_ENABLE_LOGGING: '1',
      VSCODE_IPC_HOOK: 'x',
      SNAP_NAME: 'code',
      KEEP_ME: 'y',
    });
    assert.deepEqual(
      Object.keys(env).filter((name) => /^(ELECTRON|VSCODE|PARLEY_SHELL|SNAP)/.test(name)),
      [],
    );
    assert.equal(env['KEEP_ME'], 'y');
    assert.equal(env['SEEN'], '');
  });

  it('is there at once though the profile left a program running, which goes on', async () => {
    const { env, origin } = await read(shell('sleep 60 & export LEFT=$!'));
    const pid = Number(env['LEFT']);
    try {
      assert.equal(origin.source, 'shell');
      assert.ok(isAlive(pid));
    } finally {
      process.kill(pid);
    }
  });

  it('asks PowerShell in its own language', async () => {
    // A stand-in that takes what PowerShell takes, and undoes its quoting.
    const pwsh = shell('', 'pwsh');
    const script = `#!/bin/sh
[ "$#" = 3 ] && [ "$1" = -Login ] && [ "$2" = -Command ] || exit 64
case "$3" in "& '"*"' -e '"*"'") ;; *) exit 65 ;; esac
line="\${3#& }"
FROM_PROFILE=1; export FROM_PROFILE
eval "$line"`;
    writeFileSync(pwsh, script, { mode: 0o755 });
    const { env, origin } = await read(pwsh);
    assert.deepEqual([origin.source, env['FROM_PROFILE']], ['shell', '1']);
    const [{ args: [, , line = ''] } = { args: [] }] = questionsFor('/usr/bin/pwsh', "/it's/node");
    assert.match(line, /^& '\/it''s\/node' -e '[^']+'$/);
  });

  it('asks with fewer flags where a shell does not know them, or goes elsewhere when interactive', async () => {
    const picky = 'case "$1" in -i) exec true ;; -l) echo "no such flag"; exit 2 ;; esac; export PLAIN=1';
    const { env, origin } = await read(shell(picky));
    assert.deepEqual([origin.source, env['PLAIN']], ['shell', '1']);
  });

  const broken: [title: string, shell: () => string, problem: object, limit?: number][] = [
    ['hangs', () => shell('while :; do sleep 1; done'), { cause: 'late', seconds: 1 }, 1_000],
    ['prints without end', () => shell('exec yes'), { cause: 'late', seconds: 1 }, 1_000],
    ['ends early', () => shell('exit 3'), { cause: 'silent', code: 3 }],
  ];
  for (const [title, make, problem, limit] of broken) {
    it(`falls back to the editor's own where the shell ${title}, and says why`, async () => {
      const path = make();
      const { env, origin } = await read(path, { MINE: '1', VSCODE_PID: '1', ...(limit ? { limit } : {}) });
      assert.deepEqual({ ...origin, ms: 0 }, { source: 'editor', shell: path, ms: 0, problem });
      assert.equal(env['MINE'], '1');
      assert.ok(!('VSCODE_PID' in env));
    });
  }

  it('falls back to the editor’s own where the shell is missing', async () => {
    const { origin } = await read(join(home, 'no-such-shell'));
    assert.equal(origin.source, 'editor');
    assert.ok(origin.problem?.cause === 'notStarted' && /ENOENT/.test(origin.problem.message));
  });

  it('is that of the shell of the system’s user where no variable names one', async () => {
    const { origin } = await readLoginEnvironment({ ...BASE, HOME: home });
    assert.equal(origin.shell, userInfo().shell ?? undefined);
  });
});
