import assert from 'node:assert/strict';
import { ModelFailure } from '../../../../src/agent/model/model';
import { AnswerCut, AnswerSpoiled, Failures } from '../../../../src/agent/model/providers/failures';
import { OneRequest, retryAfterOf } from '../../../../src/agent/model/providers/oneRequest';

const KEY = 'sk-secret-123456';
const failures = new Failures({
  endpoint: 'https://models.example/v1',
  model: 'one',
  key: KEY,
  idleMs: 120_000,
});

function withCode(code: string): Error {
  const cause = Object.assign(new Error(`connect ${code} ${KEY}`), { code });
  return new TypeError('fetch failed', { cause });
}

describe('providers, failures', () => {
  const network = [
    [
      'ECONNREFUSED',
      /^Nothing answers at https:\/\/models\.example\/v1\. Is the server running there\?$/,
      false,
    ],
    ['ENOTFOUND', /^models\.example was not found in the network\./, false],
    ['ECONNRESET', /was cut before the answer ended\. Try again\.$/, true],
    ['UND_ERR_SOCKET', /was cut before the answer ended\. Try again\.$/, true],
    ['EAI_AGAIN', /failed \(EAI_AGAIN\)/, true],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)/, false],
  ] as const;
  for (const [code, sentence, isRetried] of network) {
    it(`tells ${code}`, () => {
      const failure = failures.of(withCode(code));
      assert.equal(failure.kind, 'connection');
      assert.match(failure.message, sentence);
      assert.equal(failure.retryAfterMs !== undefined, isRetried);
    });
  }

  it('finds the code where several addresses were tried', () => {
    const all = Object.assign(new Error('all'), {
      errors: [Object.assign(new Error('one'), { code: 'ECONNREFUSED' })],
    });
    assert.match(failures.of(new TypeError('fetch failed', { cause: all })).message, /^Nothing answers/);
  });

  it('leaves no key in a sentence, in whatever form the server wrote it', () => {
    const own = { endpoint: 'https://models.example/v1', model: 'one', key: 'sk-a/b+c', idleMs: 1000 };
    for (const said of ['key=sk-a/b+c&', 'key=sk-a%2Fb%2Bc&', '{"key":"sk-a\\/b+c"']) {
      const { message } = new Failures(own).server({ status: 401, message: said });
      assert.match(message, /\[key\]/);
      assert.doesNotMatch(message, /sk-a/);
    }
  });

  const statuses = [
    [401, 'auth', undefined],
    [403, 'auth', undefined],
    [429, 'rate_limit', 2000],
    [500, 'server', 1000],
    [529, 'server', 1000],
    [408, 'server', 1000],
    [400, 'request', undefined],
    [404, 'request', undefined],
    [302, 'request', undefined],
  ] as const;
  for (const [status, kind, retryAfterMs] of statuses) {
    it(`tells HTTP ${status}`, () => {
      const failure = failures.server({ status });
      assert.equal(failure.kind, kind);
      assert.equal(failure.retryAfterMs, retryAfterMs);
      assert.match(failure.message, new RegExp(`^models\\.example .*\\(HTTP ${status}\\)\\. .*\\.$`));
    });
  }

  it('asks for a key where none is set', () => {
    const settings = { endpoint: 'http://host:1/v1', model: 'one', idleMs: 1 };
    assert.match(
      new Failures(settings).server({ status: 401 }).message,
      /^host:1 wants an API key \(HTTP 401\)\./,
    );
  });

  it('takes an error of the program not for one of the network', () => {
    assert.equal(failures.of(new TypeError('x is not a function')).kind, 'request');
    assert.equal(failures.of(new TypeError('terminated')).kind, 'connection');
  });

  const inStream = [
    [{ type: 'overloaded_error', message: 'busy' }, 'server'],
    [{ type: 'rate_limit_error', message: 'busy' }, 'rate_limit'],
    [{ code: 'insufficient_quota', message: 'busy' }, 'rate_limit'],
    [{ type: 'authentication_error', message: 'busy' }, 'auth'],
    [{ type: 'invalid_request_error', message: 'busy' }, 'request'],
    [{ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'busy' }, 'rate_limit'],
    [{ message: 'busy' }, 'server'],
  ] as const;
  for (const [error, kind] of inStream) {
    it(`tells an error in a stream: ${JSON.stringify(error)}`, () => {
      const failure = failures.of(error);
      assert.equal(failure.kind, kind);
      assert.match(failure.message, /: busy\)/);
    });
  }

  it('tells an answer that was cut or is of no use', () => {
    assert.equal(failures.of(new AnswerCut()).kind, 'connection');
    assert.match(failures.of(new AnswerSpoiled('MALFORMED')).message, /\(MALFORMED\)/);
  });

  it('shows a bounded line of visible text, without the key', () => {
    const message = `\u001b[31mkey\n${KEY}\u202E ${'x'.repeat(1000)}`;
    const texts = [
      failures.server({ status: 400, message }).message,
      failures.of(new Error(message)).message,
      failures.of({ type: 'x', message }).message,
    ];
    for (const text of texts) {
      assert.ok(!text.includes(KEY));
      assert.match(text, /\\u\{1B\}\[31mkey \[key\]\\u\{202E\} x+…/);
      assert.ok(text.length < 500);
    }
  });

  it('keeps a failure that is one already', () => {
    const failure = new ModelFailure('timeout', 'x');
    assert.equal(failures.of(failure), failure);
  });
});

describe('providers, the request', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const headers = [
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': '9', 'retry-after-ms': '20' }, 20],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ] as const;
  for (const [init, expected] of headers) {
    it(`reads when to come again: ${JSON.stringify(init)}`, () => {
      assert.equal(retryAfterOf(new Headers(init), now), expected);
    });
  }

  it('is one: a second one is refused', async () => {
    const request = new OneRequest(failures, 1000, new AbortController().signal);
    const response = await request.fetch('data:text/event-stream,hello');
    assert.equal(await response.text(), 'hello');
    await assert.rejects(request.fetch('data:text/event-stream,hello'), /more than one request/);
    request.end();
    assert.ok(request.signal.aborted);
  });

  it('leaves no timer behind', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const request = new OneRequest(failures, 60_000, new AbortController().signal);
    const response = await request.fetch('data:text/event-stream,hello');
    const during = timers();
    request.end();
    await response.text().catch(() => undefined);
    assert.equal(timers(), during - 1);
  });

  it('ends with the prompt turn', async () => {
    const turn = new AbortController();
    const request = new OneRequest(failures, 1000, turn.signal);
    turn.abort();
    await assert.rejects(request.fetch('data:text/event-stream,hello'), { name: 'AbortError' });
    request.end();
  });
});
