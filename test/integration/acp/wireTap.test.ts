import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { LaunchPlan } from '../../../src/acp/agentProcess';
import { connectAgent, type ConnectedAgent } from '../../../src/acp/connectAgent';
import { asObject, type JsonObject } from '../../../src/core/json';
import { agentFile, connectOptions, isAlive, planFor } from '../../support/fakeAgents';
import { WireTap } from '../../support/wireTap';
import { until } from '../../vscode/until';

const node = (name: string, ...args: string[]): JsonObject => ({
  command: process.execPath,
  args: [agentFile(name), ...args],
});

describe('the tap between Parley and an agent', function () {
  this.timeout(60_000);
  let tap: WireTap;
  beforeEach(() => (tap = new WireTap()));
  afterEach(() => tap.dispose());

  const planOf = (agent: JsonObject): LaunchPlan => ({
    ...planFor('echo'),
    ...(asObject(tap.wrap({ Agent: agent })['Agent']) as Partial<LaunchPlan>),
    startTimeout: 30_000,
  });
  const connect = (agent: JsonObject, lines: string[] = []): Promise<ConnectedAgent> =>
    connectAgent(connectOptions(planOf(agent), lines));

  it('lets the bytes through and writes both sides down', async () => {
    const skipped: string[] = [];
    const agent = await connect(node('echo', '--banner'), skipped);
    const { sessionId } = asObject(await agent.client.newSession({ cwd: '/', mcpServers: [] }));
    const text = 'é😀'.repeat(300_000);
    await agent.client.prompt(String(sessionId), [{ type: 'text', text }]);
    await agent.stop();
    assert.deepEqual(skipped, ['Welcome to the echo agent!', '(c) nobody']);
    const [client = []] = tap.lines('client');
    assert.deepEqual(
      client.map((line) => asObject(JSON.parse(line))['method']),
      ['initialize', 'session/new', 'session/prompt'],
    );
    const [said = []] = tap.lines('agent');
    assert.ok(said.some((line) => line.includes(text)));
    assert.deepEqual(tap.problems(), []);
  });

  it('finds a line that the schema forbids', async () => {
    const agent = await connect(node('echo'));
    agent.process.stdin.write(
      '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s","extra":1}}\n\n',
    );
    agent.process.stdin.write(
      '{"jsonrpc":"2.0","id":77,"method":"session/new","params":{"cwd":1,"mcpServers":[]}}\n',
    );
    // What is still on its way when the agent is stopped may be lost.
    await until('all lines at the tap', () => tap.problems().length > 2 || undefined);
    await agent.stop();
    const problems = tap.problems();
    assert.match(problems[0] ?? '', /"extra" is no member/);
    assert.match(problems[1] ?? '', /not JSON/);
    assert.match(problems[2] ?? '', /cwd must be string/);
    assert.equal(problems.length, 3);
  });

  for (const code of [0, 7, 127]) {
    it(`passes on exit code ${code} and stderr`, async () => {
      await assert.rejects(connect(node('exitAtOnce', String(code))), (error) => {
        const { reason, code: got, stderr } = asObject(asObject(error)['failure']);
        assert.deepEqual(
          [reason, got, stderr],
          ['exited', code, 'config file not found\nplease sign in first'],
        );
        return true;
      });
    });
  }

  it('passes on a signal, and the end of stdout', async () => {
    for (const [how, signal] of [
      ['signal SIGKILL', 'SIGKILL'],
      ['signal SIGTERM', 'SIGTERM'],
      ['close', null],
    ] as const) {
      const agent = await connect(node('crashOnPrompt'));
      const prompt = agent.client.prompt('session-1', [{ type: 'text', text: how }]);
      await assert.rejects(prompt);
      const failure = await agent.lost;
      assert.equal(failure.reason === 'exited' && failure.signal, signal);
    }
  });

  it('ends with the agent, also by force', async () => {
    const agent = await connect(node('echo', '--stubborn'));
    const { pid } = agent.process;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    assert.ok(children.length === 1 && children.every(isAlive));
    await agent.process.stop(100);
    assert.ok(!isAlive(pid) && !children.some(isAlive));
  });

  it('runs a line of the shell, and leaves alone what cannot be started or is named', async () => {
    const agent = await connect({
      command: `'${process.execPath}' '${agentFile('echo')}' && true`,
      shell: true,
    });
    assert.equal(agent.introduction.title, 'Echo');
    await agent.stop();
    const missing = { Missing: { command: 'parley-no-such-program' }, Bare: node('echo') };
    assert.deepEqual(tap.wrap(missing, ['Bare']), missing);
  });
});
