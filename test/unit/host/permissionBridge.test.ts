import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { AgentClient } from '../../../src/acp/agentClient';
import { NdjsonMessageReader, NdjsonMessageWriter } from '../../../src/acp/ndjsonTransport';
import { WireError } from '../../../src/core/errors';
import { openPermissions } from '../../../src/core/session/select';
import { PermissionBridge, type PermissionRequest } from '../../../src/host/bridges/permissionBridge';
import { silent } from '../../support/memoryTransport';
import { keepDiff, TestSession } from '../../support/session';

const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
const CANCELLED = { outcome: { outcome: 'cancelled' } };

/** A bridge in a running turn of the sessions `s` and `t`, whose actions go into a state each as in the extension. */
class Harness {
  readonly session = new TestSession().prompt();
  readonly other = new TestSession().prompt();
  readonly asked: PermissionRequest[] = [];
  readonly withdrawn: string[] = [];
  readonly reasons: [string, string][] = [];
  readonly log: string[] = [];
  readonly bridge = new PermissionBridge({
    state: (key) => this.of(key).state,
    dispatch: (key, action) => this.of(key).apply(action),
    keepDiff,
    prompter: {
      ask: (request) => this.asked.push(request),
      withdraw: (requestId) => this.withdrawn.push(requestId),
    },
    onReason: (key, reason) => this.reasons.push([key, reason]),
    log: (line) => this.log.push(line),
    now: () => 1_000,
  });

  request(toolCallId: string, signal = new AbortController().signal, key = 's'): Promise<object> {
    const toolCall = { toolCallId, title: `Do ${toolCallId}` };
    return this.bridge.request({ sessionId: key, toolCall, options: OPTIONS }, signal);
  }

  of(key: string): TestSession {
    if (key === 's') return this.session;
    return key === 't' ? this.other : assert.fail(`no session ${key}`);
  }

  /** The id of a question, by its place in the order of asking. */
  id(index: number): string {
    return this.asked[index]?.requestId ?? assert.fail(`question ${index} was not asked`);
  }

  get open(): number {
    return openPermissions(this.session.state).length;
  }

  statusOf(toolCallId: string): string | undefined {
    return this.session.tools().find((entry) => entry.toolCallId === toolCallId)?.status;
  }
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail('it was answered'),
    (error: unknown) => (error instanceof WireError ? error.code : error),
  );

