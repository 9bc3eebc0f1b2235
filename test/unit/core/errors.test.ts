import assert from 'node:assert/strict';
import { toErrorView } from '../../../src/core/errors';

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
});
