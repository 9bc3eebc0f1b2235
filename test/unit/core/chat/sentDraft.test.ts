import assert from 'node:assert/strict';
import type { Attachment } from '../../../../src/core/chat/attachment';
import { afterSent } from '../../../../src/core/chat/sentDraft';

const FILE: Attachment = { kind: 'file', path: '/a.ts', name: 'a.ts' };
const IMAGE: Attachment = { kind: 'image', name: 'i', mimeType: 'image/png', data: 'AAAA' };

describe('the draft of a session that has what was sent', () => {
  it('PT-6 is empty where nothing was added', () => {
    const sent = { text: 'go', attachments: [FILE, IMAGE] };
    assert.deepEqual(afterSent(structuredClone(sent), sent), { text: '', attachments: [] });
    const turned: Attachment = { name: 'a.ts', path: '/a.ts', kind: 'file' };
    assert.deepEqual(afterSent({ text: 'go', attachments: [turned] }, sent).attachments, []);
  });

  it('PT-6 holds what was written or attached since', () => {
    const sent = { text: 'go', attachments: [FILE] };
    assert.deepEqual(afterSent({ text: 'go on', attachments: [{ ...FILE }, IMAGE] }, sent), {
      text: 'go on',
      attachments: [IMAGE],
    });
    assert.deepEqual(afterSent({ text: 'go', attachments: [{ ...FILE, path: '/b.ts' }] }, sent), {
      text: '',
      attachments: [{ ...FILE, path: '/b.ts' }],
    });
    assert.deepEqual(afterSent({ text: '', attachments: [FILE, FILE] }, sent).attachments, [FILE]);
  });
});
