import assert from 'node:assert/strict';
import { estimateText, TokenMeter } from '../../../../src/agent/context/tokens';
import type { Model, ModelInput, Usage } from '../../../../src/agent/model/model';

const input: ModelInput = {
  history: [{ role: 'user', text: 'w'.repeat(4000) }],
  mode: 'interactive',
  instructions: '',
  tools: [],
};

async function call(meter: TokenMeter, usages: readonly Usage[], used: Usage = {}): Promise<void> {
  const model: Model = {
    async *next() {
      await Promise.resolve();
      for (const usage of usages) yield { type: 'usage', usage };
    },
  };
  for await (const event of meter.watch(model, used).next(input, new AbortController().signal))
    assert.equal(event.type, 'usage');
}

describe('token meter', () => {
  it('takes four letters, two of other alphabets, or a Chinese character for a token', () => {
    assert.deepEqual(['', 'abcd', 'abcde', 'привет', '你好'].map(estimateText), [0, 1, 2, 3, 2]);
  });

  it('goes by what the model counted last, within reason', async () => {
    const meter = new TokenMeter();
    const plain = meter.measure(input);
    assert.ok(plain > 1000 && plain < 1020, String(plain));
    await call(meter, [{ inputTokens: 5 }, { inputTokens: 1500 }]);
    assert.equal(meter.measure(input), 1500);
    assert.equal(meter.inEstimate(1500), plain);
    await call(meter, [{ inputTokens: 1200 }]);
    assert.equal(meter.measure(input), 1200);
    await call(meter, []);
    assert.equal(meter.measure(input), 1200);
    await call(meter, [{ inputTokens: 1_000_000 }]);
    assert.equal(meter.measure(input), plain * 3);
  });

  it('adds up what the calls used, by the last word of each', async () => {
    const used: Usage = {};
    const meter = new TokenMeter();
    await call(meter, [{ inputTokens: 1000 }, { inputTokens: 1000, outputTokens: 7 }], used);
    await call(meter, [{ outputTokens: 3 }], used);
    assert.deepEqual(used, { inputTokens: 1000, outputTokens: 10 });
  });
});
