import assert from 'node:assert/strict';
import { WireError } from '../../../src/core/errors';
import { openElicitations } from '../../../src/core/session/select';
import type { ElicitationAction, ElicitationEntry } from '../../../src/core/session/state';
import { ElicitationBridge } from '../../../src/host/bridges/elicitationBridge';
import { TestSession } from '../../support/session';
import { wireProblemsOf } from '../../support/wireSchema';

const OWNER = { key: 'k', connection: 'c' };
const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', maxLength: 5 },
    count: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    dry: { type: 'boolean' },
  },
  required: ['name'],
};
const FORM = { mode: 'form', sessionId: 's', message: 'Which one?', requestedSchema: SCHEMA };
const page = (elicitationId: string, url = `https://sign.in/${elicitationId}`) => ({
  mode: 'url',
  sessionId: 's',
  message: 'Sign in',
  elicitationId,
  url,
});

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail('it was answered'),
    (error: unknown) => (error instanceof WireError ? error.code : error),
  );

/** A bridge whose actions go into the states of two sessions, as in the extension. */
class Harness {
  readonly sessions = new Map([
    ['k', new TestSession().prompt()],
    ['l', new TestSession().prompt()],
  ]);
  readonly opened: string[] = [];
  readonly log: string[] = [];
  /** What the next tries to open a page give; then all succeed. */
  readonly browser: (boolean | Error | Promise<boolean>)[] = [];
  readonly bridge = new ElicitationBridge({
    dispatch: (key, action) => this.session(key).apply(action),
    isCancelling: (key) => this.session(key).state.turn.status === 'cancelling',
    openExternal: async (url) => {
      this.opened.push(url);
      const result = await (this.browser.shift() ?? true);
      if (result instanceof Error) throw result;
      return result;
    },
    log: (line) => this.log.push(line),
    texts: {
      gone: () => 'gone',
      invalid: (field, problem) => `${field.label}: ${problem.kind}`,
      notAllowed: (url) => `not allowed: ${url}`,
      openFailed: (url) => `failed: ${url}`,
    },
  });

  session(key: string): TestSession {
    return this.sessions.get(key) ?? assert.fail(`no session ${key}`);
  }

  entries(key = 'k'): ElicitationEntry[] {
    return this.session(key).state.entries.filter(
      (entry): entry is ElicitationEntry => entry.kind === 'elicitation',
    );
  }

  entry(index = 0, key = 'k'): ElicitationEntry {
    return this.entries(key)[index] ?? assert.fail(`question ${index} is not shown`);
  }

  create(params: object, owner = OWNER, signal = new AbortController().signal): Promise<object> {
    return this.bridge.create(owner, { ...params }, signal);
  }

  answer(index: number, action: ElicitationAction, content?: Record<string, unknown>): Promise<void> {
    return this.bridge.answer(this.entry(index).requestId, action, content);
  }
}

/** The answer that an agent gets, after a check against the schema. */
async function checked(answer: Promise<object>): Promise<object> {
  const result = await answer;
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
  assert.deepEqual(wireProblemsOf('client', [line], [{ id: 1, method: 'elicitation/create' }]), []);
  return result;
}

