import { useRef } from 'preact/hooks';
import { withoutSent } from '../../core/chat/sentDraft';
import { canSend } from '../../core/session/select';
import type { Page } from '../page';
import type { PromptHistory } from './history';

/** What sending needs of the page. */
export type SendingPage = Pick<
  Page,
  'act' | 'attachments' | 'draft' | 'key' | 'problem' | 'setAttachments' | 'setDraft' | 'showEnd' | 't'
> & { readonly store: Pick<Page['store'], 'state'> };

/** Gives the way to send the draft, one at a time. */
export function useSubmit(page: Page, history: PromptHistory): () => void {
  const sending = useRef(false);
  return () => {
    if (sending.current) return;
    sending.current = true;
    void send(page, history).finally(() => (sending.current = false));
  };
}

/**
 * Sends the draft. It stays until the extension has taken it, which sends it or puts it into the queue; what was written or attached
 * meanwhile stays.
 */
export async function send(page: SendingPage, history: Pick<PromptHistory, 'leave'>): Promise<void> {
  const key = page.key.peek();
  const text = page.draft.peek();
  const attachments = page.attachments.peek();
  if (text.trim() === '') return;
  // Before the first snapshot nobody knows which session it is for.
  if (key === '' || !canSend(page.store.state)) {
    page.problem.value = page.t('keptWhileNotReady');
    return;
  }
  page.showEnd.value++;
  const taken = await page.act({ type: 'prompt', text, attachments: [...attachments] });
  // The person may have turned to another session meanwhile; the draft of this one is in its snapshot then.
  if (!taken || page.key.peek() !== key) return;
  // What waited while an earlier prompt was shown comes back.
  if (page.draft.peek() === text) page.setDraft(history.leave());
  if (attachments.length > 0) page.setAttachments(withoutSent(page.attachments.peek(), attachments));
}
