import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asList, asObject, asString, type JsonObject } from '../../../src/core/json';
import { Peer, type Serve } from './peer';
import { makeWorkspace } from './workspace';

const choose =
  (optionId: string): Serve =>
  () => ({ outcome: { outcome: 'selected', optionId } });
const ASK = 'session/request_permission';

/** Terminals as a client would serve them, of plain child processes. */
function terminals(): { serve: Record<string, Serve>; released: string[] } {
  const running = new Map<string, { child: ChildProcess; output: string; ended: Promise<unknown[]> }>();
  const released: string[] = [];
  const get = (params: JsonObject) => {
    const found = running.get(String(params['terminalId']));
    assert.ok(found, 'a terminal that exists');
    return found;
  };
  const serve: Record<string, Serve> = {
    'terminal/create': (params) => {
      const child = spawn(String(params['command']), {
        shell: true,
        cwd: String(params['cwd']),
        detached: true,
      });
      const id = `terminal-${running.size + 1}`;
      const entry = { child, output: '', ended: once(child, 'close') };
      child.stdout.on('data', (data: Buffer) => (entry.output += data.toString()));
      running.set(id, entry);
      return { terminalId: id };
    },
    'terminal/wait_for_exit': async (params) => {
      const [exitCode, signal] = await get(params).ended;
      return { exitCode, signal };
    },
    'terminal/output': (params) => ({ output: get(params).output, truncated: false }),
    'terminal/kill': (params) => {
      process.kill(-Number(get(params).child.pid), 'SIGKILL');
      return {};
    },
    'terminal/release': (params) => {
      const { child } = get(params);
      if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), 'SIGKILL');
      released.push(String(params['terminalId']));
      return {};
    },
  };
  return { serve, released };
}

const TERMINAL_METHODS = [
  'terminal/create',
  'terminal/output',
  'terminal/wait_for_exit',
  'terminal/kill',
  'terminal/release',
];

