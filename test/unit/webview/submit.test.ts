import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import type { Attachment } from '../../../src/core/chat/attachment';
import type { Intent } from '../../../src/core/chat/protocol';
import { emptySession } from '../../../src/core/session/state';
import { send, type SendingPage } from '../../../src/webview/composer/submit';

const FILE: Attachment = { kind: 'file', path: '/a.ts', name: 'a.ts' };
const history = { leave: () => '' };

/** A page whose draft is "go" with a file; `meanwhile` happens before the prompt is taken. */
function pageOf(key: string, meanwhile: (page: SendingPage) => void = () => undefined) {
  const sent: Intent[] = [];
  const page: SendingPage = {
    key: signal(key),
    draft: signal('go'),
    attachments: signal<readonly Attachment[]>([FILE]),
    problem: signal(null),
    showEnd: signal(0),
    store: { state: emptySession('Test') },
    t: (text) => text,
    setDraft: (text) => (page.draft.value = text),
    setAttachments: (list) => (page.attachments.value = list),
    act: (intent) => {
      sent.push(intent);
      meanwhile(page);
      return Promise.resolve(true);
    },
  };
  return { page, sent };
}

describe('sending the draft', () => {
  it('PT-6 takes away what was sent, once it is taken', async () => {
    const { page, sent } = pageOf('a');
    await send(page, history);
    assert.deepEqual(sent, [{ type: 'prompt', text: 'go', attachments: [FILE] }]);
    assert.deepEqual([page.draft.peek(), page.attachments.peek()], ['', []]);
  });

  it('PT-6 keeps what was written meanwhile, and not the copy that a snapshot brought of what was sent', async () => {
    const { page } = pageOf('a', (it) => {
      it.setDraft('go on');
      it.setAttachments([{ ...FILE }, { ...FILE, path: '/b.ts' }]);
    });
    await send(page, history);
    assert.equal(page.draft.peek(), 'go on');
    assert.deepEqual(page.attachments.peek(), [{ ...FILE, path: '/b.ts' }]);
  });

  it('PT-7 sends nothing before the page knows its session, and keeps the text', async () => {
    const { page, sent } = pageOf('');
    await send(page, history);
    assert.deepEqual(sent, []);
    assert.deepEqual([page.draft.peek(), page.problem.peek()], ['go', 'keptWhileNotReady']);
  });
});
