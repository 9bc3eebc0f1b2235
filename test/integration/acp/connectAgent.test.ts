import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaunchPlan } from '../../../src/acp/agentProcess';
import { connectAgent } from '../../../src/acp/connectAgent';
import { AgentError, type AgentFailure } from '../../../src/core/errors';
import { connectOptions, isAlive, planFor } from '../../support/fakeAgents';

async function failureOf(plan: LaunchPlan): Promise<AgentFailure> {
  try {
    const agent = await connectAgent(connectOptions(plan));
    await agent.stop();
  } catch (error) {
    assert.ok(error instanceof AgentError, String(error));
    return error.failure;
  }
  return assert.fail('the agent connected');
}

describe('connecting to an agent', () => {
  it('TR-1 says that the command is missing', async () => {
    const failure = await failureOf({ ...planFor('echo'), command: 'parley-no-such-program' });
    assert.deepEqual(failure, { reason: 'commandNotFound', command: 'parley-no-such-program' });
  });

  it('TR-1 says that the command is not executable', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'parley-'));
    const file = join(dir, 'agent');
    writeFileSync(file, 'echo hi\n');
    chmodSync(file, 0o644);
    assert.deepEqual(await failureOf({ ...planFor('echo'), command: file, args: [] }), {
      reason: 'notExecutable',
      command: file,
    });
    rmSync(dir, { recursive: true });
  });

  for (const code of [0, 127]) {
    it(`TR-9 tells exit code ${code} and the last words of an agent that ends at once`, async () => {
      const failure = await failureOf(planFor('exitAtOnce', String(code)));
      assert.deepEqual(failure, {
        reason: 'exited',
        code,
        signal: null,
        stderr: 'config file not found\nplease sign in first',
      });
    });
  }

  it('IN-12 gives up on an agent that never answers, with its last words', async function () {
    this.timeout(30_000);
    const failure = await failureOf({ ...planFor('neverAnswers'), startTimeout: 3_000 });
    assert.equal(failure.reason, 'initializeTimeout');
    assert.ok('stderr' in failure && failure.stderr.includes('waiting for something'));
  });

  it('IN-5 refuses another version of the protocol', async () => {
    assert.deepEqual(await failureOf(planFor('wrongVersion', '2')), {
      reason: 'unsupportedVersion',
      version: 2,
    });
    assert.deepEqual(await failureOf(planFor('wrongVersion', '"1"')), { reason: 'badInitializeAnswer' });
  });

  it('IN-8 refuses an answer that is none', async () => {
    assert.deepEqual(await failureOf(planFor('garbage')), { reason: 'badInitializeAnswer' });
  });

  it('TR-5 connects to an agent that prints a banner first', async () => {
    const lines: string[] = [];
    const agent = await connectAgent(connectOptions(planFor('echo', '--banner'), lines));
    assert.equal(agent.introduction.title, 'Echo');
    assert.deepEqual(lines, ['Welcome to the echo agent!', '(c) nobody']);
    await agent.stop();
  });

  it('TR-8 ends an agent that ignores the end of stdin and SIGTERM', async () => {
    const agent = await connectAgent(connectOptions(planFor('echo', '--stubborn')));
    const { pid } = agent.process;
    assert.ok(isAlive(pid));
    await agent.process.stop(100);
    assert.equal((await agent.lost).reason, 'exited');
    assert.ok(!isAlive(pid));
  });

  it('IN-12 stops a start that is no longer wanted', async () => {
    const abort = new AbortController();
    const start = connectAgent({ ...connectOptions(planFor('neverAnswers')), aborted: abort.signal });
    abort.abort();
    await assert.rejects(start, (error: AgentError) => error.failure.reason === 'aborted');
  });
});
