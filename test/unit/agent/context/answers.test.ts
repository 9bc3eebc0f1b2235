import assert from 'node:assert/strict';
import { forgetPrompt } from '../../../../src/agent/events/conversation';
import { replayOf } from '../../../../src/agent/events/replay';
import type { HistoryItem } from '../../../../src/agent/model/model';
import { ask, isSummary, openRequests, rolesOf, say, SessionBench, type Script } from './sessionBench';

describe('answers that are none', () => {
  const refusing: Script = ({ history }) => {
    const last = history.at(-1);
    if (last?.role === 'user' && last.text === 'bad') return [ask('big', { characters: 5 })];
    return last?.role === 'tool' ? [say('No'), { type: 'stop', reason: 'refusal' }] : [say('Yes.')];
  };

  it('PT-9 a refused prompt is not part of what the model is given later, with all that followed it', async () => {
    const bench = new SessionBench(refusing);
    await bench.prompt('good');
    assert.equal((await bench.prompt('bad')).stopReason, 'refusal');
    assert.deepEqual(rolesOf(bench.loaded), ['user', 'assistant']);
    await bench.prompt('better');
    assert.deepEqual(rolesOf(bench.seen.at(-1)?.history), ['user', 'assistant', 'user']);
    assert.ok(!JSON.stringify(bench.seen.at(-1)?.history).includes('bad'));
    assert.deepEqual(bench.loaded.slice(0, -1), bench.seen.at(-1)?.history);
    // The person still sees it.
    assert.ok(JSON.stringify(replayOf(bench.events, { syntheticMessages: false })).includes('"bad"'));
  });

  it('forgets the last prompt of the person with all notes after it, and nothing where there is none', () => {
    const note: HistoryItem = { role: 'user', text: 'go on', synthetic: true };
    const prompt: HistoryItem = { role: 'user', text: 'do it' };
    const forgotten = (...history: HistoryItem[]): HistoryItem[] => {
      forgetPrompt(history);
      return history;
    };
    assert.deepEqual(forgotten(note, prompt, prompt, note), [note, prompt]);
    assert.deepEqual(forgotten(note), [note]);
  });

  it('a refusal after a summary keeps the summary', async () => {
    const bench = new SessionBench((input, signal) =>
      isSummary(input) ? [say('All.')] : refusing(input, signal),
    );
    await bench.prompt('good '.repeat(800));
    await bench.prompt('/compact');
    await bench.prompt('bad');
    assert.deepEqual(rolesOf(bench.loaded), ['note']);
    await bench.prompt('better');
    assert.deepEqual(rolesOf(bench.seen.at(-1)?.history), ['note', 'user']);
  });

  it('an empty answer is dropped', async () => {
    let calls = 0;
    const bench = new SessionBench(() => (calls++ === 0 ? [] : [say('Yes.')]));
    await bench.prompt('first');
    await bench.prompt('second');
    assert.deepEqual(rolesOf(bench.seen.at(-1)?.history), ['user', 'user']);
    assert.deepEqual(rolesOf(bench.loaded), ['user', 'user', 'assistant']);
  });

  it('an answer that is cut off is kept as far as it came, with its requests closed', async () => {
    const bench = new SessionBench(({ history }) =>
      history.length === 1
        ? [say('Half'), ask('big', { characters: 5 }), { type: 'stop', reason: 'max_tokens' }]
        : [say('Yes.')],
    );
    assert.equal((await bench.prompt('first')).stopReason, 'max_tokens');
    await bench.prompt('second');
    const { history = [] } = bench.seen.at(-1) ?? {};
    assert.deepEqual(rolesOf(history), ['user', 'assistant', 'tool', 'user']);
    assert.deepEqual(openRequests(history), []);
    assert.deepEqual(bench.loaded.slice(0, -1), history);
  });
});
