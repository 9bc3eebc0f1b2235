import assert from 'node:assert/strict';
import { logTable } from '../../../../src/agent/cli/log';
import { conversationOf } from '../../../../src/agent/events/conversation';
import { replayOf } from '../../../../src/agent/events/replay';
import type { ModelEvent } from '../../../../src/agent/model/model';
import { ModelFailure } from '../../../../src/agent/model/model';
import {
  ask,
  isSummary,
  loopOf,
  openRequests,
  rolesOf,
  say,
  SessionBench,
  spent,
  type Script,
} from './sessionBench';

const SIZE = 8000;
const SUMMARY = 'We looked at big things.';

/** Answers each prompt with one sentence, `big N` with a tool output of as many characters, and a request for a summary with one. */
const talker =
  (summary: Script = () => [say(SUMMARY), spent(900, 20)]): Script =>
  (input, signal) => {
    if (isSummary(input)) return summary(input, signal);
    const last = input.history.at(-1);
    const characters = last?.role === 'user' ? /^big (\d+)/.exec(last.text)?.[1] : undefined;
    return characters === undefined ? [say('Seen.')] : [ask('big', { characters: Number(characters) })];
  };

/** A text of about as many tokens. */
const words = (tokens: number): string => 'word '.repeat((tokens * 4) / 5);

/** Starts and ends in the log are pairs. */
function calls({ events }: SessionBench): number {
  const { started, ended } = conversationOf(events);
  assert.equal(started, ended);
  return started;
}

