import assert from 'node:assert/strict';
import { groupCalls } from '../../../src/webview/transcript/toolRun';

describe('runs of tool calls', () => {
  const group = (ids: number[], quiet: number[]): number[][] => groupCalls(ids, (id) => quiet.includes(id));

  it('folds neighbours that only looked at something', () =>
    assert.deepEqual(group([1, 2, 3, 4, 5], [1, 2, 4, 5]), [[1, 2], [3], [4, 5]]));
  it('leaves others apart', () => assert.deepEqual(group([1, 2], []), [[1], [2]]));
  it('gives nothing for nothing', () => assert.deepEqual(group([], []), []));
});
