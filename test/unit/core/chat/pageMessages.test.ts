import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readDraft, readPageMessage } from '../../../../src/core/chat/pageMessages';
import type { Intent, PageToHost } from '../../../../src/core/chat/protocol';

/** One that passes of each type, with every field. */
const INTENTS: Partial<{ [T in Intent['type']]: Extract<Intent, { type: T }> }> = {
  prompt: {
    type: 'prompt',
    text: 'go',
    attachments: [
      { kind: 'file', path: '/a', name: 'a' },
      { kind: 'folder', path: '/b', name: 'b' },
      { kind: 'text', name: 'c', text: 'see' },
      { kind: 'selection', path: '/d', name: 'd', fromLine: 1, toLine: 2, text: 'x' },
      { kind: 'image', name: 'e', mimeType: 'image/png', data: 'AAAA' },
      { kind: 'audio', name: 'f', mimeType: 'audio/wav', data: 'AAAA' },
    ],
  },
  queueMove: { type: 'queueMove', id: 'q', to: 0 },
  queueEdit: { type: 'queueEdit', id: 'q', text: '' },
  answerPermission: { type: 'answerPermission', requestId: 'r', optionId: 'o', reason: 'no', keepAs: 'user' },
  answerElicitation: {
    type: 'answerElicitation',
    requestId: 'r',
    action: 'accept',
    content: { text: 'x', number: 0.5, flag: false, many: ['a', 'b'] },
  },
  revertChanges: { type: 'revertChanges', scope: 'turn', path: '/a' },
  setConfig: { type: 'setConfig', id: 'model', value: true },
  selectAgent: { type: 'selectAgent', id: null },
  openFile: { type: 'openFile', path: '/a', line: 3 },
  openText: { type: 'openText', text: 'x', language: 'json' },
  openLink: { type: 'openLink', href: 'https://example.com' },
  showSession: { type: 'showSession', key: 'k' },
  newSession: { type: 'newSession' },
};

const sent = (intent: unknown): unknown => ({ type: 'intent', id: 1, intent });
const read = (intent: unknown): unknown =>
  (readPageMessage(sent(intent)) as { intent?: unknown } | undefined)?.intent;

/** Values that no field of these has the type of. */
const WRONG: unknown[] = [Symbol.iterator, () => 1, Number.NaN, { deep: { deep: 1 } }, [[1]], -1];