describe('elicitation bridge: forms', () => {
  it('EL-1 EL-3 EL-10 shows the question and sends what the person submits', async () => {
    const harness = new Harness();
    const answer = checked(harness.create(FORM));
    const { message, form, url, outcome } = harness.entry();
    assert.deepEqual(
      [message, form?.fields.map((field) => field.name), url, outcome],
      ['Which one?', ['name', 'count', 'tags', 'dry'], undefined, undefined],
    );
    assert.equal(harness.bridge.openCount, 1);
    const content = { name: 'x', count: 2, tags: ['a'], dry: false };
    await harness.answer(0, 'accept', content);
    assert.deepEqual(await answer, { action: 'accept', content });
    assert.equal(harness.entry().outcome, 'accept');
    assert.equal(harness.bridge.openCount, 0);
    assert.ok(!JSON.stringify(harness.session('k').state).includes('"x"'), 'EL-15 the answer is not kept');
  });

  it('EL-4 tells decline and cancel apart and sends no content with them', async () => {
    const harness = new Harness();
    const answers = [checked(harness.create(FORM)), checked(harness.create(FORM))];
    await harness.answer(0, 'decline', { name: 'x' });
    await harness.answer(1, 'cancel', { name: 'x' });
    assert.deepEqual(await Promise.all(answers), [{ action: 'decline' }, { action: 'cancel' }]);
    assert.deepEqual(
      harness.entries().map((entry) => entry.outcome),
      ['decline', 'cancel'],
    );
  });

  it('EL-11 refuses invalid values with a sentence and leaves the question open', async () => {
    const harness = new Harness();
    const answer = checked(harness.create(FORM));
    await assert.rejects(harness.answer(0, 'accept'), { message: 'Name: required' });
    await assert.rejects(harness.answer(0, 'accept', { name: 'too long' }), { message: 'Name: tooLong' });
    await assert.rejects(harness.answer(0, 'accept', { name: 'x', count: '2' }), {
      message: 'count: notNumber',
    });
    assert.equal(harness.bridge.openCount, 1);
    assert.equal(harness.entry().outcome, undefined);
    await harness.answer(0, 'accept', { name: 'x', count: null, other: { a: 1 } });
    assert.deepEqual(await answer, { action: 'accept', content: { name: 'x' } });
  });

  it('EL-4 takes the first of two answers and says that the question is gone', async () => {
    const harness = new Harness();
    const answer = checked(harness.create(FORM));
    await harness.answer(0, 'decline');
    await assert.rejects(harness.answer(0, 'accept', { name: 'x' }), { message: 'gone' });
    await assert.rejects(harness.bridge.answer('elicitation-1', 'decline'), { message: 'gone' });
    assert.deepEqual(await answer, { action: 'decline' });
    assert.equal(harness.entry().outcome, 'decline');
  });

  it('EL-13 accepts a form without fields with empty content', async () => {
    const harness = new Harness();
    const answer = checked(harness.create({ ...FORM, requestedSchema: {} }));
    await harness.answer(0, 'accept');
    assert.deepEqual(await answer, { action: 'accept', content: {} });
  });

  it('EL-5 declines a form that requires a field of an unknown kind, shows nothing and logs it', async () => {
    const harness = new Harness();
    const requestedSchema = { properties: { x: { type: '_colour' } }, required: ['x'] };
    assert.deepEqual(await checked(harness.create({ ...FORM, requestedSchema })), { action: 'decline' });
    assert.deepEqual(harness.entries(), []);
    assert.equal(harness.log.length, 1);
  });

  it('EL-5 refuses unknown modes and broken parameters with -32602, and shows nothing', async () => {
    const harness = new Harness();
    const broken = [
      { ...FORM, mode: 'voice' },
      { ...FORM, mode: undefined },
      { ...FORM, message: undefined },
      { ...FORM, message: 1 },
      { ...FORM, requestedSchema: undefined },
      { ...FORM, requestedSchema: [] },
      { ...page('e'), elicitationId: undefined },
      { ...page('e'), url: 1 },
      page('e', `https://a.b/${'x'.repeat(10_000)}`),
    ];
    for (const params of broken) assert.equal(await codeOf(harness.create(params)), -32602);
    assert.deepEqual(harness.entries(), []);
    assert.equal(harness.bridge.openCount, 0);
  });

  it('EL-6 serves a question that belongs to a request instead of a session', async () => {
    const harness = new Harness();
    const { sessionId: _, ...params } = FORM;
    const answer = checked(harness.create({ ...params, requestId: 7 }));
    await harness.answer(0, 'accept', { name: 'x' });
    assert.deepEqual(await answer, { action: 'accept', content: { name: 'x' } });
  });

  it('EL-3 cuts an endless message', () => {
    const harness = new Harness();
    void harness.create({ ...FORM, message: 'x'.repeat(1_000_000) });
    assert.ok(harness.entry().message.length < 50_000);
  });
});

