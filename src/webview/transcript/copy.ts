import type { Page } from '../page';
import { say } from '../said';

/** ms for which a button says that it has copied. */
const SAID_FOR = 1500;

/** Copies a text through the extension; the button that was pressed says so. */
export function copyFrom(page: Page, button: HTMLElement, text: string): void {
  void page.act({ type: 'copy', text }).then((done) => {
    if (!done) return;
    button.dataset['copied'] = '';
    button.title = page.t('copied');
    say(page.t('copied'));
    setTimeout(() => {
      delete button.dataset['copied'];
      button.title = button.ariaLabel ?? '';
    }, SAID_FOR);
  });
}
