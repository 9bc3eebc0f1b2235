import assert from 'node:assert/strict';
import { readForm, type FormView } from '../../../src/core/elicitation/form';
import { initialValues, valuesOf } from '../../../src/webview/transcript/formValues';

const form = (properties: object, required: string[] = []): FormView => {
  const view = readForm({ properties, required });
  assert.ok(view);
  return view;
};

describe('the values of a form', () => {
  it('EL-12 begin with the defaults, as far as they are among the answers', () => {
    const view = form({
      text: { type: 'string', default: 'a' },
      number: { type: 'number', default: 1.5 },
      on: { type: 'boolean', default: true },
      choice: { type: 'string', enum: ['x', 'y'], default: 'y' },
      stale: { type: 'string', enum: ['x', 'y'], default: 'z' },
      choices: { type: 'array', items: { enum: ['x', 'y'] }, default: ['z', 'y'] },
    });
    assert.deepEqual(initialValues(view), {
      text: 'a',
      number: '1.5',
      on: true,
      choice: 'y',
      stale: '',
      choices: ['y'],
    });
  });

  it('EL-11 are left out where nothing was entered, except for a required switch, which is off', () => {
    const view = form(
      {
        on: { type: 'boolean' },
        needed: { type: 'boolean' },
        many: { type: 'array', items: { enum: ['x'] } },
      },
      ['needed'],
    );
    assert.deepEqual(initialValues(view), { on: undefined, needed: false, many: undefined });
  });

  it('EL-11 are numbers where numbers were typed, and no number where none was', () => {
    const view = form({ n: { type: 'number' } });
    const read = (typed: string): unknown => valuesOf(view, { n: typed })['n'];
    assert.deepEqual(['12', ' -1.5 ', '2e3', '.5', '', ' '].map(read), [
      12,
      -1.5,
      2000,
      0.5,
      undefined,
      undefined,
    ]);
    assert.deepEqual(['1,5', '0x10', 'one', '1e999x', 'Infinity'].map(read), Array(5).fill(Number.NaN));
  });

  it('EL-13 are found under names that inherited members have as well', () => {
    const view = form({ toString: { type: 'string' } });
    assert.deepEqual(valuesOf(view, {}), Object.fromEntries([['toString', undefined]]));
  });
});
