import type { Page } from '../page';

/** Puts a text into the draft, below what is there already. */
export function addToDraft(page: Page, text: string): void {
  const draft = page.draft.peek();
  page.setDraft(draft.trim() === '' ? text : `${draft.trimEnd()}\n\n${text}`);
}
