import assert from 'node:assert/strict';
import { runLoop, type LoopOptions } from '../../../src/agent/loop';
import { conversationOf } from '../../../src/agent/events/conversation';
import type { AgentEvent, TimedEvent } from '../../../src/agent/events/event';
import {
  ModelFailure,
  type HistoryItem,
  type Model,
  type ModelEvent,
  type ToolRequest,
} from '../../../src/agent/model/model';
import { SessionReport, type ModelCallReport } from '../../../src/agent/report';
import type { ToolResult } from '../../../src/agent/tools/runner';
import { openRequests } from './context/sessionBench';

const say = (text: string): ModelEvent => ({ type: 'text', text });
const ask = (name: string): ModelEvent => ({ type: 'toolRequest', name, input: {} });
const readsOnly = (): boolean => true;

/** A model that gives one prepared answer for each call; a failure is thrown where it stands. */
function scripted(...answers: (ModelEvent | ModelFailure)[][]): Model & { seen: HistoryItem[][] } {
  const seen: HistoryItem[][] = [];
  return {
    seen,
    async *next({ history }) {
      seen.push([...history]);
      await Promise.resolve();
      for (const event of answers[seen.length - 1] ?? []) {
        if (event instanceof ModelFailure) throw event;
        yield event;
      }
    },
  };
}

interface Bench {
  history: HistoryItem[];
  events: TimedEvent[];
  sent: string[];
  controller: AbortController;
  options: LoopOptions;
}

/** @param full true for an event that can't be kept. */
function bench(model: Model, full: (event: AgentEvent) => boolean = () => false): Bench {
  const events: TimedEvent[] = [
    { at: 0, type: 'user.message', messageId: 'message-1', blocks: [{ type: 'text', text: 'go' }] },
  ];
  const sent: string[] = [];
  const report = new SessionReport({
    sessionId: 's',
    turnEvents: true,
    notify: (method) => sent.push(method),
    record: (event) => {
      if (full(event)) throw new Error('The disk is full.');
      events.push({ at: events.length, ...structuredClone(event) });
    },
  });
  const history: HistoryItem[] = [{ role: 'user', text: 'go' }];
  const controller = new AbortController();
  const options: LoopOptions = {
    model,
    history,
    mode: () => 'interactive',
    runTool: done,
    readsOnly,
    report: report.beginTurn(),
    signal: controller.signal,
    pause: () => Promise.resolve(),
  };
  return { history, events, sent, controller, options };
}

/** Runs a tool, and keeps how it ended. */
function done(request: ToolRequest, report: ModelCallReport): Promise<ToolResult> {
  const result = { outcome: 'completed' as const, output: `result of ${request.name}` };
  report.toolEnded(request, { status: result.outcome, output: result.output }, []);
  return Promise.resolve(result);
}

describe('history of the agent loop', () => {
  it('CA-2 keeps the results that had come before a cancel, the same in the log and in the session', async () => {
    const { options, history, events, controller } = bench(
      scripted([ask('slow'), ask('quick'), ask('late')]),
    );
    const runTool: LoopOptions['runTool'] = async (request, report) => {
      if (request.name !== 'quick') return new Promise(() => undefined);
      const result = await done(request, report);
      setImmediate(() => controller.abort());
      return result;
    };
    assert.equal((await runLoop({ ...options, runTool })).stopReason, 'cancelled');
    const results = history.filter((item) => item.role === 'tool');
    assert.deepEqual(
      results.map(({ name, outcome }) => `${name}: ${outcome}`),
      ['slow: cancelled', 'quick: completed', 'late: cancelled'],
    );
    // What was begun may have done something.
    assert.match(results[0]?.output ?? '', /a part of its work/);
    assert.equal(results[1]?.output, 'result of quick');
    assert.deepEqual(openRequests(history), []);
    assert.deepEqual(conversationOf(events).history, history);
    const ends = events.filter(({ type }) => type === 'tool.execution_complete');
    assert.equal(ends.length, 3);
  });

  it('has the results in the order of the requests also after it was loaded', async () => {
    const { options, history, events } = bench(scripted([ask('first'), ask('second')], [say('done')]));
    let second: () => void = () => undefined;
    const isSecondDone = new Promise<void>((resolve) => (second = resolve));
    const runTool: LoopOptions['runTool'] = async (request, report) => {
      if (request.name === 'first') await isSecondDone;
      const result = await done(request, report);
      second();
      return result;
    };
    await runLoop({ ...options, runTool });
    assert.deepEqual(conversationOf(events).history, history);
    assert.deepEqual(openRequests(conversationOf(events).history), []);
  });

  for (const type of [
    'assistant.turn_start',
    'assistant.message',
    'tool.execution_complete',
    'assistant.turn_end',
  ] as const)
    it(`is one that a model can continue where the log took no ${type}, and starts and ends are pairs`, async () => {
      const model = scripted([ask('one'), ask('two')], [say('done')]);
      const { options, history, sent } = bench(model, (event) => event.type === type);
      const runTool = (): Promise<ToolResult> => Promise.reject(new Error('The tool is broken.'));
      await assert.rejects(runLoop({ ...options, runTool }), /The disk is full|The tool is broken/);
      assert.deepEqual(openRequests(history), []);
      for (const item of history)
        assert.ok(item.role !== 'assistant' || item.text !== '' || item.toolRequests.length > 0);
      const count = (method: string): number => sent.filter((one) => one === method).length;
      assert.equal(count('_parley/turn_start'), count('_parley/turn_end'));
    });

  it('does not end with the answer that broke off when the model is asked again', async () => {
    const broken = [say('Half a '), new ModelFailure('server', 'Overloaded.', 10)];
    const model = scripted([ask('one')], broken, broken, [say('Whole.')]);
    const { options, history } = bench(model);
    assert.equal((await runLoop(options)).stopReason, 'end_turn');
    assert.deepEqual(
      model.seen.map((seen) => seen.at(-1)?.role),
      ['user', 'tool', 'tool', 'tool'],
    );
    // What the person saw stays.
    assert.equal(history.filter((item) => item.role === 'assistant' && item.text === 'Half a ').length, 2);
  });
});
