import assert from 'node:assert/strict';
import { createPause, TurnCancelled } from '../../../src/agent/abort';
import { runLoop, type LoopOptions, type LoopResult } from '../../../src/agent/loop';
import {
  ModelFailure,
  type HistoryItem,
  type Model,
  type ModelEvent,
  type ToolRequest,
} from '../../../src/agent/model/model';
import { SessionReport } from '../../../src/agent/report';
import { MAX_RETRIES } from '../../../src/agent/retries';
import type { ToolResult } from '../../../src/agent/tools/runner';
import { asObject, type JsonObject } from '../../../src/core/json';

interface Sent {
  method: string;
  params: JsonObject;
}

interface Bench {
  sent: Sent[];
  history: HistoryItem[];
  controller: AbortController;
  run: Promise<LoopResult>;
}

const say = (text: string): ModelEvent => ({ type: 'text', text });
const ask = (name: string, input: JsonObject = {}): ModelEvent => ({ type: 'toolRequest', name, input });

/** A model that gives one prepared answer for each call, and then the last one again. */
function scripted(...answers: ModelEvent[][]): Model & { seen: HistoryItem[][] } {
  const seen: HistoryItem[][] = [];
  return {
    seen,
    async *next({ history }) {
      seen.push([...history]);
      await Promise.resolve();
      yield* answers[Math.min(seen.length, answers.length) - 1] ?? [];
    },
  };
}

function start(model: Model, options: Partial<LoopOptions> = {}): Bench {
  const sent: Sent[] = [];
  const report = new SessionReport({
    sessionId: 's',
    turnEvents: true,
    notices: true,
    record: () => undefined,
    notify: (method, params) => sent.push({ method, params: asObject(params) }),
  });
  const history: HistoryItem[] = [{ role: 'user', text: 'go' }];
  const controller = new AbortController();
  const runTool = ({ name }: ToolRequest): Promise<ToolResult> =>
    Promise.resolve({ outcome: 'completed', output: `result of ${name}` });
  const run = runLoop({
    model,
    history,
    mode: () => 'interactive',
    runTool,
    report: report.beginTurn(),
    signal: controller.signal,
    ...options,
  });
  return { sent, history, controller, run };
}

/** Starts and ends alternate, and each pair has one id. */
function checkPairs(sent: readonly Sent[]): number {
  const events = sent.filter(({ method }) => method.startsWith('_parley/'));
  const ids = events.filter((_event, index) => index % 2 === 0).map(({ params }) => params['turnId']);
  events.forEach(({ method, params }, index) => {
    assert.equal(method, index % 2 === 0 ? '_parley/turn_start' : '_parley/turn_end');
    assert.equal(params['turnId'], ids[Math.floor(index / 2)]);
  });
  assert.equal(new Set(ids).size, events.length / 2);
  return ids.length;
}

const isUsage = ({ sessionUpdate }: JsonObject): boolean => sessionUpdate === 'usage_update';

const isNotice = ({ sessionUpdate }: JsonObject): boolean => sessionUpdate === 'notice';

/** Each request of the model has exactly one result. */
function checkResults(history: readonly HistoryItem[]): void {
  const asked = history.flatMap((item) =>
    item.role === 'assistant' ? item.toolRequests.map(({ id }) => id) : [],
  );
  const answered = history.flatMap((item) => (item.role === 'tool' ? [item.requestId] : []));
  assert.deepEqual(answered, asked);
}