describe('context of a session', () => {
  it('leaves a conversation alone that fits, and one with a model whose room nobody knows', async () => {
    for (const contextTokens of [SIZE * 100, undefined]) {
      const bench = new SessionBench(talker(), contextTokens === undefined ? {} : { contextTokens });
      for (let n = 0; n < 3; n++) await bench.prompt('big 30000');
      assert.equal(bench.seen.length, 6);
      assert.ok(
        !bench.types().some((type) => type === 'session.outputs_cut' || type === 'session.compaction'),
      );
      assert.ok(JSON.stringify(bench.seen.at(-1)?.history).length > 90_000);
    }
  });

  it('cuts old tool outputs first, without a model call, and the same after it was loaded', async () => {
    const bench = new SessionBench(talker(), { contextTokens: SIZE });
    for (let n = 0; n < 4; n++) assert.equal(loopOf(await bench.prompt('big 7500'))['modelCalls'], 2);
    assert.ok(bench.types().includes('session.outputs_cut'));
    assert.deepEqual(bench.of('compaction_update'), []);
    const outputs = bench.seen.at(-1)?.history.filter((item) => item.role === 'tool') ?? [];
    assert.deepEqual(
      outputs.map(({ output }) => output.length === 7500),
      [false, false, true, true],
    );
    assert.deepEqual(bench.loaded.slice(0, -1), bench.seen.at(-1)?.history);
  });

  it('NO-3 summarizes what was said before, which a client that shows compactions is told', async () => {
    const bench = new SessionBench(talker(), { contextTokens: SIZE });
    for (let n = 0; n < 3; n++) await bench.prompt(words(2000));
    const answer = await bench.prompt(`last ${words(1000)}`);
    assert.deepEqual(loopOf(answer), { modelCalls: 2, usage: { inputTokens: 900, outputTokens: 20 } });
    assert.equal(calls(bench), 5);
    const { history } = bench.seen.at(-1) ?? { history: [] };
    assert.deepEqual(rolesOf(history), ['note', 'user']);
    assert.ok(history[0]?.role === 'user' && history[0].text.endsWith(SUMMARY));
    assert.deepEqual(bench.loaded.slice(0, -1), history);
    const [started, done, ...more] = bench.of('compaction_update');
    assert.deepEqual([started?.status, done?.status, more.length], ['in_progress', 'completed', 0]);
    assert.equal(started?.compactionId, done?.compactionId);
    assert.deepEqual(done?.summary, [{ type: 'text', text: SUMMARY }]);
    // Its text is no answer.
    assert.equal(bench.text, 'Seen.'.repeat(4));
    const used = bench.of('usage_update').at(-1);
    assert.ok(used && used.used < 2000 && used.size === SIZE);
  });

  it('NO-3 says nothing of it to a client that did not announce compactions', async () => {
    const bench = new SessionBench(talker(), { contextTokens: SIZE, compactionUpdates: false });
    for (let n = 0; n < 4; n++) await bench.prompt(words(2000));
    assert.ok(bench.types().includes('session.compaction'));
    assert.deepEqual(bench.of('compaction_update'), []);
    assert.equal(bench.text, 'Seen.'.repeat(4));
  });

  it('SE-8 shows all of a summarized conversation when it is loaded, and its log tells all calls', async () => {
    const bench = new SessionBench(talker(), { contextTokens: SIZE });
    for (let n = 0; n < 4; n++) await bench.prompt(`${n} ${words(2000)}`);
    const kinds = (compaction: boolean): string[] =>
      replayOf(bench.events, { syntheticMessages: false, compaction }).map(
        ({ sessionUpdate }) => sessionUpdate,
      );
    const talk = ['user_message_chunk', 'agent_message_chunk'];
    assert.deepEqual(kinds(false), ['session_info_update', ...talk, ...talk, ...talk, ...talk]);
    assert.deepEqual(kinds(true).filter((kind) => kind === 'compaction_update').length, 1);
    const table = logTable(bench.events);
    assert.match(
      table,
      /model call 4: compaction +\d+\.\d s +900 \/ 20\n.*summarized: the model goes on with 2 items/,
    );
    assert.match(table, /5 model calls, 0 tool calls; 900 tokens in, 20 out$/);
  });

  it('summarizes the prompt turn itself where that alone takes too much room, and goes on with the prompt', async () => {
    let n = 0;
    const bench = new SessionBench(
      (input) => {
        if (isSummary(input)) return [say(SUMMARY)];
        return ++n > 9 ? [say('Done.')] : [say(words(1200)), ask('big', { characters: 40 })];
      },
      { contextTokens: SIZE },
    );
    await bench.prompt('do nine things');
    const { history = [] } = bench.seen.at(-1) ?? {};
    assert.deepEqual(rolesOf(history).slice(0, 3), ['note', 'user', 'assistant']);
    assert.ok(history[1]?.role === 'user' && history[1].text === 'do nine things');
    for (const input of bench.seen) assert.deepEqual(openRequests(input.history), []);
    assert.deepEqual(bench.loaded.slice(0, -1), history);
    assert.ok(bench.seen.filter(isSummary).length >= 1);
    assert.equal(calls(bench), bench.seen.length);
  });

  it('goes on without a summary where that fails and the conversation fits all the same, and does not try again', async () => {
    const bench = new SessionBench(
      talker(() => [{ type: 'stop', reason: 'refusal' }]),
      { contextTokens: SIZE },
    );
    for (let n = 0; n < 3; n++) await bench.prompt(words(2000));
    const answer = await bench.prompt(`big 40 ${words(500)}`);
    assert.equal(answer.stopReason, 'end_turn');
    assert.equal(bench.seen.filter(isSummary).length, 1);
    assert.equal(bench.of('compaction_update').at(-1)?.status, 'failed');
    assert.match(bench.of('compaction_update').at(-1)?.error ?? '', /refused to write a summary/);
    assert.equal(rolesOf(bench.seen.at(-1)?.history).length, 9);
    assert.equal(calls(bench), 6);
  });

  it('ends with a clear error where the conversation can not fit, and asks for one summary at most', async () => {
    const bench = new SessionBench(
      talker(() => [say(' ')]),
      { contextTokens: SIZE },
    );
    for (let n = 0; n < 3; n++) await bench.prompt(words(2000));
    await assert.rejects(
      bench.prompt(words(3000)),
      /too long for the model, which can read about 8,000 tokens at once; begin a new session, or use \/compact\. .* wrote no summary/,
    );
    assert.equal(bench.seen.filter(isSummary).length, 1);
    assert.equal(calls(bench), 4);
    assert.equal(bench.events.at(-1)?.type, 'session.error');
  });

  it('takes no summary that is no shorter, and no further one in the same prompt turn', async () => {
    const bench = new SessionBench(
      talker(() => [say(words(9000))]),
      { contextTokens: SIZE },
    );
    for (let n = 0; n < 3; n++) await bench.prompt(words(2000));
    await bench.prompt(`big 40 ${words(500)}`);
    assert.equal(bench.seen.filter(isSummary).length, 1);
    assert.ok(!bench.types().includes('session.compaction'));
    assert.match(bench.of('compaction_update').at(-1)?.error ?? '', /no shorter/);
  });

  it('makes no second summary in a prompt turn where the first one hardly helped', async () => {
    const bench = new SessionBench(
      (input) => {
        if (isSummary(input)) return [say(words(4300))];
        const last = input.history.at(-1);
        if (last?.role === 'tool') return [say('Done.')];
        const isThird = last?.role === 'user' && last.text.startsWith('third');
        return isThird ? [say(words(1400)), ask('big', { characters: 40 })] : [say('Seen.')];
      },
      { contextTokens: SIZE },
    );
    for (let n = 0; n < 3; n++) await bench.prompt(words(2000));
    await bench.prompt(`third ${words(500)}`);
    assert.deepEqual(bench.seen.map(isSummary), [false, false, false, true, false, false]);
    assert.ok(bench.types().includes('session.compaction'));
    const used = bench.of('usage_update').at(-1)?.used ?? 0;
    assert.ok(used > SIZE * 0.8 && used < SIZE, String(used));
  });

  it('refuses a prompt that can not fit before any model call, and goes on with the next one', async () => {
    const bench = new SessionBench(talker(), { contextTokens: SIZE });
    await assert.rejects(bench.prompt(words(9000)), /This prompt is too long for the model.* 8,000 tokens/);
    assert.equal(bench.seen.length, 0);
    assert.equal((await bench.prompt('hello')).stopReason, 'end_turn');
    assert.deepEqual(rolesOf(bench.seen.at(-1)?.history), ['note', 'user']);
  });

  it('shortens an output that would not fit at all instead of giving up', async () => {
    const bench = new SessionBench(talker(), { contextTokens: SIZE });
    await bench.prompt('big 100000');
    const output = bench.seen.at(-1)?.history.at(-1);
    assert.ok(output?.role === 'tool' && output.output.length > 10_000 && output.output.length < 32_000);
    assert.match(output.output, /\[Cut to save room: \d+ more characters/);
    assert.deepEqual(bench.loaded.slice(0, -1), bench.seen.at(-1)?.history);
  });

  it('tries a summary again where the model asks for patience, each try a model call of its own', async () => {
    let tries = 0;
    const bench = new SessionBench(
      talker(() => {
        if (tries++ === 0) throw new ModelFailure('rate_limit', 'Too many calls.', 0);
        return [say(SUMMARY)];
      }),
      { contextTokens: SIZE },
    );
    for (let n = 0; n < 3; n++) await bench.prompt(words(2000));
    assert.equal(loopOf(await bench.prompt(words(1000)))['modelCalls'], 3);
    assert.deepEqual(
      bench.of('compaction_update').map(({ status }) => status),
      ['in_progress', 'completed'],
    );
    assert.equal(calls(bench), 6);
  });

  it('CA-2 is cancelled in the middle of a summary, which leaves the conversation as it is', async () => {
    let begun: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (begun = resolve));
    const bench = new SessionBench(
      talker(() => {
        begun();
        return new Promise<ModelEvent[]>(() => undefined);
      }),
      { contextTokens: SIZE },
    );
    for (let n = 0; n < 3; n++) await bench.prompt(words(2000));
    const prompt = bench.prompt(words(3000));
    await running;
    bench.session.cancel();
    const answer = await prompt;
    assert.equal(answer.stopReason, 'cancelled');
    assert.equal(loopOf(answer)['modelCalls'], 1);
    assert.equal(bench.of('compaction_update').at(-1)?.status, 'cancelled');
    assert.deepEqual(bench.types().slice(-2), ['assistant.turn_end', 'session.cancelled']);
    assert.equal(calls(bench), 4);
    assert.equal(bench.loaded.length, 7);
  });

  it('is interrupted where the process ends in the middle of a summary or after it', async () => {
    const bench = new SessionBench(talker(), { contextTokens: SIZE });
    for (let n = 0; n < 4; n++) await bench.prompt(words(2000));
    const from = bench.events.findLastIndex(({ type }) => type === 'user.message') + 1;
    for (let length = from; length < bench.events.length; length++)
      assert.equal(conversationOf(bench.events.slice(0, length)).interrupted, true);
    assert.equal(conversationOf(bench.events).interrupted, false);
  });

  it('US-1 tells an estimate of a model that does not count', async () => {
    const bench = new SessionBench(talker(), { contextTokens: SIZE });
    await bench.prompt(words(2000));
    const [usage, ...more] = bench.of('usage_update');
    assert.ok(usage && usage.used > 2000 && usage.used < 2800 && more.length === 0);
    const counting = new SessionBench(() => [say('a'), spent(123, 4)], { contextTokens: SIZE });
    const answer = await counting.prompt('hello');
    assert.deepEqual(
      counting.of('usage_update').map(({ used }) => used),
      [127],
    );
    assert.deepEqual(loopOf(answer)['usage'], { inputTokens: 123, outputTokens: 4 });
  });
});