describe('messages of the page', () => {
  it('let in each wish as it is, and with no field that it does not have', () => {
    for (const intent of Object.values(INTENTS)) {
      assert.deepEqual(read(intent), intent);
      assert.deepEqual(read({ ...intent, more: 'of it' }), intent);
    }
  });

  it('let in no wish with a field of another type', () => {
    for (const intent of Object.values(INTENTS)) {
      for (const field of Object.keys(intent)) {
        for (const wrong of WRONG) {
          const given = { ...intent, [field]: wrong };
          assert.equal(read(given), undefined, `${intent.type}.${field}: ${String(wrong)}`);
        }
      }
    }
  });

  it('let in no wish without a field that it needs', () => {
    const optional = ['reason', 'keepAs', 'content', 'path', 'line', 'language'];
    for (const intent of Object.values(INTENTS)) {
      for (const field of Object.keys(intent)) {
        const { [field]: _, ...rest } = intent as unknown as Record<string, unknown>;
        const passes = optional.includes(field) && intent.type !== 'openFile';
        if (field !== 'line')
          assert.equal(read(rest) !== undefined, passes, `${intent.type} without ${field}`);
      }
    }
  });

  it('let in nothing that is longer than it may be', () => {
    const long = 'x'.repeat(100_000);
    assert.equal(read({ type: 'showSession', key: long }), undefined);
    assert.equal(read({ type: 'openFile', path: long }), undefined);
    assert.equal(read({ type: 'prompt', text: long, attachments: [] }) === undefined, false);
    const attachments = Array.from({ length: 1_001 }, () => ({ kind: 'file', path: '/a', name: 'a' }));
    assert.equal(read({ type: 'prompt', text: '', attachments }), undefined);
    const content = Object.fromEntries(attachments.map((_, index) => [`field ${index}`, 1]));
    assert.equal(read({ type: 'answerElicitation', requestId: 'r', action: 'accept', content }), undefined);
    const failed = readPageMessage({ type: 'failed', report: long }) as { report: string };
    assert.ok(failed.report.length < 10_000);
  });

  it('let in nothing by a name that every object has', () => {
    for (const type of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      assert.equal(readPageMessage({ type }), undefined);
      assert.equal(read({ type }), undefined);
    }
    const content: unknown = JSON.parse('{"__proto__": "x"}');
    const answer = read({ type: 'answerElicitation', requestId: 'r', action: 'accept', content }) as {
      content: object;
    };
    assert.deepEqual(Object.keys(answer.content), ['__proto__']);
    assert.equal(Object.getPrototypeOf(answer.content), Object.prototype);
  });

  it('never throw, and give only what has the shape of a message', () => {
    const types = fc.constantFrom<string>(
      ...Object.keys(INTENTS),
      'ready',
      'draft',
      'takeMention',
      'highlight',
      'failed',
    );
    const noise = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }),
      fc
        .record({ type: types })
        .chain(({ type }) => fc.anything().map((rest) => ({ ...(Object(rest) as object), type }))),
      fc.record({
        type: fc.constant('intent'),
        id: fc.oneof(fc.integer(), fc.anything()),
        intent: fc.oneof(
          fc.record(
            {
              type: types,
              id: fc.anything(),
              text: fc.anything(),
              attachments: fc.anything(),
              path: fc.anything(),
              key: fc.anything(),
            },
            { requiredKeys: ['type'] },
          ),
          fc.anything(),
        ),
      }),
    );
    fc.assert(
      fc.property(noise, (value) => {
        const message = readPageMessage(value);
        if (message?.type !== 'intent') return;
        assert.equal(typeof message.id, 'number');
        // What passed passes again: it holds nothing but what was looked at.
        assert.deepEqual(read(message.intent), message.intent);
        assertFlat(message.intent);
      }),
      { numRuns: 2_000 },
    );
  });

  it('read a draft from anything, without what can not be attached', () => {
    assert.deepEqual(
      readDraft({ text: 'a', attachments: [{ kind: 'file', path: '/a', name: 'a' }, { kind: 'x' }, 7] }),
      {
        text: 'a',
        attachments: [{ kind: 'file', path: '/a', name: 'a' }],
      },
    );
    fc.assert(fc.property(fc.anything(), (value) => typeof readDraft(value).text === 'string'));
  });

  it('keep the other messages apart', () => {
    const messages: PageToHost[] = [
      { type: 'ready', protocol: 'x' },
      { type: 'resync' },
      { type: 'focused' },
      { type: 'painted', id: 1 },
      { type: 'failed', report: 'why' },
      { type: 'takeMention', id: 1, key: 'k', source: 'problems' },
      { type: 'takeDropped', id: 1, key: 'k', uris: ['file:///a'] },
    ];
    for (const message of messages) assert.deepEqual(readPageMessage(message), message);
    assert.deepEqual(
      readPageMessage({ type: 'takeDropped', id: 1, key: 'k', uris: ['https://a', 5] }),
      undefined,
    );
    assert.equal(readPageMessage({ type: 'painted', id: 'x' }), undefined);
    assert.equal(readPageMessage({ type: 'ready' }), undefined);
  });
});

/** Fails where something is in it that no wish has. */
function assertFlat(intent: Intent): void {
  for (const value of Object.values(intent as unknown as Record<string, unknown>)) {
    const isList = Array.isArray(value) && intent.type === 'prompt';
    const isRecord = intent.type === 'answerElicitation';
    assert.ok(isList || isRecord || ['string', 'number', 'boolean'].includes(typeof value) || value === null);
  }
}
