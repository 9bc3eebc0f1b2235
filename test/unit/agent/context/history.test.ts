import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyCuts, lastOutputs, oldOutputs } from '../../../../src/agent/context/cuts';
import { splitHistory, summaryItem, summaryRequest } from '../../../../src/agent/context/summary';
import { estimateItem, estimateText } from '../../../../src/agent/context/tokens';
import type { HistoryItem } from '../../../../src/agent/model/model';
import { openRequests } from './sessionBench';

const tokensOf = (history: readonly HistoryItem[]): number =>
  history.reduce((sum, item) => sum + estimateItem(item), 0);

/** A model call with its results; a length of an output for each. */
type Call = number[];

const call: fc.Arbitrary<Call> = fc.array(fc.oneof(fc.nat(300), fc.nat(20_000)), { maxLength: 3 });
const talk = fc.array(fc.record({ nudged: fc.boolean(), calls: fc.array(call, { maxLength: 4 }) }), {
  minLength: 1,
  maxLength: 4,
});

/** The history of prompts with their model calls; some prompt turns have a nudge in them. */
function historyOf(prompts: readonly { nudged: boolean; calls: readonly Call[] }[]): HistoryItem[] {
  let id = 0;
  return prompts.flatMap(({ nudged, calls }, n) => [
    { role: 'user', text: `prompt ${n}` } as const,
    ...calls.flatMap((outputs): HistoryItem[] => {
      const toolRequests = outputs.map(() => ({ id: `tool-call-${++id}`, name: 'big', input: {} }));
      const results = outputs.map((length, at): HistoryItem => {
        const requestId = toolRequests[at]?.id ?? '';
        return { role: 'tool', requestId, name: 'big', outcome: 'completed', output: 'y'.repeat(length) };
      });
      return [{ role: 'assistant', text: 'a', toolRequests }, ...results];
    }),
    ...(nudged ? [{ role: 'user', text: 'go on', synthetic: true } as const] : []),
  ]);
}

const last = (history: readonly HistoryItem[]): HistoryItem | undefined =>
  history.findLast((item) => item.role === 'user' && !item.synthetic);

