import assert from 'node:assert/strict';
import { MAX_NUDGES, NUDGE, runTurn, type TurnResult } from '../../../src/agent/autopilot';
import {
  ModelFailure,
  type HistoryItem,
  type Mode,
  type Model,
  type ModelEvent,
} from '../../../src/agent/model/model';
import { SessionReport } from '../../../src/agent/report';
import type { ToolResult } from '../../../src/agent/tools/runner';

const say = (text: string): ModelEvent[] => [{ type: 'text', text }];
const ask = (name: string): ModelEvent[] => [{ type: 'toolRequest', name, input: {} }];

interface Ran extends TurnResult {
  told: number[];
  starts: number[];
}

/** Runs a turn with a model that gives one prepared answer for each call, and then the last one again. */
async function run(
  answers: (ModelEvent[] | ModelFailure)[],
  mode: Mode = 'autopilot',
  maxModelCalls?: number,
): Promise<Ran> {
  const history: HistoryItem[] = [{ role: 'user', text: 'go' }];
  const told: number[] = [];
  const starts: number[] = [];
  let calls = 0;
  const model: Model = {
    async *next() {
      await Promise.resolve();
      const answer = answers[Math.min(calls++, answers.length - 1)] ?? [];
      if (answer instanceof ModelFailure) throw answer;
      yield* answer;
    },
  };
  const report = new SessionReport({
    sessionId: 's',
    turnEvents: false,
    notify: () => undefined,
    record: (event) => {
      if (event.type === 'assistant.turn_start') starts.push(event.index);
    },
  });
  const result = await runTurn({
    model,
    history,
    mode: () => mode,
    runTool: ({ name }): Promise<ToolResult> =>
      Promise.resolve({
        outcome: 'completed',
        output: '',
        ...(name === 'task_complete' ? { taskComplete: { summary: 'all' } } : {}),
      }),
    nudge: (text, n) => {
      assert.equal(text, NUDGE);
      told.push(n);
      history.push({ role: 'user', text, synthetic: true });
    },
    report: report.beginTurn(),
    signal: new AbortController().signal,
    ...(maxModelCalls === undefined ? {} : { maxModelCalls }),
  });
  return { ...result, told, starts };
}

describe('autopilot', () => {
  it('is not nudged when the model says that the task is done', async () => {
    const { told, taskComplete, modelCalls } = await run([ask('edit'), ask('task_complete')]);
    assert.deepEqual(
      { told, taskComplete, modelCalls },
      { told: [], taskComplete: { summary: 'all' }, modelCalls: 2 },
    );
  });

  it('is nudged once and goes on', async () => {
    const { told, nudges, taskComplete, starts } = await run([
      say('done?'),
      ask('edit'),
      ask('task_complete'),
    ]);
    assert.deepEqual(
      { told, nudges, taskComplete },
      { told: [1], nudges: 1, taskComplete: { summary: 'all' } },
    );
    assert.deepEqual(starts, [1, 2, 3]);
  });

  it('is not nudged again when a nudge brought no tool call', async () => {
    const { told, nudgesExhausted, stopReason, modelCalls } = await run([say('I think so.')]);
    assert.deepEqual(
      { told, nudgesExhausted, stopReason, modelCalls },
      { told: [1], nudgesExhausted: true, stopReason: 'end_turn', modelCalls: 2 },
    );
  });

  it('is not nudged again when a nudge brought only calls that failed or made room, and no tool call', async () => {
    const failed = new ModelFailure('server', 'Overloaded.', 0);
    const { told, nudgesExhausted, modelCalls } = await run([say('I think so.'), failed, say('Still so.')]);
    assert.deepEqual(
      { told, nudgesExhausted, modelCalls },
      { told: [1], nudgesExhausted: true, modelCalls: 3 },
    );
  });

  it('is nudged no more than so many times', async () => {
    const { told, nudgesExhausted } = await run([
      ...Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ask('edit') : say('next?'))),
    ]);
    assert.equal(told.length, MAX_NUDGES);
    assert.equal(nudgesExhausted, true);
  });

  it('PT-8 counts the calls of all loops for one limit', async () => {
    const { stopReason, modelCalls, told } = await run(
      [say('a'), ask('edit'), ask('edit'), ask('edit')],
      'autopilot',
      3,
    );
    assert.deepEqual(
      { stopReason, modelCalls, told },
      { stopReason: 'max_turn_requests', modelCalls: 3, told: [1] },
    );
    const atLimit = await run([say('a')], 'autopilot', 1);
    assert.deepEqual([atLimit.stopReason, atLimit.told], ['max_turn_requests', []]);
  });

  for (const mode of ['interactive', 'plan'] as const) {
    it(`never nudges in the mode ${mode}`, async () => {
      const { told, modelCalls } = await run([say('a')], mode);
      assert.deepEqual({ told, modelCalls }, { told: [], modelCalls: 1 });
    });
  }
});
