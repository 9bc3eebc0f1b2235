import assert from 'node:assert/strict';
import { createPause } from '../../../src/agent/abort';
import { runLoop, type LoopOptions, type LoopResult } from '../../../src/agent/loop';
import type { HistoryItem, Model, ModelEvent, ToolRequest } from '../../../src/agent/model/model';
import { SessionReport } from '../../../src/agent/report';
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
});
