import assert from 'node:assert/strict';
import { asObject } from '../../../src/core/json';
import { instructionsIn, toolNamesIn } from '../../support/modelServer/asked';
import type { ScriptedAnswer, ScriptedCall } from '../../support/modelServer/script';
import { ASK, describeProviders, KEY, type ScriptedSession } from './scriptedModel';
import { makeWorkspace } from './workspace';

const cwd = makeWorkspace({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
const read = (path: string): ScriptedCall => ({ name: 'read_file', args: { path } });
const done: ScriptedAnswer = { text: ['It is ', 'done.'] };

describeProviders('models', (suite) => {
  it('answers by one request, with the instructions, the tools and the key', async () => {
    const session = await suite().session(cwd);
    session.server.answer({ thoughts: ['Let me ', 'see.'], ...done, usage: { input: 11, output: 7 } });
    assert.equal((await session.prompt('hello')).stopReason, 'end_turn');
    session.checkCalls(1);
    assert.equal(session.text(), 'It is done.');
    const thoughts = session.peer
      .updates('agent_thought_chunk')
      .map(({ content }) => asObject(content)['text']);
    assert.equal(thoughts.join(''), 'Let me see.');
    const { body = {}, headers, path } = session.server.requests[0] ?? {};
    assert.deepEqual(session.asked, [{ role: 'user', text: 'hello' }]);
    assert.ok(instructionsIn(session.provider, body).includes(cwd));
    assert.ok(toolNamesIn(session.provider, body).includes('read_file'));
    assert.ok(JSON.stringify(headers).includes(KEY));
    assert.ok(`${path} ${JSON.stringify(body['model'])}`.includes('scripted'));
    const [usage] = session.updates('usage_update');
    assert.equal(usage?.['used'], 18);
    assert.ok(Number(usage?.['size']) >= 100_000);
  });

  it('goes on with the results of its tools, call by call', async () => {
    const session = await suite().session(cwd);
    for (const path of ['a.txt', 'b.txt', 'a.txt'])
      session.server.answer({ text: [`I read ${path}. `], calls: [read(path)] });
    session.server.answer(done);
    assert.equal((await session.prompt('read')).stopReason, 'end_turn');
    session.checkCalls(4);
    assert.deepEqual(session.asked, [
      { role: 'user', text: 'read' },
      {
        role: 'assistant',
        text: 'I read a.txt. ',
        calls: [{ name: 'read_file', args: { path: 'a.txt' } }],
      },
      { role: 'tool', results: ['one\n'] },
      {
        role: 'assistant',
        text: 'I read b.txt. ',
        calls: [{ name: 'read_file', args: { path: 'b.txt' } }],
      },
      { role: 'tool', results: ['two\n'] },
      {
        role: 'assistant',
        text: 'I read a.txt. ',
        calls: [{ name: 'read_file', args: { path: 'a.txt' } }],
      },
      { role: 'tool', results: ['one\n'] },
    ]);
  });

  it('runs several tools of one answer', async () => {
    const session = await suite().session(cwd);
    session.server.answer({ calls: [read('a.txt'), read('b.txt')] }, done);
    await session.prompt('read both');
    session.checkCalls(2);
    assert.deepEqual(session.asked.at(-1), { role: 'tool', results: ['one\n', 'two\n'] });
    assert.equal(session.asked.at(-2)?.calls?.length, 2);
  });

  it('tells the model what went wrong with a tool', async () => {
    const session = await suite().session(cwd);
    session.server.answer(
      { calls: [read('missing.txt')] },
      { calls: [{ name: 'no_such_tool', args: {} }] },
      done,
    );
    assert.equal((await session.prompt('read')).stopReason, 'end_turn');
    session.checkCalls(3);
    const results = session.asked.flatMap((message) => message.results ?? []);
    assert.match(results[0] ?? '', /does not exist/);
    assert.match(results[1] ?? '', /no tool "no_such_tool"/);
  });

  it('tells the model that it wrote arguments that are no JSON object', async () => {
    const session = await suite().session(cwd);
    const calls = ['{"path": "a.t', '["a.txt"]'].map((args) => ({ name: 'read_file', args }));
    session.server.answer({ calls }, done);
    await session.prompt('read');
    session.checkCalls(2);
    const results = session.asked.at(-1)?.results ?? [];
    assert.match(results[0] ?? '', /no valid JSON/);
    assert.match(results[1] ?? '', /no JSON object/);
    assert.deepEqual(session.asked.at(-2)?.calls?.[0], { name: 'read_file', args: {} });
  });

  it('gives back with the results what the provider signed', async () => {
    const session = await suite().session(cwd);
    const calls = [{ ...read('a.txt'), signature: 'signed-call' }];
    session.server.answer({ thoughts: ['Let me ', 'see.'], thoughtSignature: 'signed-thought', calls }, done);
    await session.prompt('read');
    const seen = {
      'openai-compatible': '"reasoning_content":"Let me see."',
      anthropic: '{"type":"thinking","thinking":"Let me see.","signature":"signed-thought"}',
      google: '"thoughtSignature":"signed-call"',
    };
    const body = JSON.stringify(session.server.requests.at(-1)?.body);
    assert.ok(body.includes(seen[session.provider]), body);
  });

  it('forgets a prompt that the model refuses', async () => {
    const session = await suite().session(cwd);
    session.server.answer(done, { text: ['I '], finish: 'refusal' }, done);
    await session.prompt('first');
    assert.equal((await session.prompt('bad')).stopReason, 'refusal');
    await session.prompt('third');
    session.checkCalls(3);
    assert.deepEqual(session.asked, [
      { role: 'user', text: 'first' },
      { role: 'assistant', text: 'It is done.' },
      { role: 'user', text: 'third' },
    ]);
  });

  it('ends at the greatest length of an answer', async () => {
    const session = await suite().session(cwd);
    session.server.answer({ text: ['On and on'], finish: 'length' });
    assert.equal((await session.prompt('talk')).stopReason, 'max_tokens');
    session.checkCalls(1);
    assert.equal(session.text(), 'On and on');
  });

  describe('CA-2 cancel', () => {
    const never = new Promise(() => undefined);

    it('before the first byte', async () => {
      const session = await suite().session(cwd);
      session.server.answer({ ...done, until: { point: 'start', done: never } });
      const prompt = session.prompt('hello');
      await session.server.until(() => session.server.requests.length === 1);
      await session.cancel();
      assert.equal((await prompt).stopReason, 'cancelled');
      await session.server.until(() => session.server.aborted === 1);
      session.checkCalls(1);
    });

    it('in the middle of a text, which is kept', async () => {
      const session = await suite().session(cwd);
      session.server.answer({ text: ['Half of '], until: { point: 'afterText', done: never } }, done);
      const prompt = session.prompt('hello');
      await session.peer.until(() => session.text() === 'Half of ');
      await session.cancel();
      assert.equal((await prompt).stopReason, 'cancelled');
      await session.server.until(() => session.server.aborted === 1);
      assert.equal((await session.prompt('again')).stopReason, 'end_turn');
      session.checkCalls(2);
      assert.equal(session.asked[1]?.text, 'Half of ');
    });

    it('during a tool, whose request gets a result all the same', async () => {
      const session = await suite().session(cwd);
      suite().onPermission(() => never);
      session.server.answer(
        { calls: [{ name: 'run_command', args: { command: 'echo hi' } }, read('a.txt')] },
        done,
      );
      const prompt = session.prompt('run');
      await session.peer.until(() => session.calls(ASK).length === 1);
      await session.cancel();
      assert.equal((await prompt).stopReason, 'cancelled');
      assert.equal((await session.prompt('again')).stopReason, 'end_turn');
      session.checkCalls(2);
      assert.deepEqual(session.asked[2]?.results, [
        'Was stopped. It may have done nothing, or a part of its work.',
        'Was not run.',
      ]);
      assert.equal(session.asked.at(-1)?.text, 'again');
    });

    it('during the wait for another try', async () => {
      const session = await suite().session(cwd);
      session.server.answer({ http: { status: 503, headers: { 'retry-after': '50' } } });
      const prompt = session.prompt('hello');
      await session.peer.until(() => session.calls('_parley/turn_end').length === 1);
      await session.cancel();
      assert.equal((await prompt).stopReason, 'cancelled');
      session.checkCalls(1);
    });
  });

  it('PT-8 stops at the limit of model calls', async () => {
    const session = await suite().session(cwd, { PARLEY_AGENT_MAX_CALLS: '2' });
    session.server.answer({ calls: [read('a.txt')] }, { calls: [read('a.txt')] });
    assert.equal((await session.prompt('read')).stopReason, 'max_turn_requests');
    session.checkCalls(2);
  });

  describe('autopilot', () => {
    const complete: ScriptedAnswer = { calls: [{ name: 'task_complete', args: { summary: 'All of it' } }] };
    const autopilot = async (): Promise<ScriptedSession> => {
      const session = await suite().session(cwd);
      await session.peer.request('session/set_mode', { sessionId: session.id, modeId: 'autopilot' });
      return session;
    };
    const metaOf = (answer: object): object => {
      const { usage: _, ...meta } = asObject(asObject(asObject(answer)['_meta'])['parley.agentLoop']);
      return meta;
    };

    it('ends without a nudge when the task is marked as complete', async () => {
      const session = await autopilot();
      session.server.answer({ calls: [read('a.txt')] }, complete);
      const answer = await session.prompt('do it');
      assert.deepEqual(metaOf(answer), { modelCalls: 2, taskComplete: { summary: 'All of it' } });
      session.checkCalls(2);
    });

    it('nudges a model that stops too early, as a message of the user', async () => {
      const session = await autopilot();
      session.server.answer(done, complete);
      const answer = await session.prompt('do it');
      assert.deepEqual(metaOf(answer), {
        modelCalls: 2,
        nudges: 1,
        taskComplete: { summary: 'All of it' },
      });
      session.checkCalls(2);
      const [, said, nudge] = session.asked;
      assert.deepEqual(said, { role: 'assistant', text: 'It is done.' });
      assert.equal(nudge?.role, 'user');
      assert.match(nudge.text ?? '', /task_complete was not called/);
    });

    it('does not nudge for ever', async () => {
      const session = await autopilot();
      session.server.answer(done);
      for (let n = 0; n < 3; n++) session.server.answer({ calls: [read('a.txt')] }, done);
      const answer = await session.prompt('do it');
      assert.deepEqual(metaOf(answer), { modelCalls: 7, nudges: 3, nudgesExhausted: true });
      session.checkCalls(7);
    });
  });

  it('SE-4 goes on with a session that is loaded', async () => {
    const session = await suite().session(cwd);
    session.server.answer({ calls: [{ ...read('a.txt'), signature: 'signed' }] }, done);
    await session.prompt('read');
    const before = [...session.asked, { role: 'assistant', text: 'It is done.' }];
    const later = await suite().session(cwd, {});
    const sessionId = session.id;
    await later.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
    session.server.answer(done);
    await later.peer.prompt(sessionId, 'go on');
    assert.deepEqual(later.asked, [...before, { role: 'user', text: 'go on' }]);
    if (session.provider === 'google')
      assert.ok(JSON.stringify(session.server.requests.at(-1)?.body).includes('"signed"'));
  });

  it('does not give the key to commands', async () => {
    const session = await suite().session(cwd);
    const command = `"${process.execPath}" -p "JSON.stringify(process.env)"`;
    session.server.answer({ calls: [{ name: 'run_command', args: { command } }] }, done);
    await session.prompt('run');
    session.checkCalls(2);
    const [output = ''] = session.asked.at(-1)?.results ?? [];
    assert.match(output, /"PATH"/);
    assert.ok(!output.includes(KEY));
  });
});