describe('a history that is made shorter', () => {
  it('has a result for each request of a tool, and the last prompt, wherever it is cut', () => {
    fc.assert(
      fc.property(talk, fc.nat(20_000), fc.nat(6000), (prompts, tokens, small) => {
        const history = historyOf(prompts);
        const cut = applyCuts(history, oldOutputs(history, tokens));
        const shorter = applyCuts(cut, lastOutputs(cut, tokens));
        const split = splitHistory(shorter, (kept) => tokensOf(kept) <= small);
        const next = split ? [summaryItem('all'), ...split.kept] : shorter;
        for (const result of [cut, shorter, next]) {
          assert.deepEqual(openRequests(result), []);
          assert.deepEqual(last(result), last(history));
        }
        assert.equal(cut.length, history.length);
        assert.ok(tokensOf(shorter) <= tokensOf(cut) && tokensOf(cut) <= tokensOf(history));
        // All that is not kept is told to the one that writes the summary.
        if (split)
          assert.ok(split.told.length > 0 && split.told.length + split.kept.length >= shorter.length);
      }),
    );
  });

  it('keeps whole what the last model call asked for, and cuts the oldest first until enough is free', () => {
    const history = historyOf([{ nudged: false, calls: [[8000], [8000], [8000]] }]);
    const [first, second] = ['tool-call-1', 'tool-call-2'];
    assert.deepEqual(Object.keys(oldOutputs(history, 100)), [first]);
    assert.deepEqual(Object.keys(oldOutputs(history, 1900)), [first, second]);
    assert.deepEqual(Object.keys(oldOutputs(history, 100_000)), [first, second]);
    const cut = applyCuts(history, oldOutputs(history, 100));
    const output = cut.find((item) => item.role === 'tool');
    assert.ok(output?.role === 'tool');
    assert.match(output.output, /^y{400}\n\[Cut to save room: 7600 more characters\. Call the tool again/);
    assert.deepEqual(cut.slice(3), history.slice(3));
  });

  it('cuts nothing twice and never makes an output longer', () => {
    fc.assert(
      fc.property(talk, (prompts) => {
        const history = historyOf(prompts);
        const cut = applyCuts(history, oldOutputs(history, Infinity));
        assert.deepEqual(oldOutputs(cut, Infinity), {});
        cut.forEach((item, at) => {
          const before = history[at];
          if (item.role === 'tool' && before?.role === 'tool')
            assert.ok(item.output.length <= before.output.length);
        });
      }),
    );
  });

  it('cuts the last outputs to what there is room for, and no character in two', () => {
    const history = historyOf([{ nudged: false, calls: [[8000, 4000, 10]] }]);
    const cut = applyCuts(history, lastOutputs(history, 1500));
    assert.ok(tokensOf(history) - tokensOf(cut) >= 1500);
    assert.ok(tokensOf(history) - tokensOf(cut) < 1600);
    const emoji: HistoryItem = {
      role: 'tool',
      requestId: 'c',
      name: 'n',
      outcome: 'completed',
      output: '😀'.repeat(500),
    };
    const [item] = applyCuts([emoji], { c: 401 });
    assert.ok(item?.role === 'tool' && !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(item.output));
  });
});

describe('the cut of a conversation for a summary', () => {
  const none = { nudged: false, calls: [] };
  const one = { nudged: false, calls: [[10]] };

  it('is before the prompt', () => {
    const history = historyOf([one, one]);
    const split = splitHistory(history, () => true);
    assert.deepEqual(split, { told: history.slice(0, 3), kept: history.slice(3) });
  });

  it('is before the last model call where the prompt turn alone takes too much room', () => {
    const history = historyOf([one, { nudged: true, calls: [[10], [10]] }]);
    const split = splitHistory(history, () => false);
    assert.deepEqual(split?.kept, [history[3], ...history.slice(6)]);
    assert.deepEqual(split?.told, history.slice(0, 6));
  });

  it('is nowhere where a summary or the prompt alone would be summarized', () => {
    for (const before of [[], [summaryItem('all')]])
      for (const prompts of [[none], [one]])
        assert.equal(
          splitHistory([...before, ...historyOf(prompts)], () => true),
          undefined,
        );
  });
});

describe('the request for a summary', () => {
  it('holds all of the conversation, tool outputs by their beginnings, and what the person wants to keep', () => {
    const history = historyOf([{ nudged: true, calls: [[5000]] }]);
    const text = summaryRequest(history, 10_000, 'the names');
    for (const part of ['Person: prompt 0', 'Agent calls big {}', 'Note to the agent: go on', 'the names'])
      assert.ok(text.includes(part), part);
    assert.match(text, /Result of big \(completed\): y{1500}…\n/);
  });

  it('leaves the middle out of one that is too long', () => {
    const history: HistoryItem[] = [
      { role: 'user', text: `begin ${'中'.repeat(5000)}` },
      { role: 'user', text: `${'z'.repeat(5000)} end` },
    ];
    const text = summaryRequest(history, 1000);
    assert.ok(estimateText(text) < 1400, String(estimateText(text)));
    assert.ok(text.includes('begin') && text.includes(' end\n') && text.includes('are left out here'));
  });

  it('has no half of a character, which servers refuse', () => {
    for (const shift of ['', 'a']) {
      const output = shift + '😀'.repeat(3000);
      const history: HistoryItem[] = [
        { role: 'user', text: output },
        {
          role: 'assistant',
          text: '',
          toolRequests: [{ id: 'tool-call-1', name: 'big', input: { text: output } }],
        },
        { role: 'tool', requestId: 'tool-call-1', name: 'big', outcome: 'completed', output },
      ];
      for (const tokens of [100_000, 1000, 1001, 1002, 1003])
        assert.doesNotMatch(summaryRequest(history, tokens), /[\uD800-\uDFFF]/u, `${shift} ${tokens}`);
    }
  });
});