describe('elicitation bridge: pages', () => {
  it('EL-20 EL-22 EL-23 opens the page once the person accepts, not before, and answers at once', async () => {
    const harness = new Harness();
    const answer = checked(harness.create(page('e')));
    assert.deepEqual([harness.entry().url, harness.entry().form], ['https://sign.in/e', undefined]);
    assert.deepEqual(harness.opened, []);
    await harness.answer(0, 'accept');
    assert.deepEqual(harness.opened, ['https://sign.in/e']);
    assert.deepEqual(await answer, { action: 'accept' });
    assert.deepEqual([harness.entry().outcome, harness.entry().completed], ['accept', undefined]);
    assert.equal(harness.bridge.openCount, 0);
  });

  it('EL-22 opens nothing when the person declines or cancels', async () => {
    const harness = new Harness();
    const answers = [checked(harness.create(page('e'))), checked(harness.create(page('f')))];
    await harness.answer(0, 'decline');
    await harness.answer(1, 'cancel');
    assert.deepEqual(await Promise.all(answers), [{ action: 'decline' }, { action: 'cancel' }]);
    assert.deepEqual(harness.opened, []);
  });

  it('EL-24 shows an address that is not allowed, but does not open it', async () => {
    for (const url of ['http://sign.in/', 'file:///etc/passwd', 'command:x', 'not an address']) {
      const harness = new Harness();
      const answer = checked(harness.create(page('e', url)));
      assert.equal(harness.entry().url, url);
      await assert.rejects(harness.answer(0, 'accept'), { message: `not allowed: ${url}` });
      assert.equal(harness.bridge.openCount, 1);
      await harness.answer(0, 'decline');
      assert.deepEqual(await answer, { action: 'decline' });
      assert.deepEqual(harness.opened, []);
    }
  });

  it('EL-20 keeps the question open if the browser can not be opened', async () => {
    const harness = new Harness();
    const answer = checked(harness.create(page('e')));
    harness.browser.push(false, new Error('no browser'));
    await assert.rejects(harness.answer(0, 'accept'), { message: 'failed: https://sign.in/e' });
    await assert.rejects(harness.answer(0, 'accept'), { message: 'failed: https://sign.in/e' });
    assert.equal(harness.entry().outcome, undefined);
    assert.equal(harness.bridge.openCount, 1);
    await harness.answer(0, 'accept');
    assert.deepEqual(await answer, { action: 'accept' });
  });

  it('EL-26 opens the page again on demand until it is done', async () => {
    const harness = new Harness();
    const answer = checked(harness.create(page('e')));
    await harness.answer(0, 'accept');
    await answer;
    const { version } = harness.entry();
    await harness.answer(0, 'accept');
    assert.deepEqual(harness.opened, ['https://sign.in/e', 'https://sign.in/e']);
    assert.equal(harness.entry().version, version);
    harness.bridge.complete('c', 'e');
    assert.equal(harness.entry().completed, true);
    await assert.rejects(harness.answer(0, 'accept'), { message: 'gone' });
    assert.equal(harness.opened.length, 2);
  });

  it('EL-22 opens the page once for two clicks', async () => {
    const harness = new Harness();
    const answer = checked(harness.create(page('e')));
    await Promise.all([harness.answer(0, 'accept'), harness.answer(0, 'accept')]);
    assert.deepEqual(await answer, { action: 'accept' });
    assert.equal(harness.opened.length, 1);
  });

  it('EL-26 ignores ids that are unknown, done, or of another connection', async () => {
    const harness = new Harness();
    const answers = [
      checked(harness.create(page('e'))),
      checked(harness.create(page('e'), { key: 'l', connection: 'd' })),
    ];
    await harness.answer(0, 'accept');
    harness.bridge.complete('c', 'other');
    harness.bridge.complete('x', 'e');
    assert.equal(harness.entry().completed, undefined);
    harness.bridge.complete('c', 'e');
    const { version } = harness.entry();
    harness.bridge.complete('c', 'e');
    assert.deepEqual([harness.entry().completed, harness.entry().version], [true, version]);
    assert.equal(harness.entry(0, 'l').completed, undefined);
    harness.bridge.cancelConnection('d');
    assert.deepEqual(await Promise.all(answers), [{ action: 'accept' }, { action: 'cancel' }]);
  });

  it('EL-26 leaves the answer to the person where the page is done before they agreed', async () => {
    const harness = new Harness();
    const answer = checked(harness.create(page('e')));
    harness.bridge.complete('c', 'e');
    assert.deepEqual([harness.entry().completed, harness.entry().outcome], [true, undefined]);
    assert.equal(harness.bridge.openCount, 1);
    await harness.answer(0, 'decline');
    assert.deepEqual(await answer, { action: 'decline' });
  });

  it('EL-26 lets the person give up a page that never gets done', async () => {
    const harness = new Harness();
    const answer = checked(harness.create(page('e')));
    await harness.answer(0, 'accept');
    await harness.answer(0, 'cancel');
    assert.deepEqual(await answer, { action: 'accept' });
    assert.equal(harness.entry().outcome, 'cancel');
    harness.bridge.complete('c', 'e');
    assert.equal(harness.entry().completed, undefined);
  });
});

