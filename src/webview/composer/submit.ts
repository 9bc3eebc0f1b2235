import { useRef } from 'preact/hooks';
import { canSend } from '../../core/session/select';
import type { Page } from '../page';

/**
 * Gives the way to send the draft. It stays until the extension has taken it, which sends it or puts it into the queue; what was
 * written or attached meanwhile stays.
 */
export function useSubmit(page: Page): () => void {
  const sending = useRef(false);
  return () => {
    if (page.draft.peek().trim() === '' || sending.current) return;
    if (!canSend(page.store.state)) {
      page.problem.value = page.t('keptWhileNotReady');
      return;
    }
    sending.current = true;
    page.showEnd.value++;
    void send(page).finally(() => (sending.current = false));
  };
}

async function send(page: Page): Promise<void> {
  const key = page.key.peek();
  const text = page.draft.peek();
  const attachments = page.attachments.peek();
  const taken = await page.act({ type: 'prompt', text, attachments: [...attachments] });
  // The person may have turned to another session meanwhile; the draft of this one is in its snapshot then.
  if (!taken || page.key.peek() !== key) return;
  if (page.draft.peek() === text) page.setDraft('');
  if (attachments.length > 0)
    page.setAttachments(page.attachments.peek().filter((item) => !attachments.includes(item)));
}
