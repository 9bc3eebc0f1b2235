import assert from 'node:assert/strict';
import { errorSentence, toErrorView } from '../../../src/core/errors';

describe('the readable form of an agent’s error', () => {
  const cases: [name: string, error: unknown, message: string, detail?: string][] = [
    [
      'RP-9 takes the reason out of data.details',
      { message: 'Internal error', code: -32603, data: { details: 'quota is used up' } },
      'quota is used up',
    ],
    ['RP-9 takes data that is a string', { message: 'Internal error', data: 'plain reason' }, 'plain reason'],
    ['RP-9 takes data.message', { message: 'Internal error', data: { message: 'boom' } }, 'boom'],
    [
      'RP-9 looks into data.error.message',
      { message: 'Internal error', data: { error: { message: 'deep' } } },
      'deep',
    ],
    ['RP-9 shows an unknown object as JSON', { message: 'Internal error', data: { hint: 1 } }, '{"hint":1}'],
    [
      'RP-9 keeps a message that says something, with the details apart',
      { message: 'Model refused', data: { details: 'too long' } },
      'Model refused',
      'too long',
    ],
    [
      'RP-9 reads JSON inside the message',
      { message: '{"error":{"message":"bad key"}}', code: 401 },
      'bad key',
    ],
    [
      'RP-9 reads JSON at the end of the message and inside of data',
      {
        message: 'Internal error: Model: 400 {"type":"x","error":{"message":"no credit"}}',
        data: { message: '{"error":{"message":"no credit","code":"400"}}', info: 'other' },
      },
      'Model: 400 no credit',
    ],
    [
      'RP-9 joins the problems that a validator lists',
      { message: 'Invalid params', data: { _errors: ['no such id', 'no name'] } },
      'no such id; no name',
    ],
    [
      'RP-9 leaves a text alone that only looks like JSON',
      { message: 'Expected {"a": or [', data: '' },
      'Expected {"a": or [',
    ],
    [
      'RP-9 shows the bare message where there is nothing else',
      { message: 'Internal error', code: -32603 },
      'Internal error',
    ],
  ];
  for (const [name, error, message, detail] of cases) {
    it(name, () => {
      const view = toErrorView(error);
      assert.equal(view.message, message);
      assert.equal(view.detail, detail);
      assert.ok(!JSON.stringify(view).includes('[object Object]'));
    });
  }

  it('RP-9 makes one sentence of it, without what is for programs', () => {
    assert.equal(errorSentence({ message: 'refused', detail: 'too long' }), 'refused: too long');
    assert.equal(errorSentence({ message: 'refused', detail: '{"service":"x"}' }), 'refused');
    assert.equal(errorSentence({ message: 'refused' }), 'refused');
  });
});