describe('agent loop', () => {
  it('ends with the first answer that asks for no tool', async () => {
    const model = scripted([say('a'), ask('one'), ask('two')], [ask('three')], [say('done')]);
    const { run, sent, history } = start(model);
    assert.deepEqual(await run, { stopReason: 'end_turn', modelCalls: 3 });
    assert.equal(checkPairs(sent), 3);
    checkResults(history);
    assert.deepEqual(
      sent.filter(({ method }) => method === '_parley/turn_end').map(({ params }) => params['toolRequests']),
      [2, 1, 0],
    );
  });

  it('gives each model call the whole history with the results', async () => {
    const model = scripted([ask('one')], [say('done')]);
    await start(model).run;
    assert.deepEqual(
      model.seen.map((items) => items.map(({ role }) => role)),
      [['user'], ['user', 'assistant', 'tool']],
    );
    assert.deepEqual(model.seen[1]?.at(-1), {
      role: 'tool',
      requestId: 'tool-call-1',
      name: 'one',
      outcome: 'completed',
      output: 'result of one',
    });
  });

  it('feeds a rejection back to the model', async () => {
    const model = scripted([ask('one')], [say('I see')]);
    const rejected = (): Promise<ToolResult> => Promise.resolve({ outcome: 'rejected', output: 'no' });
    assert.equal((await start(model, { runTool: rejected }).run).stopReason, 'end_turn');
    const last = model.seen[1]?.at(-1);
    assert.ok(last?.role === 'tool' && last.outcome === 'rejected');
  });

  it('PT-8 stops at the limit of model calls', async () => {
    const { run, sent, history } = start(scripted([ask('one')]), { maxModelCalls: 3 });
    assert.deepEqual(await run, { stopReason: 'max_turn_requests', modelCalls: 3 });
    assert.equal(checkPairs(sent), 3);
    checkResults(history);
  });

  it('ends with task_complete, without another model call', async () => {
    const model = scripted([ask('task_complete'), ask('never run')]);
    const complete = (): Promise<ToolResult> =>
      Promise.resolve({ outcome: 'completed', output: '', taskComplete: { summary: 'all' } });
    const { run, history } = start(model, { runTool: complete });
    assert.deepEqual(await run, {
      stopReason: 'end_turn',
      modelCalls: 1,
      taskComplete: { summary: 'all' },
    });
    checkResults(history);
  });

  it('CA-2 is cancelled before the first model call', async () => {
    const { run, sent } = start(scripted([say('a')]), { signal: AbortSignal.abort() });
    assert.deepEqual(await run, { stopReason: 'cancelled', modelCalls: 0 });
    assert.equal(sent.length, 0);
  });

  it('CA-2 is cancelled while the model streams, also by a model that ignores the signal', async () => {
    const hanging: Model = {
      async *next() {
        yield ask('one');
        yield say('a');
        await new Promise(() => undefined);
      },
    };
    const bench: Bench = start(hanging);
    await createPause(0)(0, new AbortController().signal);
    bench.controller.abort();
    assert.deepEqual(await bench.run, { stopReason: 'cancelled', modelCalls: 1 });
    assert.equal(checkPairs(bench.sent), 1);
    checkResults(bench.history);
  });

  it('CA-2 is cancelled while a tool runs, also by a tool that ignores the signal', async () => {
    let begun: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (begun = resolve));
    const runTool = (): Promise<ToolResult> => {
      begun();
      return new Promise(() => undefined);
    };
    const { run, controller, sent, history } = start(scripted([ask('one'), ask('two')]), { runTool });
    await running;
    controller.abort();
    assert.deepEqual(await run, { stopReason: 'cancelled', modelCalls: 1 });
    assert.equal(checkPairs(sent), 1);
    checkResults(history);
  });

  it('tells the end of a model call that fails', async () => {
    const failing: Model = {
      // eslint-disable-next-line @typescript-eslint/require-await
      async *next() {
        yield say('a');
        throw new Error('the model is gone');
      },
    };
    const { run, sent } = start(failing);
    await assert.rejects(run, /the model is gone/);
    assert.equal(checkPairs(sent), 1);
  });

  it('MI-1 gives each model call a message id and a turn id of its own', async () => {
    const { run, sent } = start(scripted([say('a'), say('b'), ask('one')], [say('c')]));
    await run;
    const chunks = sent
      .map(({ params }) => asObject(params['update']))
      .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    const [a, b, c] = chunks.map(({ messageId, _meta }) => JSON.stringify([messageId, _meta]));
    assert.equal(a, b);
    assert.notEqual(b, c);
  });

  it('PT-8 stops at an answer that is cut off, and runs none of its tools', async () => {
    const ran: string[] = [];
    const runTool = ({ name }: ToolRequest): Promise<ToolResult> => {
      ran.push(name);
      return Promise.resolve({ outcome: 'completed', output: '' });
    };
    const cut: ModelEvent[] = [say('a'), ask('half'), { type: 'stop', reason: 'max_tokens' }];
    const { run, history } = start(scripted(cut), { runTool });
    assert.deepEqual(await run, { stopReason: 'max_tokens', modelCalls: 1 });
    assert.deepEqual(ran, []);
    checkResults(history);
  });

  it('PT-8 tells a refusal as one', async () => {
    const { run } = start(scripted([say('No.'), { type: 'stop', reason: 'refusal' }]));
    assert.deepEqual(await run, { stopReason: 'refusal', modelCalls: 1 });
  });

  it('lets tools that only read run side by side, and keeps their order', async () => {
    const open = new Map<string, () => void>();
    const running: string[] = [];
    const runTool = ({ name }: ToolRequest): Promise<ToolResult> => {
      running.push(name);
      return new Promise((resolve) =>
        open.set(name, () => resolve({ outcome: 'completed', output: `result of ${name}` })),
      );
    };
    const until = async (isThere: () => boolean): Promise<void> => {
      while (!isThere()) await createPause(0)(0, new AbortController().signal);
    };
    const model = scripted([ask('read a'), ask('read b'), ask('write'), ask('read c')], [say('done')]);
    const readsOnly = ({ name }: ToolRequest): boolean => name.startsWith('read');
    const { run, history } = start(model, { runTool, readsOnly });
    await until(() => running.length === 2);
    open.get('read b')?.();
    open.get('read a')?.();
    await until(() => running.length === 3);
    assert.deepEqual(running, ['read a', 'read b', 'write']);
    open.get('write')?.();
    await until(() => running.length === 4);
    open.get('read c')?.();
    assert.equal((await run).stopReason, 'end_turn');
    checkResults(history);
    assert.deepEqual(
      history.flatMap((item) => (item.role === 'tool' ? [item.output] : [])),
      ['result of read a', 'result of read b', 'result of write', 'result of read c'],
    );
  });

  it('tells what each model call used, and how full the context is', async () => {
    const used = { inputTokens: 90, outputTokens: 10 };
    const model = { ...scripted([say('a'), { type: 'usage', usage: used }]), contextTokens: 1000 };
    const { run, sent } = start(model);
    await run;
    assert.deepEqual(sent.find(({ method }) => method === '_parley/turn_end')?.params['usage'], used);
    const update = sent.map(({ params }) => asObject(params['update'])).find(isUsage);
    assert.deepEqual(update, { sessionUpdate: 'usage_update', used: 100, size: 1000 });
  });

  it('leaves an answer without a word out of the history', async () => {
    const { run, history } = start(scripted([]));
    await run;
    assert.deepEqual(history, [{ role: 'user', text: 'go' }]);
  });

  describe('with a model that fails', () => {
    const waits: number[] = [];
    const pause = (ms: number): Promise<void> => {
      waits.push(ms);
      return Promise.resolve();
    };
    beforeEach(() => waits.splice(0));

    /** Fails as often as told, then answers. */
    function failing(times: number, failure: () => ModelFailure): Model {
      let calls = 0;
      return {
        async *next() {
          await Promise.resolve();
          if (calls++ < times) throw failure();
          yield say('there');
        },
      };
    }

    it('tries again when it was told to, each time as a model call of its own', async () => {
      const { run, sent, history } = start(
        failing(2, () => new ModelFailure('rate_limit', 'Too many requests.', 700)),
        { pause },
      );
      assert.deepEqual(await run, { stopReason: 'end_turn', modelCalls: 3 });
      const told = sent.map(({ params }) => asObject(params['update'])).filter(isNotice);
      assert.deepEqual(told[0], {
        sessionUpdate: 'notice',
        severity: 'warning',
        title: 'Too many requests.',
        description: 'The next try is in 1 s.',
      });
      assert.equal(told.length, 2);
      assert.deepEqual(waits, [700, 700]);
      assert.equal(checkPairs(sent), 3);
      assert.equal(history.length, 2);
    });

    for (const [what, failure, calls] of [
      ['it fails for good', () => new ModelFailure('auth', 'The key was refused.'), 1],
      ['the wait is too long', () => new ModelFailure('rate_limit', 'Tomorrow.', 86_400_000), 1],
      ['it fails again and again', () => new ModelFailure('server', 'Overloaded.', 10), MAX_RETRIES + 1],
    ] as const)
      it(`gives up when ${what}`, async () => {
        const { run, sent } = start(failing(100, failure), { pause });
        await assert.rejects(run, ModelFailure);
        assert.equal(checkPairs(sent), calls);
      });

    it('CA-2 is cancelled while it waits to try again', async () => {
      const controller = new AbortController();
      const cancelling = (_ms: number, signal: AbortSignal): Promise<void> =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new TurnCancelled()));
          controller.abort();
        });
      const { run } = start(
        failing(1, () => new ModelFailure('server', 'Overloaded.', 10)),
        { pause: cancelling, signal: controller.signal },
      );
      assert.deepEqual(await run, { stopReason: 'cancelled', modelCalls: 1 });
    });

    it('counts tries for the limit of model calls', async () => {
      const { run } = start(
        failing(5, () => new ModelFailure('server', 'Overloaded.', 10)),
        { pause, maxModelCalls: 2 },
      );
      assert.deepEqual(await run, { stopReason: 'max_turn_requests', modelCalls: 2 });
    });
  });

  it('counts the model calls that making room takes', async () => {
    const before: number[] = [];
    const makeRoom = (calls: number): Promise<number> => {
      before.push(calls);
      return Promise.resolve(before.length === 1 ? 1 : 0);
    };
    const { run, sent } = start(scripted([ask('one')], [say('done')]), { makeRoom });
    assert.deepEqual(await run, { stopReason: 'end_turn', modelCalls: 3 });
    assert.deepEqual(before, [0, 2]);
    assert.deepEqual(
      sent.filter(({ method }) => method === '_parley/turn_start').map(({ params }) => params['index']),
      [2, 3],
    );
  });

  it('PT-8 counts the model calls that making room takes for the limit', async () => {
    const makeRoom = (): Promise<number> => Promise.resolve(1);
    const model = scripted([ask('one')]);
    const { run } = start(model, { makeRoom, maxModelCalls: 3 });
    assert.deepEqual(await run, { stopReason: 'max_turn_requests', modelCalls: 3 });
    assert.equal(model.seen.length, 1);
  });

  it('CA-2 is cancelled while room is made, with the model calls that this took', async () => {
    const controller = new AbortController();
    const makeRoom = (): Promise<number> => {
      controller.abort();
      return Promise.resolve(1);
    };
    const model = scripted([say('never')]);
    const { run } = start(model, { makeRoom, signal: controller.signal });
    assert.deepEqual(await run, { stopReason: 'cancelled', modelCalls: 1 });
    assert.equal(model.seen.length, 0);
  });
});