describe('/compact', () => {
  it('summarizes at once and says so, and the model goes on with the summary', async () => {
    const bench = new SessionBench(talker());
    await bench.prompt(`first ${words(1000)}`);
    const answer = await bench.prompt('/compact the names');
    assert.equal(answer.stopReason, 'end_turn');
    assert.equal(loopOf(answer)['modelCalls'], 1);
    assert.match(bench.text, /The conversation is summarized: about [\d,]+ tokens became \d+\.$/);
    const request = bench.seen.at(-1)?.history[0];
    assert.ok(request?.role === 'user');
    assert.match(request.text, /Person: first word/);
    assert.match(request.text, /kept above all: the names$/);
    assert.equal(bench.of('compaction_update').at(-1)?.status, 'completed');
    assert.equal(conversationOf(bench.events).interrupted, false);
    await bench.prompt('and now?');
    assert.deepEqual(rolesOf(bench.seen.at(-1)?.history), ['note', 'user']);
    assert.deepEqual(bench.loaded.slice(0, -1), bench.seen.at(-1)?.history);
    const replayed = replayOf(bench.events, { syntheticMessages: false });
    assert.ok(JSON.stringify(replayed).includes('/compact the names'));
    assert.ok(JSON.stringify(replayed).includes('The conversation is summarized'));
  });

  it('says where there is nothing to summarize, without a model call or a title', async () => {
    const bench = new SessionBench(talker());
    assert.equal((await bench.prompt('/compact')).stopReason, 'end_turn');
    assert.match(bench.text, /nothing to summarize yet/);
    assert.equal(bench.seen.length, 0);
    assert.deepEqual(bench.of('session_info_update'), []);
    assert.deepEqual(bench.loaded, []);
  });

  it('fails with the reason, and leaves the conversation as it is', async () => {
    const bench = new SessionBench(
      talker(() => {
        throw new ModelFailure('connection', 'The model can not be reached.');
      }),
    );
    await bench.prompt('first');
    await assert.rejects(bench.prompt('/compact'), /can not be reached/);
    await bench.prompt('second');
    assert.deepEqual(rolesOf(bench.seen.at(-1)?.history), ['user', 'assistant', 'user']);
    assert.deepEqual(bench.loaded.slice(0, -1), bench.seen.at(-1)?.history);
  });

  it('CA-2 can be cancelled', async () => {
    let begun: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (begun = resolve));
    const bench = new SessionBench(
      talker(() => {
        begun();
        return new Promise<ModelEvent[]>(() => undefined);
      }),
    );
    await bench.prompt('first');
    const prompt = bench.prompt('/compact');
    await running;
    bench.session.cancel();
    assert.equal((await prompt).stopReason, 'cancelled');
    assert.equal(bench.text, 'Seen.');
    assert.deepEqual(bench.types().slice(-2), ['assistant.turn_end', 'session.cancelled']);
    assert.equal(calls(bench), 2);
  });

  it('is announced, and without a language model it says that it is of no use', async () => {
    const bench = new SessionBench(talker(), { offline: true });
    bench.session.announceCommands();
    const [update] = bench.of('available_commands_update');
    assert.deepEqual(
      update?.availableCommands.map(({ name }) => name),
      ['tour', 'help', 'compact'],
    );
    await bench.prompt('/compact');
    assert.match(bench.text, /not a language model/);
  });
});
