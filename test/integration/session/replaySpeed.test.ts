import assert from 'node:assert/strict';
import { measureReplay, withReplayProcess, type ReplayRatios } from '../../bench/replay';

/** Wider than the bounds of `npm run bench`: this finds work that grows with the transcript, on a busy machine too. */
const bounds: ReplayRatios = { cpu: 12, twice: 3, heap: 3 };

describe('the replay of a long conversation', () => {
  it('SE-8 SU-7 loses nothing, costs in proportion to its length and keeps no multiple of it', async function () {
    this.timeout(150_000);
    const over = await withReplayProcess(async (measure) => {
      let problems: string[] = [];
      for (let attempt = 0; attempt < 3; attempt++) {
        const { ratios } = await measureReplay(measure, 30_000, 1);
        problems = (Object.keys(bounds) as (keyof ReplayRatios)[])
          .filter((name) => ratios[name] > bounds[name])
          .map((name) => `${name}: ${ratios[name].toFixed(1)} × instead of ${bounds[name]} × at most`);
        if (problems.length === 0) break;
      }
      return problems;
    });
    assert.deepEqual(over, []);
  });
});
