import assert from 'node:assert/strict';
import { TurnCancelled } from '../../../src/agent/abort';
import { MAX_TOOLS } from '../../../src/agent/mcp/connectServers';
import { MAX_OUTPUT } from '../../../src/agent/mcp/results';
import { asList, asObject, type JsonObject } from '../../../src/core/json';
import { Connected, gone, isRunning, listening, Notes, program, SECRET, type Ran } from './mcpHarness';
import { makeWorkspace } from './workspace';

const ECHO = 'mcp__test__echo';

const states = ({ updates }: Ran): unknown[] => updates.flatMap(({ status }) => status ?? []);

/** What the card shows at the end. */
function shown({ updates }: Ran): string {
  const last = updates.findLast(({ content }) => content !== undefined);
  return asList(last?.['content'])
    .map((item) => asObject(asObject(item)['content'])['text'])
    .join('\n');
}

describe('built-in agent, MCP servers', () => {
  const cwd = makeWorkspace({});
  const open = new Set<Connected>();
  let notes: Notes;

  beforeEach(() => (notes = new Notes()));
  afterEach(async () => {
    for (const connected of open) await connected.servers.dispose();
    open.clear();
  });

  async function connect(
    servers: readonly object[],
    options: ConstructorParameters<typeof Connected>[2] = {},
  ): Promise<Connected> {
    const connected = new Connected(servers, cwd, options);
    open.add(connected);
    await connected.servers.ready;
    return connected;
  }

  describe('calls', () => {
    it('MC-2 calls a tool of a program when the person allows it', async () => {
      const connected = await connect([program(notes)]);
      const ran = await connected.run(ECHO, { text: 'hello' });
      assert.deepEqual(ran.result, { outcome: 'completed', output: 'echo: hello' });
      assert.deepEqual(states(ran), ['pending', 'in_progress', 'completed']);
      assert.equal(shown(ran), '```\necho: hello\n```');
      const [asked] = ran.asked;
      const toolCall = asObject(asked?.['toolCall']);
      assert.deepEqual([toolCall['title'], toolCall['kind']], ['echo (test)', 'other']);
      assert.match(JSON.stringify(toolCall['content']), /hello/, 'the person sees the input');
      const names = asList(asked?.['options']).map((option) => asObject(option)['name']);
      assert.deepEqual(names, ['Allow', 'Always allow echo of test in this session', 'Reject']);
    });

    it('PE-1 shows in the question what could hide or reorder the input', async () => {
      const connected = await connect([program(notes)]);
      const { asked, result } = await connected.run(ECHO, { text: 'a\u{202E}b' });
      assert.match(JSON.stringify(asObject(asked[0]?.['toolCall'])['content']), /a\\\\u\{202E\}b/);
      assert.equal(result.output, 'echo: a\u{202E}b');
    });

    it('asks for a tool that calls itself harmless, once where it is always allowed, and for each tool', async () => {
      const connected = await connect([program(notes)]);
      assert.equal((await connected.run(ECHO, {}, { optionId: 'allow_always' })).asked.length, 1);
      assert.equal((await connected.run(ECHO)).asked.length, 0);
      assert.equal((await connected.run('mcp__test__media')).asked.length, 1);
    });

    it('does not call what was rejected, nor anything in plan mode', async () => {
      const connected = await connect([program(notes)]);
      const rejected = await connected.run(ECHO, {}, { optionId: 'reject_once' });
      assert.equal(rejected.result.outcome, 'rejected');
      const planned = await connected.run(ECHO, {}, { mode: 'plan' });
      assert.equal(planned.result.outcome, 'failed');
      assert.deepEqual(planned.asked, []);
      assert.deepEqual(
        notes.lines.filter((line) => line.startsWith('call')),
        [],
      );
    });

    it('gives the model what a tool says of its failure, and shows it apart from words of the agent', async () => {
      const connected = await connect([program(notes)]);
      const ran = await connected.run('mcp__test__fail', { text: '**bold** ```' });
      assert.equal(ran.result.outcome, 'failed');
      assert.equal(ran.result.output, 'The tool reported an error.\n\nIt went wrong: **bold** ```');
      assert.equal(shown(ran), '````\nIt went wrong: **bold** ```\n````\nThe tool reported an error.');
    });

    it('MC-6 tells that a server refused a call, without a secret', async () => {
      const connected = await connect([program(notes)]);
      const ran = await connected.run('mcp__test__refuse');
      assert.match(ran.result.output, /^The MCP server "test" refused the call\.\n\n.*Bad input, says •••/s);
      assert.doesNotMatch(JSON.stringify(ran), new RegExp(SECRET));
    });

    it('names media and gives texts', async () => {
      const { result } = await (await connect([program(notes)])).run('mcp__test__media');
      assert.match(result.output, /^A picture:\n\n\[image image\/png.*words of the file$/s);
    });

    it('bounds what comes to the model and to the card', async () => {
      const ran = await (await connect([program(notes)])).run('mcp__test__big');
      assert.equal(ran.result.outcome, 'completed');
      assert.ok(ran.result.output.length <= MAX_OUTPUT);
      assert.ok(shown(ran).length < MAX_OUTPUT);
    });

    it('shows progress, which keeps a slow call alive', async () => {
      const ran = await (await connect([program(notes)])).run('mcp__test__progress');
      assert.equal(ran.result.output, 'done');
      assert.match(JSON.stringify(ran.updates), /half way/);
    });

    it('ends a call that hangs with the prompt turn, and tells the server', async () => {
      const connected = await connect([program(notes)]);
      const stop = new AbortController();
      const running = connected.run('mcp__test__hang', {}, { signal: stop.signal });
      await notes.until('hangs');
      stop.abort();
      await assert.rejects(running, TurnCancelled);
      await notes.until('cancelled');
      assert.equal((await connected.run(ECHO, { text: 'on' })).result.output, 'echo: on');
    });

    it('ends a call that takes longer than its limit', async () => {
      const connected = await connect([program(notes)], { callLimitMs: 200 });
      const { result } = await connected.run('mcp__test__hang');
      assert.equal(result.outcome, 'failed');
      assert.match(result.output, /did not answer within 0\.2 s/);
    });

    it('follows the list of tools', async () => {
      const connected = await connect([program(notes)]);
      assert.equal(connected.tools.has('mcp__test__added'), false);
      await connected.run('mcp__test__add_tool');
      while (!connected.tools.has('mcp__test__added'))
        await new Promise((resolve) => setTimeout(resolve, 10));
      assert.equal((await connected.run('mcp__test__echo', { text: 'still' })).result.output, 'echo: still');
    });

    it('tells a server the folders of the session', async () => {
      const roots = [makeWorkspace({})];
      const { result } = await (await connect([program(notes)], { roots })).run('mcp__test__roots');
      for (const folder of [cwd, ...roots]) assert.ok(result.output.includes(`file://${folder}`));
    });
  });

  describe('programs', () => {
    it('MC-6 are started in the folder of the session, with their own environment and what is safe of the agent’s', async () => {
      process.env['PARLEY_AGENT_API_KEY'] = 'of-the-agent';
      try {
        const connected = await connect([program(notes, { MINE: 'given' })]);
        const { result } = await connected.run('mcp__test__environment');
        const env = JSON.parse(result.output) as JsonObject;
        assert.deepEqual([env['cwd'], env['MINE'], env['PATH']], [cwd, 'given', process.env['PATH']]);
        assert.equal(env['PARLEY_AGENT_API_KEY'], undefined);
      } finally {
        delete process.env['PARLEY_AGENT_API_KEY'];
      }
    });

    it('that know only the newer way to connect are greeted in that way', async () => {
      const connected = await connect([program(notes, { FAULT: 'new-only' })]);
      assert.deepEqual(connected.servers.problems, []);
      assert.equal((await connected.run(ECHO, { text: 'new' })).result.output, 'echo: new');
      await connected.servers.dispose();
      await gone(notes.pids);
    });

    it('MC-6 come into the log with what they print, without a secret', async () => {
      const connected = await connect([program(notes)]);
      await connected.run(ECHO);
      assert.ok(connected.log.includes('[test] up with •••'), connected.log.join('\n'));
      assert.doesNotMatch(connected.log.join('\n'), new RegExp(SECRET));
    });

    it('that end are started again with the next call', async () => {
      const connected = await connect([program(notes)]);
      const died = await connected.run('mcp__test__die');
      assert.equal(died.result.outcome, 'failed');
      assert.match(died.result.output, /did not finish the call.*The next call connects to it again/);
      assert.equal((await connected.run(ECHO, { text: 'again' })).result.output, 'echo: again');
      assert.equal(notes.pids.length, 2);
    });

    it('that end between calls are started again', async () => {
      const connected = await connect([program(notes)]);
      const [pid = 0] = notes.pids;
      process.kill(pid, 'SIGKILL');
      await gone([pid]);
      while (!connected.log.some((line) => line.includes('has ended')))
        await new Promise((resolve) => setTimeout(resolve, 10));
      assert.equal((await connected.run(ECHO, { text: 'again' })).result.output, 'echo: again');
    });

    it('are gone with all that they started, also where they would rather stay', async () => {
      const connected = await connect([program(notes, { FAULT: 'stays,child' })]);
      assert.equal(notes.pids.length, 2);
      assert.ok(notes.pids.every(isRunning));
      await connected.servers.dispose();
      assert.deepEqual(notes.pids.filter(isRunning), []);
    }).timeout(15_000);
  });

  describe('problems', () => {
    it('of one server leave the others, and are told without a secret', async () => {
      const missing = { name: 'missing', command: '/no/such/program', args: [], env: [] };
      const connected = await connect([missing, program(notes, { FAULT: 'exit' }, 'broken'), program(notes)]);
      assert.deepEqual([...connected.servers.problems].sort(), [
        `The MCP server "broken" can't be used: its process ended before it was ready (its last words: No way with •••).`,
        `The MCP server "missing" can't be used: its command was not found: /no/such/program.`,
      ]);
      assert.equal((await connected.run(ECHO, { text: 'on' })).result.output, 'echo: on');
      assert.doesNotMatch(connected.log.join('\n'), new RegExp(SECRET));
    });

    it('of one that does not answer are told after the time limit, and it is ended', async () => {
      const connected = await connect([program(notes, { FAULT: 'silent' })], { connectLimitMs: 500 });
      assert.deepEqual(connected.servers.problems, [
        `The MCP server "test" can't be used: it did not answer within 0.5 s (its last words: up with •••).`,
      ]);
      await gone(notes.pids);
    });

    it('are no news when the session ends before a server answered', async () => {
      const connected = new Connected([program(notes, { FAULT: 'silent' })], cwd);
      while (notes.pids.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await connected.servers.dispose();
      assert.deepEqual(connected.servers.problems, []);
      await gone(notes.pids);
    });

    it('are told of a server with more tools than a model can be given', async () => {
      const many = Array.from({ length: MAX_TOOLS }, (_, n) => `t${n}`).join(',');
      const connected = await connect([program(notes, { TOOL_NAMES: many })]);
      assert.equal(connected.tools.size, MAX_TOOLS);
      assert.match(connected.servers.problems.join(), /more tools than can be used; 11 are left out/);
    });

    it('do not come of names: servers and tools of one name are told apart', async () => {
      const connected = await connect([
        program(notes, { TOOL_NAMES: 'e.cho,e-cho,e_cho' }),
        program(notes, {}, 'test'),
      ]);
      const names = [...connected.tools.keys()];
      assert.equal(names.filter((name) => /^mcp__test__echo(_2)?$/.test(name)).length, 2);
      assert.equal(names.filter((name) => /^mcp__test__e[_-]cho(_2)?$/.test(name)).length, 3);
      for (const name of names) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
    });
  });

  describe('by address', () => {
    for (const form of ['http', 'sse'] as const) {
      it(`MC-3 calls a tool of a server over ${form}, with its headers`, async () => {
        const { server, end } = await listening(form, notes);
        try {
          const connected = await connect([server]);
          assert.deepEqual(connected.servers.problems, []);
          const { result } = await connected.run(`mcp__${form}__echo`, { text: 'far' });
          assert.equal(result.output, 'echo: far');
          await connected.servers.dispose();
          if (form === 'http') await notes.until('goodbye');
        } finally {
          await end();
        }
      });
    }

    for (const form of ['http', 'sse'] as const) {
      it(`MC-6 tells that a server over ${form} asks for a sign-in or is not there, without the header`, async () => {
        const { server, end } = await listening(form, notes);
        const headers = [{ name: 'Authorization', value: 'Bearer another-token' }];
        try {
          const connected = await connect([{ ...server, headers }]);
          assert.match(
            connected.servers.problems.join(),
            /can't be used: it asks for a sign-in \(HTTP 401\)/,
          );
          await end();
          const later = await connect([{ ...server, headers }]);
          assert.match(later.servers.problems.join(), /can't be used: it can't be reached/);
          for (const { log, servers } of [connected, later])
            assert.doesNotMatch([...log, ...servers.problems].join(), /another-token/);
        } finally {
          await end();
        }
      });
    }

    it('connects again to a server that was gone for a while', async () => {
      const first = await listening('http', notes);
      const connected = await connect([first.server]);
      await first.end();
      const lost = await connected.run('mcp__http__echo', { text: 'far' });
      assert.match(lost.result.output, /did not finish the call: it can't be reached \(ECONNREFUSED\)/);
      const second = await listening('http', notes, first.port);
      try {
        assert.equal((await connected.run('mcp__http__echo', { text: 'far' })).result.output, 'echo: far');
        await second.end();
        await connected.run('mcp__http__echo');
        const { result } = await connected.run('mcp__http__echo');
        assert.match(result.output, /^The MCP server "http" can't be used: it can't be reached/);
      } finally {
        await second.end();
      }
    });
  });
});
