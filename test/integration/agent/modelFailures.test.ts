import assert from 'node:assert/strict';
import { ModelServer } from '../../support/modelServer/modelServer';
import type { ScriptedAnswer } from '../../support/modelServer/script';
import { describeProviders, KEY } from './scriptedModel';
import { makeWorkspace } from './workspace';

const cwd = makeWorkspace({ 'a.txt': 'one\n' });
const done: ScriptedAnswer = { text: ['It is ', 'done.'] };

/** The address of a server that was there. */
async function stoppedEndpoint(): Promise<string> {
  const server = await ModelServer.start();
  const endpoint = server.endpoint('openai-compatible');
  await server.stop();
  return endpoint;
}

describeProviders('failures of models', (suite) => {
  it('waits as long as the server says when it wants fewer requests', async () => {
    const session = await suite().session(cwd);
    session.server.answer(
      { http: { status: 429, headers: { 'retry-after': '0.01' }, body: 'Slow down' } },
      done,
    );
    assert.equal((await session.prompt('hello')).stopReason, 'end_turn');
    session.checkCalls(2);
    assert.equal(session.text(), 'It is done.');
  });

  it('does not wait for longer than a minute', async () => {
    const session = await suite().session(cwd);
    session.server.answer({
      http: { status: 429, headers: { 'retry-after': '300' }, body: `Slow down, ${KEY}` },
    });
    const { kind, message } = await session.failure('hello');
    assert.equal(kind, 'model_rate_limit');
    assert.match(message, /wants fewer requests \(HTTP 429: Slow down, \[key\]\)\. Try again in 300 s\.$/);
    session.checkCalls(1);
  });

  it('tries again after trouble of the server, also when it is told in the stream', async () => {
    const session = await suite().session(cwd);
    const soon = { 'retry-after': '0' };
    session.server.answer({ http: { status: 529, headers: soon } }, { trouble: 'overloaded' }, done);
    assert.equal((await session.prompt('hello')).stopReason, 'end_turn');
    session.checkCalls(3);
  });

  it('AU-4 asks for a sign-in where the key is refused, and never shows it', async () => {
    const session = await suite().session(cwd);
    session.server.answer({ http: { status: 401, body: `Wrong key ${KEY}` } });
    const { code, message } = await session.failure('hello');
    assert.equal(code, -32000);
    assert.match(message, /refused the API key \(HTTP 401: Wrong key \[key\]\)\./);
    session.checkCalls(1);
  });

  it('RP-3 tells a refused key as a failure where Parley sets models up, since there is no sign-in to wait for', async () => {
    const session = await suite().session(cwd, { PARLEY_AGENT_HOST: 'parley' });
    session.server.answer({ http: { status: 401, body: `Wrong key ${KEY}` } });
    const { code, kind, message } = await session.failure('hello');
    assert.equal(code, -32603);
    assert.equal(kind, 'model_auth');
    assert.match(
      message,
      /refused the API key \(HTTP 401: Wrong key \[key\]\)\. Set a key that is valid there\.$/,
    );
    session.checkCalls(1);
  });

  it('tells what a server says that answers with its trouble as a success', async () => {
    const session = await suite().session(cwd);
    const headers = { 'content-type': 'application/json' };
    const body = `It still loads for ${KEY}`;
    session.server.answer({ http: { status: 200, headers, body } });
    const { kind, message } = await session.failure('hello');
    assert.equal(kind, 'model_request');
    assert.match(
      message,
      /application\/json in the place of a stream \(It still loads for \[key\]\)\. Check/,
    );
    session.checkCalls(1);
  });

  it('keeps what it had said when the connection is cut, and takes the next prompt', async () => {
    const session = await suite().session(cwd);
    session.server.answer({ text: ['Half of '], trouble: 'cut' });
    const { kind, message } = await session.failure('hello');
    assert.equal(kind, 'model_connection');
    assert.match(message, /was cut before the answer ended/);
    session.checkCalls(1);
    session.server.answer(done);
    assert.equal((await session.prompt('again')).stopReason, 'end_turn');
    session.checkCalls(2);
    assert.deepEqual(session.asked, [
      { role: 'user', text: 'hello' },
      { role: 'assistant', text: 'Half of ' },
      { role: 'user', text: 'again' },
    ]);
  });

  it('takes a stream without an end as a cut', async () => {
    const session = await suite().session(cwd);
    session.server.answer({ text: ['Half of '], trouble: 'unfinished' });
    assert.equal((await session.failure('hello')).kind, 'model_connection');
    session.checkCalls(1);
  });

  it('tries again when nothing was said before the cut', async () => {
    const session = await suite().session(cwd);
    session.server.answer({ trouble: 'cut' }, done);
    assert.equal((await session.prompt('hello')).stopReason, 'end_turn');
    session.checkCalls(2);
  });

  it('says that an answer is not understood', async () => {
    const session = await suite().session(cwd);
    session.server.answer({ text: ['Half of '], trouble: 'malformed' });
    const { kind, message } = await session.failure('hello');
    assert.equal(kind, 'model_server');
    assert.match(message, /not understood.*provider and the endpoint/);
    session.checkCalls(1);
  });

  it('gives up a stream that goes quiet', async () => {
    const session = await suite().session(cwd, { PARLEY_AGENT_IDLE_SECONDS: '0.3' });
    session.server.answer({ text: ['Half of '], trouble: 'hang' });
    const { kind, message } = await session.failure('hello');
    assert.equal(kind, 'model_timeout');
    assert.match(message, /sent nothing for/);
    await session.server.until(() => session.server.aborted === 1);
    session.checkCalls(1);
  });

  it('says what can be done about an address that is another one', async () => {
    const session = await suite().session(cwd);
    const elsewhere = { location: `${session.server.endpoint(session.provider)}/elsewhere` };
    session.server.answer(
      { http: { status: 307, headers: elsewhere } },
      { http: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Hello</html>' } },
      {
        http: {
          status: 502,
          headers: { 'content-type': 'text/html', 'retry-after': '99' },
          body: '<html>Bad</html>',
        },
      },
      { http: { status: 404, body: 'Unknown' } },
      { http: { status: 400, body: `Too\u202Elong ${'x'.repeat(2000)}` } },
    );
    assert.match((await session.failure('1')).message, /to another address, which would get the key/);
    assert.match((await session.failure('2')).message, /text\/html in the place of a stream/);
    assert.match((await session.failure('3')).message, /^\S+ has trouble \(HTTP 502\)\. Try again later\.$/);
    assert.match((await session.failure('4')).message, /has no model "scripted" there \(HTTP 404: Unknown\)/);
    const { message, kind } = await session.failure('5');
    assert.equal(kind, 'model_request');
    assert.match(message, /\(HTTP 400: Too\\u\{202E\}long x+…\)/);
    assert.ok(message.length < 500);
    session.checkCalls(5);
  });

  it('asks whether the server is running', async () => {
    const session = await suite().session(cwd, { PARLEY_AGENT_ENDPOINT: await stoppedEndpoint() });
    const { kind, message } = await session.failure('hello');
    assert.equal(kind, 'model_connection');
    assert.match(
      message,
      /^Nothing answers at http:\/\/127\.0\.0\.1:\d+\/v1\. Is the server running there\?$/,
    );
    session.checkTurns(1);
  });
});