describe('elicitation bridge: cancels', () => {
  it('CA-3 EL-7 answers the open questions of a session alone', async () => {
    const harness = new Harness();
    const answers = [FORM, page('e')].map((params) => checked(harness.create(params)));
    const other = checked(harness.create(FORM, { key: 'l', connection: 'c' }));
    harness.bridge.cancelSession('k');
    harness.bridge.cancelSession('k');
    assert.deepEqual(await Promise.all(answers), [{ action: 'cancel' }, { action: 'cancel' }]);
    assert.equal(openElicitations(harness.session('k').state).length, 0);
    assert.equal(harness.bridge.openCount, 1);
    await harness.bridge.answer(harness.entry(0, 'l').requestId, 'decline');
    assert.deepEqual(await other, { action: 'decline' });
  });

  it('EL-7 EL-26 still takes the end of an open page after the turn was cancelled', async () => {
    const harness = new Harness();
    const answer = checked(harness.create(page('e')));
    await harness.answer(0, 'accept');
    harness.bridge.cancelSession('k');
    assert.equal(harness.entry().outcome, 'accept');
    harness.bridge.complete('c', 'e');
    assert.equal(harness.entry().completed, true);
    assert.deepEqual(await answer, { action: 'accept' });
  });

  it('EL-7 answers what a lost connection asked and waits for none of its pages', async () => {
    const harness = new Harness();
    const waiting = checked(harness.create(page('e')));
    const open = checked(harness.create(FORM));
    const other = checked(harness.create(FORM, { key: 'l', connection: 'd' }));
    await harness.answer(0, 'accept');
    harness.bridge.cancelConnection('c');
    assert.deepEqual(await Promise.all([waiting, open]), [{ action: 'accept' }, { action: 'cancel' }]);
    assert.deepEqual(
      harness.entries().map((entry) => entry.outcome),
      ['cancel', 'cancel'],
    );
    assert.equal(harness.bridge.openCount, 1);
    harness.bridge.cancelConnection('d');
    await other;
  });

  it('CA-3 answers what is asked during a cancel by itself, and shows it as cancelled', async () => {
    const harness = new Harness();
    harness.session('k').apply({ type: 'cancelRequested', at: 1_000 });
    assert.deepEqual(await checked(harness.create(page('e'))), { action: 'cancel' });
    assert.equal(harness.entry().outcome, 'cancel');
    assert.equal(harness.bridge.openCount, 0);
  });

  it('EL-7 CA-8 answers -32800 when the agent takes its question back', async () => {
    const harness = new Harness();
    const abort = new AbortController();
    const answer = codeOf(harness.create(FORM, OWNER, abort.signal));
    const other = checked(harness.create(FORM));
    abort.abort();
    assert.equal(await answer, -32800);
    assert.deepEqual(
      harness.entries().map((entry) => entry.outcome),
      ['cancel', undefined],
    );
    await harness.answer(1, 'decline');
    assert.deepEqual(await other, { action: 'decline' });
    assert.equal(await codeOf(harness.create(FORM, OWNER, AbortSignal.abort())), -32800);
    assert.equal(harness.bridge.openCount, 0);
  });

  it('CA-9 does not mind a question that is taken back after its answer', async () => {
    const harness = new Harness();
    const abort = new AbortController();
    const answer = checked(harness.create(page('e'), OWNER, abort.signal));
    await harness.answer(0, 'accept');
    assert.deepEqual(await answer, { action: 'accept' });
    abort.abort();
    assert.equal(harness.entry().outcome, 'accept');
    harness.bridge.complete('c', 'e');
    assert.equal(harness.entry().completed, true);
  });

  it('EL-7 gives one answer where the question is taken back while the browser opens', async () => {
    const harness = new Harness();
    const abort = new AbortController();
    const answer = codeOf(harness.create(page('e'), OWNER, abort.signal));
    let finish: (opened: boolean) => void = () => assert.fail('nothing is opened');
    harness.browser.push(new Promise<boolean>((resolve) => (finish = resolve)));
    const accepted = harness.answer(0, 'accept');
    abort.abort();
    finish(true);
    await accepted;
    assert.equal(await answer, -32800);
    assert.equal(harness.entry().outcome, 'cancel');
  });
});
