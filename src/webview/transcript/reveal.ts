import type { Page } from '../page';

/** Brings a question on screen and puts the focus beside its answers, on none of them. */
export function revealQuestion({ leaveEnd }: Page, requestId: string): void {
  for (const card of document.querySelectorAll<HTMLElement>('[data-permission], [data-elicitation]')) {
    if ((card.dataset['permission'] ?? card.dataset['elicitation']) !== requestId) continue;
    leaveEnd(() => card.scrollIntoView({ block: 'nearest' }));
    card.focus({ preventScroll: true });
  }
}
