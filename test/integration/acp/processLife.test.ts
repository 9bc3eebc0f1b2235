import assert from 'node:assert/strict';
import { once } from 'node:events';
import { launchAgent, type LaunchPlan } from '../../../src/acp/agentProcess';
import { connectAgent, type ConnectedAgent } from '../../../src/acp/connectAgent';
import { isConnectionClosed } from '../../../src/acp/wireErrors';
import { AgentError } from '../../../src/core/errors';
import { asObject, asString } from '../../../src/core/json';
import { connectOptions, isAlive, planFor } from '../../support/fakeAgents';

/** An agent in a session, with what it says. */
async function start(
  name: string,
  ...args: string[]
): Promise<{ agent: ConnectedAgent; texts: string[]; lines: string[] }> {
  const texts: string[] = [];
  const lines: string[] = [];
  const plan = planFor(name, ...args);
  const options = connectOptions(
    { ...plan, startTimeout: 60_000, env: { ...process.env, NODE_OPTIONS: '' } },
    lines,
  );
  const update = (_sessionId: string, payload: unknown): void =>
    void texts.push(asString(asObject(asObject(payload)['content'])['text']) ?? '');
  const agent = await connectAgent({ ...options, handlers: { ...options.handlers, session: { update } } });
  await agent.client.newSession({ cwd: '/', mcpServers: [] });
  return { agent, texts, lines };
}

const prompt = (agent: ConnectedAgent, text: string): Promise<unknown> =>
  agent.client.prompt('session-1', [{ type: 'text', text }]);

describe('the life of an agent process', function () {
  this.timeout(60_000);

  it('TR-5 TR-11 RP-10 finds the messages among noise on stdout', async () => {
    const { agent, texts, lines } = await start('noisy');
    assert.deepEqual(await prompt(agent, 'go'), { stopReason: 'end_turn' });
    assert.equal(texts.join(''), 'one two thrée😀');
    assert.equal(lines.length, 8);
    assert.ok(lines.includes('42') && lines.includes('{}'));
    await agent.stop();
  });

  it('IN-12 tells what an agent printed on stdout and stderr that does not answer initialize', async () => {
    const plan = { ...planFor('noisy', '--mute'), startTimeout: 3_000 };
    const error: unknown = await connectAgent(connectOptions(plan)).catch((reason: unknown) => reason);
    assert.ok(error instanceof AgentError && error.failure.reason === 'initializeTimeout');
    assert.match(error.failure.stderr, /Welcome/);
    assert.match(error.failure.stderr, /not ready yet/);
  });

  it('TR-6 reads stderr to its end and keeps the last lines', async () => {
    const script = `
      for (let n = 0; n < 50000; n++) require('fs').writeSync(2, 'line ' + n + ' ' + 'x'.repeat(90) + '\\n');
      process.exit(5)`;
    const plan = { ...planFor('echo'), args: ['-e', script] };
    const { code, stderr } = await (await launchAgent(plan)).exited;
    assert.equal(code, 5);
    assert.match(stderr, /^line \d+ x+\n/);
    assert.match(stderr, /\nline 49999 x+$/);
    assert.ok(stderr.length > 2_000 && stderr.length <= 4_000);
  });

  it('TR-8 closes stdin, waits, and sends TERM and KILL only to an agent that stays', async () => {
    const script = (body: string): LaunchPlan => ({ ...planFor('echo'), args: ['-e', body] });
    const stop = async (body: string): Promise<[number | null, string | null]> => {
      const agent = await launchAgent(script(`${body}; console.log('ready')`));
      await once(agent.stdout, 'data');
      await agent.stop(1_500);
      const { code, signal } = await agent.exited;
      return [code, signal];
    };
    const onEnd = "process.stdin.resume().on('end', () => setTimeout(() => process.exit(3), 100))";
    const stays = 'setInterval(() => {}, 1000)';
    assert.deepEqual(await stop(onEnd), [3, null]);
    assert.deepEqual(await stop(`${stays}; process.on('SIGTERM', () => process.exit(4))`), [4, null]);
    assert.deepEqual(await stop(`${stays}; process.on('SIGTERM', () => {})`), [null, 'SIGKILL']);
  });

  it('TR-8 ends what the agent started, also in a group of its own', async () => {
    const child = `spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })`;
    const plan = {
      ...planFor('echo'),
      args: [
        '-e',
        `const { spawn } = require('child_process'); console.log(${child}.pid); process.stdin.resume()`,
      ],
    };
    const agent = await launchAgent(plan);
    const [chunk] = (await once(agent.stdout, 'data')) as [Buffer];
    const pid = Number(chunk.toString());
    assert.ok(isAlive(pid));
    await agent.stop();
    while (isAlive(pid)) await new Promise(setImmediate);
  });

  for (const args of [[], ['--child']]) {
    it(`TR-9 loses nothing that was said before the end ${args.join()}`, async () => {
      const { agent, texts } = await start('lastWords', ...args);
      assert.deepEqual(await prompt(agent, 'go'), { stopReason: 'end_turn' });
      const failure = await agent.lost;
      assert.equal(texts.length, 2_000);
      assert.ok(failure.reason === 'exited' && failure.code === 3);
      const child = Number(/child (\d+)/.exec(failure.stderr)?.[1]);
      assert.ok(!args.length || child > 0);
      if (child > 0) while (isAlive(child)) await new Promise(setImmediate);
      await assert.rejects(prompt(agent, 'again'), isConnectionClosed);
    });
  }

  it('TR-9 tells the signal and the last words of a crash, and fails what was open', async () => {
    const { agent, texts } = await start('crashOnPrompt');
    const error: unknown = await prompt(agent, 'signal SIGKILL').catch((reason: unknown) => reason);
    assert.ok(isConnectionClosed(error));
    assert.deepEqual(await agent.lost, {
      reason: 'exited',
      code: null,
      signal: 'SIGKILL',
      stderr: 'panic: out of luck',
    });
    assert.equal(texts[0], 'I will just');
  });

  it('TR-9 ends an agent that closed its stdout and lives on', async () => {
    const { agent } = await start('crashOnPrompt');
    assert.ok(isConnectionClosed(await prompt(agent, 'close').catch((reason: unknown) => reason)));
    await agent.lost;
    assert.ok(!isAlive(agent.process.pid));
  });

  it('TR-11 takes a line of 100 MB', async () => {
    const { agent, texts } = await start('lastWords');
    assert.deepEqual(await prompt(agent, 'big 100000000'), { stopReason: 'end_turn' });
    assert.equal(texts[0]?.length, 100_000_000);
    texts.length = 0;
    await agent.stop();
  });

  it('TR-11 drops a line over 256 MiB and lives on', async () => {
    const { agent, texts, lines } = await start('lastWords');
    assert.deepEqual(await prompt(agent, `big ${256 * 1024 * 1024}`), { stopReason: 'end_turn' });
    assert.equal(texts.length, 0);
    assert.match(lines[0] ?? '', /line of 268\d+ bytes/);
    await prompt(agent, 'big 3');
    assert.deepEqual(texts, ['xxx']);
    await agent.stop();
  });
});