describe('built-in agent, tools', () => {
  const workspace = () =>
    makeWorkspace({ 'README.md': '# Hello\nwide world\n', 'src/a.js': 'const a = 1;\nhello();\n' });

  it('TC-3 reads a file itself when the client offers no files', async () => {
    const { peer, sessionId } = await Peer.inSession(workspace());
    const { stopReason } = await peer.prompt(sessionId, 'read src/a.js');
    assert.equal(stopReason, 'end_turn');
    assert.deepEqual(peer.statesOf('read_file'), ['pending', 'in_progress', 'completed']);
    assert.match(peer.text, /const a = 1;/);
    assert.equal(peer.calls('fs/read_text_file').length, 0);
    await peer.end();
  });

  it('FS-3 reads through the client when it announced it, and writes itself when it did not', async () => {
    const cwd = workspace();
    const { peer, sessionId } = await Peer.inSession(cwd, {
      capabilities: { fs: { readTextFile: true } },
      serve: { 'fs/read_text_file': () => ({ content: 'not saved yet' }), [ASK]: choose('allow_once') },
    });
    await peer.prompt(sessionId, 'replace "not" with "now" in README.md');
    assert.equal(readFileSync(join(cwd, 'README.md'), 'utf8'), 'now saved yet');
    assert.equal(peer.calls('fs/write_text_file').length, 0);
    await peer.end();
  });

  it('FS-7 writes through the client, and takes null for an answer', async () => {
    const cwd = workspace();
    const written: JsonObject[] = [];
    const { peer, sessionId } = await Peer.inSession(cwd, {
      capabilities: { fs: { writeTextFile: true } },
      serve: {
        'fs/write_text_file': (params) => {
          written.push(params);
          return null;
        },
        [ASK]: choose('allow_once'),
      },
    });
    await peer.prompt(sessionId, 'create new/b.txt with "one\\ntwo"');
    assert.deepEqual(written, [{ sessionId, path: join(cwd, 'new/b.txt'), content: 'one\ntwo' }]);
    assert.ok(!existsSync(join(cwd, 'new/b.txt')));
    await peer.end();
  });

  it('lists and searches, and takes a mention of a file', async () => {
    const cwd = workspace();
    const { peer, sessionId } = await Peer.inSession(cwd);
    await peer.prompt(sessionId, 'list then search for HELLO in src');
    assert.match(peer.text, /src\/\nREADME\.md/);
    assert.match(peer.text, /src\/a\.js:2: hello\(\);/);
    const uri = pathToFileURL(join(cwd, 'src/a.js')).href;
    await peer.prompt(sessionId, [
      { type: 'text', text: 'show' },
      { type: 'resource_link', uri, name: 'a.js' },
    ]);
    assert.deepEqual(peer.statesOf('read_file'), ['pending', 'in_progress', 'completed']);
    await peer.end();
  });

  it('SE-24 FS-11 stays in the folder, also through links', async () => {
    const outside = makeWorkspace({ 'secret.txt': 'secret' });
    const cwd = workspace();
    symlinkSync(outside, join(cwd, 'link'));
    symlinkSync(join(outside, 'secret.txt'), join(cwd, 'link.txt'));
    const { peer, sessionId } = await Peer.inSession(cwd, { serve: { [ASK]: choose('allow_once') } });
    for (const request of [
      `read ${join(outside, 'secret.txt')}`,
      'read ../secret.txt',
      'read link/secret.txt',
      'read link.txt',
      'list link',
      'create link/new.txt with "x"',
      'replace "secret" with "x" in link.txt',
    ]) {
      await peer.prompt(sessionId, request);
    }
    await peer.prompt(sessionId, 'search for secret');
    const ends = peer.updates('tool_call_update').filter(({ status }) => status === 'failed');
    assert.equal(ends.length, 7);
    assert.ok(!peer.lines.some((line) => line.includes('secret.txt:1')));
    assert.ok(!existsSync(join(outside, 'new.txt')));
    assert.equal(readFileSync(join(outside, 'secret.txt'), 'utf8'), 'secret');
    await peer.end();
  });

  it('PE-1 DI-1 asks before an edit, with the difference, and then edits', async () => {
    const cwd = workspace();
    const asked: JsonObject[] = [];
    const { peer, sessionId } = await Peer.inSession(cwd, {
      serve: {
        [ASK]: (params) => {
          asked.push(params);
          assert.equal(readFileSync(join(cwd, 'README.md'), 'utf8'), '# Hello\nwide world\n');
          return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
        },
      },
    });
    await peer.prompt(sessionId, 'replace "wide" with "narrow" in README.md');
    assert.equal(readFileSync(join(cwd, 'README.md'), 'utf8'), '# Hello\nnarrow world\n');
    assert.deepEqual(peer.statesOf('edit_file'), ['pending', 'in_progress', 'completed']);
    const [{ toolCall, options } = {}] = asked;
    const [diff] = asList(asObject(toolCall)['content']);
    assert.deepEqual(diff, {
      type: 'diff',
      path: join(cwd, 'README.md'),
      oldText: '# Hello\nwide world\n',
      newText: '# Hello\nnarrow world\n',
    });
    assert.deepEqual(options, [
      { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'allow_always', name: 'Always allow edits in this session', kind: 'allow_always' },
      { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
    ]);
    await peer.end();
  });

  it('replaces a text in all places, and says what was not found', async () => {
    const cwd = workspace();
    const { peer, sessionId } = await Peer.inSession(cwd, { serve: { [ASK]: choose('allow_once') } });
    await peer.prompt(sessionId, 'replace "o" with "0" in README.md');
    assert.equal(readFileSync(join(cwd, 'README.md'), 'utf8'), '# Hell0\nwide w0rld\n');
    await peer.prompt(sessionId, 'search for no-such-text');
    assert.match(peer.text, /I did not find `no-such-text`\.$/);
    await peer.end();
  });

  it('PE-7 remembers "always" for edits, but asks for a command', async () => {
    const cwd = workspace();
    const { peer, sessionId } = await Peer.inSession(cwd, { serve: { [ASK]: choose('allow_always') } });
    await peer.prompt(sessionId, 'create a.txt with "a" then create b.txt with "b" then run echo hi');
    assert.equal(peer.calls(ASK).length, 2);
    assert.ok(existsSync(join(cwd, 'b.txt')));
    await peer.prompt(sessionId, 'run echo hi then run echo other');
    assert.equal(peer.calls(ASK).length, 3);
    await peer.end();
  });

  for (const answer of ['reject_once', 'an id that was not offered']) {
    it(`PE-3 changes nothing after the answer "${answer}", says so and stops`, async () => {
      const cwd = workspace();
      const { peer, sessionId } = await Peer.inSession(cwd, { serve: { [ASK]: choose(answer) } });
      const { stopReason } = await peer.prompt(sessionId, 'create a.txt with "a" then run echo hi');
      assert.equal(stopReason, 'end_turn');
      assert.ok(!existsSync(join(cwd, 'a.txt')));
      assert.deepEqual(peer.statesOf('write_file'), ['pending', 'failed']);
      assert.ok(peer.lines.some((line) => line.includes('Rejected by the person')));
      assert.match(peer.text, /You rejected this step: Create `a\.txt`\. I stop here\.$/);
      assert.deepEqual(peer.statesOf('run_command'), []);
      await peer.end();
    });
  }

  it('PE-5 takes a cancelled permission as the end of the turn', async () => {
    const cwd = workspace();
    const serve = { [ASK]: () => ({ outcome: { outcome: 'cancelled' } }) };
    const { peer, sessionId } = await Peer.inSession(cwd, { serve });
    assert.equal((await peer.prompt(sessionId, 'create a.txt with "a"')).stopReason, 'cancelled');
    assert.ok(!existsSync(join(cwd, 'a.txt')));
    await peer.end();
  });

  it('fails a tool whose permission cannot be asked', async () => {
    const cwd = workspace();
    const { peer, sessionId } = await Peer.inSession(cwd);
    assert.equal((await peer.prompt(sessionId, 'create a.txt with "a"')).stopReason, 'end_turn');
    assert.deepEqual(peer.statesOf('write_file'), ['pending', 'failed']);
    await peer.end();
  });

  it('TE-1 runs a command itself when the client offers no terminals', async () => {
    const { peer, sessionId } = await Peer.inSession(workspace(), { serve: { [ASK]: choose('allow_once') } });
    await peer.prompt(sessionId, 'run echo one && pwd');
    assert.deepEqual(peer.statesOf('run_command'), ['pending', 'in_progress', 'completed']);
    assert.ok(peer.lines.some((line) => line.includes('```\\none\\n')));
    for (const method of TERMINAL_METHODS) assert.equal(peer.calls(method).length, 0);
    await peer.prompt(sessionId, 'run exit 3');
    assert.match(peer.text, /This step failed: Run `exit 3`\. Exit code 3\. I stop here\.$/);
    await peer.end();
  });

  it('TE-9 TE-11 runs a command in a terminal of the client, embeds it, and releases it', async () => {
    const { serve, released } = terminals();
    const { peer, sessionId } = await Peer.inSession(workspace(), {
      capabilities: { terminal: true },
      serve: { ...serve, [ASK]: choose('allow_once') },
    });
    await peer.prompt(sessionId, 'run echo one');
    assert.deepEqual(peer.statesOf('run_command'), ['pending', 'in_progress', 'completed']);
    const embedded = peer.lines.findIndex((line) =>
      line.includes('{"type":"terminal","terminalId":"terminal-1"}'),
    );
    const release = peer.lines.findIndex((line) => line.includes('terminal/release'));
    assert.ok(embedded >= 0 && embedded < release);
    assert.deepEqual(released, ['terminal-1']);
    await peer.end();
  });

  it('MO-2 shows only the plan in plan mode', async () => {
    const cwd = workspace();
    const { peer, sessionId } = await Peer.inSession(cwd);
    await peer.request('session/set_mode', { sessionId, modeId: 'plan' });
    await peer.prompt(sessionId, 'create a.txt with "a" then run echo hi');
    assert.equal(peer.updates('tool_call').length, 0);
    assert.equal(asList(peer.updates('plan')[0]?.['entries']).length, 2);
    assert.match(peer.text, /In plan mode I change nothing/);
    await peer.end();
  });

  it('PL-2 sends the whole plan each time, and says at the end that the task is complete', async () => {
    const { peer, sessionId } = await Peer.inSession(workspace());
    const { _meta } = await peer.prompt(sessionId, 'read README.md then list src');
    const plans = peer
      .updates('plan')
      .map(({ entries }) => asList(entries).map((e) => asObject(e)['status']));
    assert.deepEqual(plans, [
      ['in_progress', 'pending'],
      ['completed', 'in_progress'],
      ['completed', 'completed'],
    ]);
    assert.deepEqual(_meta, {
      'parley.agentLoop': { modelCalls: 3, taskComplete: { summary: 'All 2 steps are done.' } },
    });
    await peer.end();
  });

  it('answers anything else with what it is', async () => {
    const { peer, sessionId } = await Peer.inSession(workspace());
    await peer.prompt(sessionId, 'Write me a poem about the sea');
    assert.match(peer.text, /not a language model/);
    assert.match(peer.text, /Parley: Select Agent/);
    await peer.prompt(sessionId, '写一首诗');
    assert.match(peer.text, /不是语言模型/);
    await peer.end();
  });

  it('MI-1 gives the chunks of each model call a message id of their own', async () => {
    const { peer, sessionId } = await Peer.inSession(workspace());
    await peer.prompt(sessionId, 'read README.md');
    const chunks = peer.updates('agent_message_chunk');
    const pairs = chunks.map(({ messageId, _meta }) => [
      asString(messageId),
      asObject(asObject(_meta)['parley.agentLoop'])['turnId'],
    ]);
    assert.equal(new Set(pairs.map(([id]) => id)).size, 2);
    assert.equal(new Set(pairs.map((pair) => pair.join())).size, 2);
    await peer.end();
  });

  it('shows everything in a tour, and changes its file on the next one', async () => {
    const cwd = workspace();
    const { peer, sessionId } = await Peer.inSession(cwd, { serve: { [ASK]: choose('allow_always') } });
    const { stopReason, _meta } = await peer.prompt(sessionId, '/tour');
    assert.equal(stopReason, 'end_turn');
    assert.equal(asObject(_meta?.['parley.agentLoop'])['modelCalls'], 6);
    assert.deepEqual(
      peer.updates('tool_call').map(({ name }) => name),
      ['list_directory', 'read_file', 'search_text', 'write_file', 'run_command', 'task_complete'],
    );
    assert.ok(peer.updates('agent_thought_chunk').length > 0);
    assert.match(peer.text, /\| --- \| --- \|/);
    assert.match(peer.text, /```js/);
    const first = readFileSync(join(cwd, 'parley-tour.md'), 'utf8');
    await peer.prompt(sessionId, '/tour');
    assert.match(readFileSync(join(cwd, 'parley-tour.md'), 'utf8'), /One more visit/);
    assert.doesNotMatch(first, /One more visit/);
    await peer.end();
  });

  it('goes on with the tour in a folder without text', async () => {
    const cwd = makeWorkspace({});
    mkdirSync(join(cwd, 'sub'));
    writeFileSync(join(cwd, 'picture.png'), '');
    const { peer, sessionId } = await Peer.inSession(cwd, { serve: { [ASK]: choose('allow_once') } });
    await peer.prompt(sessionId, '/tour');
    assert.deepEqual(
      peer.updates('tool_call').map(({ name }) => name),
      ['list_directory', 'write_file', 'run_command', 'task_complete'],
    );
    await peer.end();
  });
});
