import assert from 'node:assert/strict';
import { readConfigOptions, readSessionConfig } from '../../../src/core/session/config';

const select = (id: string, fields: object = {}): object => ({
  id,
  name: id.toUpperCase(),
  type: 'select',
  currentValue: 'a',
  options: [{ value: 'a', name: 'A' }],
  ...fields,
});

describe('config options off the wire', () => {
  it('CF-3 takes an option whose category is missing, null or unknown', () => {
    const options = readConfigOptions([
      select('none'),
      select('null', { category: null }),
      select('number', { category: 7 }),
      select('own', { category: '_vendor' }),
      select('known', { category: 'model' }),
    ]);
    assert.deepEqual(
      options.map(({ id, category }) => [id, category]),
      [
        ['none', undefined],
        ['null', undefined],
        ['number', undefined],
        ['own', '_vendor'],
        ['known', 'model'],
      ],
    );
  });

  it('CF-2 keeps the order of the agent, also within a category', () => {
    const ids = ['z', 'a', 'm'];
    const options = readConfigOptions(ids.map((id) => select(id, { category: 'model' })));
    assert.deepEqual(
      options.map(({ id }) => id),
      ids,
    );
  });

  it('CF-1 reads switches, flat lists and groups', () => {
    const grouped = [{ group: 'g', name: 'Group', options: [{ value: 'b', name: 'B', description: 'big' }] }];
    const options = readConfigOptions([
      { id: 'on', name: 'On', type: 'boolean', currentValue: true },
      select('flat'),
      select('grouped', { options: grouped }),
    ]);
    assert.deepEqual(
      options.map((option) => (option.type === 'select' ? option.choices : option.value)),
      [true, [{ value: 'a', name: 'A' }], [{ value: 'b', name: 'B', description: 'big', group: 'Group' }]],
    );
  });

  it('CF-10 keeps a value that its list has not', () => {
    const [option] = readConfigOptions([select('x', { currentValue: 'gone' })]);
    assert.equal(option?.value, 'gone');
  });

  it('MO-1 reads the modes of a session', () => {
    const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }, { id: 'code' }] };
    assert.deepEqual(readSessionConfig({ modes }), [
      {
        id: 'mode',
        name: 'Mode',
        category: 'mode',
        type: 'select',
        value: 'ask',
        choices: [
          { value: 'ask', name: 'Ask' },
          { value: 'code', name: 'code' },
        ],
        legacyMode: true,
      },
    ]);
  });
});
