import assert from 'node:assert/strict';
import { shownOrder } from '../../../src/core/session/config';
import type { ConfigView } from '../../../src/core/session/state';

const option = (id: string, category?: string): ConfigView => ({
  id,
  name: id,
  type: 'boolean',
  value: false,
  ...(category === undefined ? {} : { category }),
});
const ids = (...config: ConfigView[]): string =>
  shownOrder(config)
    .map(({ id }) => id)
    .join(' ');

describe('the order of the controls', () => {
  it('CF-2 CF-3 is the agent’s, whatever the categories', () => {
    assert.equal(ids(option('b', '_own'), option('a'), option('c', 'mode')), 'b a c');
    assert.equal(ids(option('x', 'model_config'), option('a')), 'x a');
  });

  it('CF-4 puts the settings of the model behind the model', () => {
    const config = [option('think', 'model_config'), option('mode', 'mode'), option('model', 'model')];
    assert.equal(
      ids(...config, option('tone'), option('fast', 'model_config')),
      'mode model think fast tone',
    );
  });
});
