import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLoginEnvironment } from '../../../src/acp/loginEnvironment';

describe('the environment of the login shell', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-shell-'));
  after(() => rmSync(folder, { recursive: true }));

  /** A shell whose profile is the given script; it runs the line that `-c` names last. */
  function shell(profile: string): string {
    const file = join(folder, `shell-${Math.random()}`);
    writeFileSync(file, `#!/bin/sh\n${profile}\nfor last; do :; done\neval "$last"\n`, { mode: 0o755 });
    return file;
  }

  it('has what the profile set, whatever else the profile prints', async () => {
    const profile = 'echo "{ noise }"; export FROM_PROFILE="a b=\'c\'"; export PATH="$PATH:/from/profile"';
    const { env, problem } = await readLoginEnvironment({ ...process.env, SHELL: shell(profile) });
    assert.equal(problem, undefined);
    assert.equal(env['FROM_PROFILE'], "a b='c'");
    assert.ok(env['PATH']?.endsWith(':/from/profile'));
  });

  it('leaves out what belongs to the editor', async () => {
    const own = {
      ...process.env,
      SHELL: shell(''),
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_IPC_HOOK: 'x',
      KEEP_ME: 'y',
    };
    const { env } = await readLoginEnvironment(own);
    assert.deepEqual(
      Object.keys(env).filter((name) => /^(ELECTRON|VSCODE|PARLEY_SHELL)/.test(name)),
      [],
    );
    assert.equal(env['KEEP_ME'], 'y');
  });

  const broken: [title: string, shell: () => string, problem: RegExp][] = [
    [
      'hangs',
      () => shell('read line < /dev/tty || while :; do sleep 1; done'),
      /did not answer within 0\.5 s/,
    ],
    ['ends early', () => shell('exit 3'), /did not print its environment/],
    ['is missing', () => join(folder, 'no-such-shell'), /ENOENT/],
  ];
  for (const [title, make, pattern] of broken) {
    it(`falls back to the editor's own where the shell ${title}, and says why`, async () => {
      const { env, problem } = await readLoginEnvironment(
        { PATH: '/bin:/usr/bin', MINE: '1', SHELL: make() },
        500,
      );
      assert.match(problem ?? '', pattern);
      assert.equal(env['MINE'], '1');
    });
  }

  it('is the editor’s own where there is no shell to ask', async () => {
    assert.deepEqual(await readLoginEnvironment({ A: '1' }), { env: { A: '1' } });
  });
});
