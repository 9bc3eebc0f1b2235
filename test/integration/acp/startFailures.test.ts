import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LaunchPlan } from '../../../src/acp/agentProcess';
import { connectAgent } from '../../../src/acp/connectAgent';
import { AgentError, type AgentFailure } from '../../../src/core/errors';
import { missingProgram } from '../../../src/core/launch/missingProgram';
import { agentFile, connectOptions, planFor } from '../../support/fakeAgents';

const windows = process.platform === 'win32';

describe('starting the program of an agent', () => {
  let root = '';
  beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-start-')))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** Writes a program, or another file where the mode says so. */
  function put(path: string, text: string, mode = 0o755): string {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    return file;
  }

  const agentScript = (): string => `#!/bin/sh\nexec '${process.execPath}' '${agentFile('echo')}'\n`;
  const plan = (more: Partial<LaunchPlan>): LaunchPlan => ({
    ...planFor('echo'),
    args: [],
    cwd: root,
    ...more,
  });

  async function failureOf(more: Partial<LaunchPlan>): Promise<AgentFailure | undefined> {
    try {
      await (await connectAgent(connectOptions(plan(more)))).stop();
    } catch (error) {
      assert.ok(error instanceof AgentError, String(error));
      return error.failure;
    }
    return undefined;
  }

  it('TR-1 tells a missing folder from a missing program', async () => {
    const folder = join(root, 'gone');
    assert.deepEqual(await failureOf({ cwd: folder }), { reason: 'noFolder', folder });
    const file = put('file', '');
    assert.deepEqual(await failureOf({ cwd: file }), { reason: 'noFolder', folder: file });
  });

  if (windows) return;

  it('TR-1 finds the program on the PATH of the agent, not on that of the editor', async () => {
    put('bin/parley-odd-agent', agentScript());
    const command = 'parley-odd-agent';
    assert.equal((await failureOf({ command }))?.reason, 'commandNotFound');
    const PATH = `${join(root, 'bin')}:/usr/bin:/bin`;
    assert.equal(await failureOf({ command, env: { PATH } }), undefined);
    assert.equal(await failureOf({ command: './bin/parley-odd-agent' }), undefined);
  });

  it('takes no program of the folder that it starts in, whatever the PATH says', async () => {
    put('parley-odd-agent', agentScript());
    const origin = { source: 'shell', shell: '/bin/zsh' } as const;
    for (const PATH of ['', ':/usr/bin', '.', './:/bin'])
      assert.deepEqual(await failureOf({ command: 'parley-odd-agent', env: { PATH }, origin }), {
        reason: 'commandNotFound',
        command: 'parley-odd-agent',
        origin,
      });
  });

  it('TR-1 says what a script runs on that is missing', async () => {
    const command = put('agent', '#!/opt/parley-no-such/node --flag\n');
    assert.deepEqual(await failureOf({ command }), {
      reason: 'cannotRun',
      command,
      interpreter: '/opt/parley-no-such/node',
    });
  });

  it('TR-9 knows the program that `env` did not find from the last words', async () => {
    const command = put('agent', '#!/usr/bin/env parley-no-such-node\n');
    const failure = await failureOf({ command });
    assert.ok(failure?.reason === 'exited' && failure.code === 127, JSON.stringify(failure));
    assert.equal(missingProgram(failure.stderr, failure.code), 'parley-no-such-node');
  });

  it('TR-9 knows the program that a shell did not find from the last words', async () => {
    for (const more of [
      { command: put('shim', '#!/bin/sh\nexec parley-no-such-node "$@"\n') },
      { command: 'parley-no-such-node', args: ['--acp'], shell: true },
    ]) {
      const failure = await failureOf(more);
      assert.ok(failure?.reason === 'exited' && failure.code === 127, JSON.stringify(failure));
      assert.equal(missingProgram(failure.stderr, failure.code), 'parley-no-such-node');
    }
  });
});
