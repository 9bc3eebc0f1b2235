import assert from 'node:assert/strict';
import { connectAgent, type ConnectedAgent } from '../../../src/acp/connectAgent';
import { capabilitiesOf } from '../../../src/host/agents/agentConnector';
import { connectOptions } from '../../support/fakeAgents';
import { answer, expectCall, Replay } from '../../support/replayScript';
import { wireProblemsOf } from '../../support/wireSchema';

const LATE = {
  protocolVersion: 1,
  agentInfo: { name: 'late', version: '1' },
  agentCapabilities: {},
  authMethods: [],
};

async function connect(run: Replay): Promise<ConnectedAgent> {
  const options = connectOptions(run.plan);
  return connectAgent({
    ...options,
    capabilities: capabilitiesOf(options.handlers),
    clientInfo: { name: 'parley', title: 'Parley', version: '1.2.3' },
  });
}

describe('the first words to an agent', () => {
  it('IN-1 IN-11 are initialize, once, and nothing else until its answer', async () => {
    const run = new Replay(
      { expect: 'initialize', as: 'i' },
      { expectNot: 'session/new', forMs: 100 },
      answer('i', LATE),
      expectCall('session/new', 'n'),
      answer('n', { sessionId: 's' }),
    );
    const agent = await connect(run);
    await agent.client.newSession({ cwd: '/', mcpServers: [] });
    await agent.stop();
    assert.deepEqual(run.failures, []);
    assert.deepEqual(run.calls, ['initialize', 'session/new']);
  });

  it('IN-2 IN-4 name version 1 and the client', async () => {
    const run = new Replay();
    await (await connect(run)).stop();
    const [params] = run.paramsOf('initialize');
    assert.equal(params?.['protocolVersion'], 1);
    assert.deepEqual(params?.['clientInfo'], { name: 'parley', title: 'Parley', version: '1.2.3' });
    const lines = run.fromClient.map((message) => JSON.stringify(message));
    assert.deepEqual(wireProblemsOf('client', lines, run.fromAgent), []);
  });
});
