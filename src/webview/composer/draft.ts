import type { Page } from '../page';
import { promptsOf } from './history';

/** Puts a text into the draft, below what is there already. An earlier prompt that is shown in its place stays if it was changed. */
export function addToDraft(page: Page, text: string): void {
  const shown = page.draft.peek();
  const changed = page.backToDraft() && !promptsOf(page.store.state).includes(shown) ? shown : '';
  const there = [page.draft.peek(), changed].filter((part) => part.trim() !== '');
  page.setDraft([...there.map((part) => part.trimEnd()), text].join('\n\n'));
}
