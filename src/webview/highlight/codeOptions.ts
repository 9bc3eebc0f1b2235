import type { CodeOptions } from '../markdown/codeBlock';
import type { Page } from '../page';

/** How code blocks of the page are made. */
export function codeOptions({ t, code }: Page): CodeOptions {
  return {
    copyCode: t('copyCode'),
    insertCode: t('insertCode'),
    applyCode: t('applyCode'),
    openCode: t('openCode'),
    made: (block) => code.watch(block),
  };
}
