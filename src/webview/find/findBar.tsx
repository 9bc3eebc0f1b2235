import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { usePage, type Page } from '../page';
import { Icon, IconButton } from '../transcript/icon';
import { MAX_MATCHES } from './search';

/** Longest selection that becomes the query. */
const MAX_SELECTION = 200;

/** Id of the first entry that can be seen. */
function firstInView(log: Element): number {
  const top = log.getBoundingClientRect().top;
  const first = [...log.querySelectorAll('[data-entry-id]')].find(
    (entry) => entry.getBoundingClientRect().bottom > top,
  );
  return Number(first?.getAttribute('data-entry-id') ?? 0);
}

/** What is selected in the conversation, if it is one line. */
function selectedIn(log: Element): string {
  const selection = document.getSelection();
  const text = selection?.toString().trim() ?? '';
  const inside = selection?.anchorNode && log.contains(selection.anchorNode);
  return inside && text.length <= MAX_SELECTION && !text.includes('\n') ? text : '';
}

/** Closes the bar; the focus goes back to where it was. */
export function closeFind({ find, focusComposer }: Page): void {
  const before = find.close();
  if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
  else focusComposer.value++;
}

function onKey(page: Page, event: KeyboardEvent, log: Element | null): void {
  const { find } = page;
  const ctrl = (event.ctrlKey || event.metaKey) && !event.altKey;
  const isFind = ctrl && !event.shiftKey && event.key.toLowerCase() === 'f';
  if (page.sessionsOpen.peek() || event.defaultPrevented || !log) return;
  if (isFind) find.show(firstInView(log), selectedIn(log));
  else if (find.open.peek() && event.key === 'F3') find.go(event.shiftKey ? -1 : 1);
  else return;
  event.preventDefault();
}

function onFieldKey({ find }: Page, event: KeyboardEvent): void {
  if (event.isComposing) return;
  if (event.key === 'Enter') find.go(event.shiftKey ? -1 : 1);
  else if (event.altKey && event.code === 'KeyC') find.setMatchCase(!find.matchCase.peek());
  else return;
  event.preventDefault();
}

function Count() {
  const { t, find } = usePage();
  const { matches, current, settled } = find.result.value;
  const many = matches.length > MAX_MATCHES;
  const count = many ? `${MAX_MATCHES}+` : matches.length;
  const none = settled && find.query.value.trim() !== '' && matches.length === 0;
  const text = none ? t('findNone') : matches.length > 0 ? t('findCount', current + 1, count) : '';
  return (
    <span class={`find-count nums${none ? ' bad' : ''}`} role="status" title={text}>
      {text}
    </span>
  );
}

function Bar() {
  const page = usePage();
  const { t, find } = page;
  const field = useRef<HTMLInputElement>(null);
  // With the layout: what is typed right after the key belongs into the field.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [find.focusField.value]);
  const matchCase = find.matchCase.value;
  const none = find.result.value.matches.length === 0;
  return (
    <div class="find" data-parley="find" role="search" aria-label={t('find')}>
      <div class="find-field">
        <input
          type="text"
          ref={field}
          value={find.query.value}
          placeholder={t('find')}
          aria-label={t('find')}
          spellcheck={false}
          autocomplete="off"
          dir="auto"
          onInput={(event) => find.setQuery(event.currentTarget.value)}
          onKeyDown={(event) => onFieldKey(page, event)}
        />
        <button
          type="button"
          class="icon toggle"
          aria-pressed={matchCase}
          aria-label={t('findCase')}
          title={t('findCase')}
          onClick={() => find.setMatchCase(!matchCase)}
        >
          <Icon name="case-sensitive" />
        </button>
      </div>
      <Count />
      <IconButton icon="arrow-up" label={t('findPrevious')} disabled={none} onPress={() => find.go(-1)} />
      <IconButton icon="arrow-down" label={t('findNext')} disabled={none} onPress={() => find.go(1)} />
      <IconButton icon="close" label={t('close')} onPress={() => closeFind(page)} />
    </div>
  );
}

/** The bar that finds in the conversation, opened by the keys that every editor has for it. */
export function FindBar({ log }: { log: RefObject<HTMLElement | null> }) {
  const page = usePage();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => onKey(page, event, log.current);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page]);
  return page.find.open.value ? <Bar /> : null;
}
