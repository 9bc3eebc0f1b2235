import type { ChatPage } from './chatPage';

/** Notes what the live regions are given, each time that it changes. */
export const LISTEN = `window.heard = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = (target.nodeType === 1 ? target : target.parentElement)?.closest('[aria-live="polite"]');
      if (region?.textContent && region.dataset.said) window.heard.push(region.textContent);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });`;

/** What the live regions were given since `LISTEN` ran in the page. */
export const heard = (chat: ChatPage): Promise<string[]> => chat.page.evaluate<string[]>('window.heard');
