import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { Marks } from '../../../../src/host/review/folderWatch';
import { until } from '../../../vscode/until';

describe('Paths that may have changed', () => {
  const looks: { paths: string[]; at: number }[] = [];
  let look: () => Promise<void>;
  let marks: Marks;
  beforeEach(() => {
    looks.length = 0;
    look = () => Promise.resolve();
    const onPause = (paths: string[]): Promise<void> => {
      looks.push({ paths, at: performance.now() });
      return look();
    };
    marks = new Marks(onPause, 10);
  });
  afterEach(() => marks.dispose());
  const looked = (count: number): Promise<unknown> =>
    until(`${count} looks`, () => looks.length >= count || undefined);

  it('are given together after a pause, once each', async () => {
    for (const path of ['a', 'b', 'a']) marks.mark(path);
    await looked(1);
    assert.deepEqual(looks[0]?.paths, ['a', 'b']);
  });

  it('are gathered while others are looked at, and after that for many times as long', async () => {
    const took = 20;
    look = () => setTimeout(took);
    marks.mark('a');
    await looked(1);
    marks.mark('b');
    await looked(2);
    const [first, second] = looks;
    assert.deepEqual(second?.paths, ['b']);
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 20 * (took - 2));
  });

  it('are given although more come all the time', async () => {
    const timer = setInterval(() => marks.mark('a'), 2);
    await looked(2).finally(() => clearInterval(timer));
  });

  it('are not given when it is over', async () => {
    let resume = (): void => undefined;
    look = () => new Promise((done) => (resume = done));
    marks.mark('a');
    await looked(1);
    marks.mark('b');
    marks.dispose();
    marks.mark('c');
    resume();
    assert.deepEqual(marks.take(), []);
  });
});
