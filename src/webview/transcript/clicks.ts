import { editorLanguage } from '../../core/highlight/languages';
import { fenceInfo } from '../../core/highlight/fenceInfo';
import type { Page } from '../page';
import { follow } from './blocks';
import { copyFrom } from './copy';

/** Does what a button in the head of a code block is for. */
function codeAction(page: Page, button: HTMLElement): boolean {
  const block = button.closest<HTMLElement>('.code');
  const code = block?.querySelector('code');
  if (!block || !code) return false;
  const text = (code.textContent ?? '').replace(/\n$/, '');
  const info = block.dataset['info'] ?? '';
  switch (button.dataset['code']) {
    case 'copy':
      copyFrom(page, button, text);
      return true;
    case 'insert':
      void page.act({ type: 'insertCode', text });
      return true;
    case 'apply':
      void page.act({ type: 'applyCode', text, info });
      return true;
    case 'open': {
      const language = editorLanguage(fenceInfo(info).language);
      void page.act({ type: 'openText', text, ...(language === undefined ? {} : { language }) });
      return true;
    }
    default:
      return false;
  }
}

/** Opens links of messages and does what the buttons of code blocks are for; one listener for all of them. */
export function handleClick(page: Page, event: Event): boolean {
  if (!(event.target instanceof Element)) return false;
  const link = event.target.closest<HTMLElement>('[data-href]');
  if (link?.dataset['href']) {
    follow(page, link.dataset['href']);
    return true;
  }
  const button = event.target.closest<HTMLElement>('[data-code]');
  return button !== null && codeAction(page, button);
}
