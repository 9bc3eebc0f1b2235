import assert from 'node:assert/strict';
import { SignInFailed } from '../../../src/host/session/agentLink';
import { linkTo, MemoryAgent } from './memoryAgent';

const METHODS = [
  { id: 'key', name: 'Key' },
  { id: 'login', name: 'Login', type: 'terminal', args: ['login'], env: { A: '1' } },
  { id: 'magic', name: 'Magic', type: 'magic' },
];

describe('signing in and out', () => {
  it('AU-2 AU-12 calls authenticate for a way of the agent alone', async () => {
    const agent = new MemoryAgent({ authMethods: METHODS });
    const link = linkTo(agent);
    await link.signIn('key', '/proj');
    assert.deepEqual(agent.paramsOf('authenticate'), [{ methodId: 'key' }]);
    await assert.rejects(link.signIn('magic', '/proj'), SignInFailed);
    await assert.rejects(link.signIn('unknown', '/proj'), SignInFailed);
    assert.equal(agent.calls.length, 1);
  });

  it('AU-3 AU-6 AU-8 runs a terminal way in a terminal and never calls authenticate for it', async () => {
    const agent = new MemoryAgent({ authMethods: METHODS });
    const runs: unknown[] = [];
    const codes: (number | undefined)[] = [0, 1, undefined];
    const link = linkTo(agent, {
      signInInTerminal: ({ command, args }, { id }) => {
        runs.push([command, args, id]);
        return Promise.resolve(codes.shift());
      },
    });
    await link.signIn('login', '/proj');
    await assert.rejects(link.signIn('login', '/proj'), SignInFailed);
    await assert.rejects(link.signIn('login', '/proj'), SignInFailed);
    assert.deepEqual(runs, Array(3).fill(['agent', ['--acp'], 'login']));
    assert.deepEqual(agent.calls, []);
  });

  for (const logout of [{}, null, undefined]) {
    it(`AU-10 ${logout ? 'signs' : 'does not sign'} out where it is ${JSON.stringify(logout)}`, async () => {
      const agent = new MemoryAgent({ agentCapabilities: { auth: { logout } } });
      const link = linkTo(agent);
      await link.connect('/proj');
      await link.signOut();
      assert.deepEqual(agent.calls, logout ? ['logout'] : []);
    });
  }
});
