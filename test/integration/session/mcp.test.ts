import assert from 'node:assert/strict';
import type { McpServer } from '../../../src/core/acp';
import { answer, end, expectCall, preset, Replay, update } from '../../support/replayScript';
import { text } from '../../support/session';
import { SessionHarness } from '../../support/sessionHarness';

const SERVERS: McpServer[] = [
  { name: 'files', command: '/usr/bin/files', args: ['--all'], env: [{ name: 'TOKEN', value: 'naïve "x"' }] },
  { name: 'bare', command: '/usr/bin/bare', args: [], env: [] },
  { type: 'http', name: 'web', url: 'https://example.com/mcp', headers: [{ name: 'A', value: 'b' }] },
  { type: 'sse', name: 'old', url: 'https://example.com/sse', headers: [] },
];
const turn = [expectCall('session/prompt', 'p'), update(text('DONE')), end('p')];

/** A session that was opened by session/new, then picked up by a second process in the other way. */
async function pickedUp(
  way: 'session/load' | 'session/resume',
  servers: McpServer[],
): Promise<[Replay, Replay]> {
  const abilities = way === 'session/load' ? { loadSession: true } : { sessionCapabilities: { resume: {} } };
  const says = preset('initialize', { agentCapabilities: abilities });
  const runs: [Replay, Replay] = [
    new Replay(says, ...turn),
    new Replay(says, expectCall(way, 'l'), answer('l', {})),
  ];
  const harness = new SessionHarness({ replay: [...runs] });
  harness.servers = servers;
  await harness.prompt('go');
  await harness.controller.restart();
  await harness.end();
  return runs;
}

describe('MCP servers of a session', () => {
  for (const way of ['session/load', 'session/resume'] as const) {
    it(`MC-1 MC-2 MC-3 SE-2 SE-7 SE-11 go out with session/new and ${way} as they are`, async () => {
      const [first, second] = await pickedUp(way, SERVERS);
      assert.deepEqual(first.paramsOf('session/new')[0]?.['mcpServers'], SERVERS);
      assert.deepEqual(second.paramsOf(way)[0]?.['mcpServers'], SERVERS);
    });

    it(`SE-2 SE-7 SE-11 are an empty list in session/new and ${way} where there are none`, async () => {
      const [first, second] = await pickedUp(way, []);
      assert.deepEqual(first.paramsOf('session/new')[0]?.['mcpServers'], []);
      assert.deepEqual(second.paramsOf(way)[0]?.['mcpServers'], []);
    });
  }

  it('MC-1 SE-2 are those of the moment in which a session is opened', async () => {
    const run = new Replay(...turn);
    const harness = await SessionHarness.open(run);
    await harness.prompt('go');
    harness.servers = SERVERS.slice(0, 1);
    await harness.sessions.create();
    assert.deepEqual(
      run.paramsOf('session/new').map(({ mcpServers }) => mcpServers),
      [[], SERVERS.slice(0, 1)],
    );
    await harness.end();
  });
});