describe('permission bridge', () => {
  it('PE-1 PE-3 asks in the card and in the prompter, and gives back the choice', async () => {
    const harness = new Harness();
    const answer = harness.request('a');
    assert.equal(harness.statusOf('a'), 'waiting');
    assert.deepEqual(
      harness.asked.map(({ key, patch, options }) => [key, patch.title, options.length]),
      [['s', 'Do a', 2]],
    );
    assert.ok(harness.bridge.answer(harness.id(0), 'yes'));
    assert.deepEqual(await answer, selected('yes'));
    assert.equal(harness.open, 0);
    assert.deepEqual(harness.withdrawn, [harness.id(0)]);
  });

  it('PE-3 takes the first of two answers', async () => {
    const harness = new Harness();
    const answer = harness.request('a');
    assert.ok(harness.bridge.answer(harness.id(0), 'no'));
    assert.equal(harness.bridge.answer(harness.id(0), 'yes'), false);
    assert.deepEqual(await answer, selected('no'));
    harness.bridge.cancelSession('s');
    assert.equal(harness.statusOf('a'), 'rejected');
    assert.equal(harness.withdrawn.length, 1);
  });

  it('PE-2 refuses an option that was not offered and leaves the question open', async () => {
    const harness = new Harness();
    const answer = harness.request('a');
    assert.equal(harness.bridge.answer(harness.id(0), 'always'), false);
    assert.equal(harness.bridge.answer('permission-99', 'yes'), false);
    assert.equal(harness.open, 1);
    assert.ok(harness.bridge.answer(harness.id(0), 'yes'));
    assert.deepEqual(await answer, selected('yes'));
  });

  it('PE-2 shows one option of those with the same id, as an answer could mean either', async () => {
    const harness = new Harness();
    const options = [...OPTIONS, { optionId: 'no', name: 'Allow all', kind: 'allow_always' }];
    const params = { sessionId: 's', toolCall: { toolCallId: 'a' }, options };
    const answer = harness.bridge.request(params, new AbortController().signal);
    assert.deepEqual(harness.asked[0]?.options, OPTIONS);
    harness.bridge.cancelSession('s');
    assert.deepEqual(await answer, CANCELLED);
  });

  it('PE-8 keeps several questions apart', async () => {
    const harness = new Harness();
    const [first, second] = [harness.request('a'), harness.request('b')];
    assert.equal(harness.open, 2);
    harness.bridge.answer(harness.id(1), 'no');
    assert.equal(harness.statusOf('a'), 'waiting');
    harness.bridge.answer(harness.id(0), 'yes');
    assert.deepEqual(await Promise.all([first, second]), [selected('yes'), selected('no')]);
  });

  it('CA-3 PE-5 cancelSession answers every open question of the session and nothing else', async () => {
    const harness = new Harness();
    const answers = ['a', 'b', 'c'].map((id) => harness.request(id));
    harness.bridge.answer(harness.id(1), 'yes');
    harness.bridge.cancelSession('s');
    harness.bridge.cancelSession('s');
    assert.deepEqual(await Promise.all(answers), [CANCELLED, selected('yes'), CANCELLED]);
    assert.equal(harness.open, 0);
    assert.equal(harness.withdrawn.length, 3);
    assert.equal(harness.bridge.answer(harness.id(0), 'yes'), false);
  });

  it('CA-3 answers what is asked during a cancel by itself, and shows it on the card only', async () => {
    const harness = new Harness();
    harness.session.apply({ type: 'cancelRequested', at: 1_000 });
    assert.deepEqual(await harness.request('late'), CANCELLED);
    assert.deepEqual(harness.asked, []);
    assert.equal(harness.open, 0);
    assert.deepEqual(
      harness.session.tools().map(({ permissions }) => permissions[0]?.outcome),
      ['cancelled'],
    );
  });

  it('CA-7 CA-8 answers -32800 when the agent takes its question back', async () => {
    const harness = new Harness();
    const abort = new AbortController();
    const answer = codeOf(harness.request('a', abort.signal));
    const other = harness.request('b');
    abort.abort();
    assert.equal(await answer, -32800);
    assert.equal(harness.open, 1);
    assert.deepEqual(harness.withdrawn, [harness.id(0)]);
    harness.bridge.answer(harness.id(1), 'yes');
    assert.deepEqual(await other, selected('yes'));
  });

  it('CA-8 answers -32800 to a question that was taken back before it was asked', async () => {
    const harness = new Harness();
    assert.equal(await codeOf(harness.request('a', AbortSignal.abort())), -32800);
    assert.equal(harness.open, 0);
  });

  it('CA-9 does not mind a question that is taken back after its answer', async () => {
    const harness = new Harness();
    const abort = new AbortController();
    const answer = harness.request('a', abort.signal);
    harness.bridge.answer(harness.id(0), 'yes');
    assert.deepEqual(await answer, selected('yes'));
    abort.abort();
    assert.equal(harness.withdrawn.length, 1);
  });

  it('PE-9 asks the oldest open question again for a person who closed the pick', async () => {
    const harness = new Harness();
    assert.equal(harness.bridge.showAgain(), false);
    const answers = [harness.request('a'), harness.request('b')];
    assert.ok(harness.bridge.showAgain());
    assert.equal(harness.id(2), harness.id(0));
    harness.bridge.answer(harness.id(0), 'yes');
    assert.ok(harness.bridge.showAgain());
    assert.equal(harness.id(3), harness.id(1));
    harness.bridge.cancelSession('s');
    assert.equal(harness.bridge.showAgain(), false);
    await Promise.all(answers);
  });

  it('PE-10 keeps a question without options open until the turn is cancelled', async () => {
    const harness = new Harness();
    const params = { sessionId: 's', toolCall: { toolCallId: 'a' }, options: null };
    const answer = harness.bridge.request(params, new AbortController().signal);
    assert.equal(harness.open, 1);
    harness.bridge.cancelSession('s');
    assert.deepEqual(await answer, CANCELLED);
  });

  it('CA-3 SE-4 cancelSession leaves the questions of other sessions open', async () => {
    const harness = new Harness();
    const { signal } = new AbortController();
    const [mine, theirs] = [harness.request('a'), harness.request('a', signal, 't')];
    assert.deepEqual(
      harness.asked.map(({ key }) => key),
      ['s', 't'],
    );
    harness.bridge.cancelSession('s');
    assert.deepEqual(await mine, CANCELLED);
    assert.equal(harness.open, 0);
    assert.equal(openPermissions(harness.other.state).length, 1);
    assert.deepEqual(harness.withdrawn, [harness.id(0)]);
    assert.ok(harness.bridge.answer(harness.id(1), 'yes'));
    assert.deepEqual(await theirs, selected('yes'));
    assert.equal(openPermissions(harness.other.state).length, 0);
  });

  it('CA-3 SE-4 a cancel of one session does not answer what another one asks', async () => {
    const harness = new Harness();
    harness.session.apply({ type: 'cancelRequested', at: 1_000 });
    const answer = harness.request('a', new AbortController().signal, 't');
    assert.equal(openPermissions(harness.other.state).length, 1);
    harness.bridge.answer(harness.id(0), 'no');
    assert.deepEqual(await answer, selected('no'));
  });

  it('PE-7 asks again for the same after an "always": remembering is the agent\'s', async () => {
    const harness = new Harness();
    const options = [{ optionId: 'always', name: 'Always', kind: 'allow_always' }, ...OPTIONS];
    const ask = (toolCallId: string): Promise<object> => {
      const toolCall = { toolCallId, title: 'Do it', name: 'bash', rawInput: { command: 'ls' } };
      return harness.bridge.request({ sessionId: 's', toolCall, options }, new AbortController().signal);
    };
    for (const [index, id] of ['a', 'b', 'a'].entries()) {
      const answer = ask(id);
      assert.equal(harness.asked.length, index + 1);
      assert.equal(harness.open, 1);
      harness.bridge.answer(harness.id(index), 'always');
      assert.deepEqual(await answer, selected('always'));
    }
  });

  it('MO-5 asks for the leave of plan mode as for anything, and leaves the mode to the agent', async () => {
    const harness = new Harness();
    const choices = ['plan', 'code'].map((value) => ({ value, name: value }));
    const mode = { id: 'mode', name: 'Mode', type: 'select' as const, value: 'plan', choices };
    harness.session.apply({ type: 'configChanged', config: [{ ...mode, legacyMode: true }] });
    const block = { type: 'text', text: '# Plan' };
    const toolCall = { toolCallId: 'exit', title: 'Ready to code?', kind: 'switch_mode', content: [block] };
    const options = [
      { optionId: 'code', name: 'Yes', kind: 'allow_always' },
      { optionId: 'plan', name: 'No', kind: 'reject_once' },
    ];
    const answer = harness.bridge.request(
      { sessionId: 's', toolCall, options },
      new AbortController().signal,
    );
    const [card] = harness.session.tools();
    assert.deepEqual([card?.toolKind, card?.content], ['switch_mode', [{ type: 'block', block }]]);
    harness.bridge.answer(harness.id(0), 'code');
    assert.deepEqual(await answer, selected('code'));
    assert.equal(harness.session.state.config[0]?.value, 'plan');
    harness.session.wire({ sessionUpdate: 'current_mode_update', currentModeId: 'code' });
    assert.equal(harness.session.state.config[0]?.value, 'code');
  });

  it('RP-3 refuses a call without an id with -32602', async () => {
    const { bridge, asked } = new Harness();
    const { signal } = new AbortController();
    assert.equal(
      await codeOf(bridge.request({ sessionId: 's', toolCall: {}, options: OPTIONS }, signal)),
      -32602,
    );
    assert.deepEqual(asked, []);
  });

  it('CA-7 CA-11 serves $/cancel_request off the wire', async () => {
    const harness = new Harness();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const client = new AgentClient({
      reader: new NdjsonMessageReader(input, { skippedLine: (line) => assert.fail(line) }),
      writer: new NdjsonMessageWriter(output),
      logger: silent,
      handlers: {
        session: { update: () => undefined },
        permission: harness.bridge,
        onUnknownNotification: (method) => assert.fail(method),
      },
    });
    const send = (message: object): void =>
      void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const params = { sessionId: 's', toolCall: { toolCallId: 'a' }, options: OPTIONS };
    send({ id: 'q', method: 'session/request_permission', params });
    send({ method: '$/cancel_request', params: { requestId: 'q' } });
    const line = await new Promise<string>((resolve) => output.setEncoding('utf8').once('data', resolve));
    const { id, error } = JSON.parse(line) as { id: unknown; error: { code: number } };
    assert.deepEqual([id, error.code], ['q', -32800]);
    client.dispose();
  });
});
