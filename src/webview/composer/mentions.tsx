import { useEffect, useRef, useState } from 'preact/hooks';
import {
  mentionAt,
  mentionId,
  rankMentions,
  SYMBOL_MARK,
  withoutMention,
  type MentionItem,
  type TypedMention,
} from '../../core/chat/mentions';
import { visibleText } from '../../core/visibleText';
import { withAttachments } from '../attachments';
import { usePage, type Page } from '../page';
import { ListBox, stepTo, type ListItem } from './listbox';

/** Id of the list of what can be mentioned. */
export const MENTION_LIST = 'mentions';

const ICONS: Readonly<Record<Exclude<MentionItem['kind'], 'symbol'>, string>> = {
  file: 'file',
  folder: 'folder',
  selection: 'selection',
  problems: 'warning',
  fileProblems: 'warning',
  changes: 'git-compare',
  terminal: 'terminal',
  symbols: 'symbol-misc',
};

/** The list while a mention is being typed. */
export interface Mentions {
  open: boolean;
  items: readonly MentionItem[];
  active: number;
  query: string;
  /** True while more may come. */
  searching: boolean;
  /** Follows what is typed. */
  onInput: (field: HTMLTextAreaElement) => void;
  /** True if the key was for the list. */
  onKey: (key: string) => boolean;
  take: (item: MentionItem) => void;
}

/** Attaches what was chosen: a file at once, anything else when the extension has made it. */
async function attach(page: Page, item: Exclude<MentionItem, { kind: 'symbols' }>): Promise<void> {
  page.problem.value = null;
  if ('path' in item && item.kind !== 'symbol') {
    const { kind, path, name } = item;
    page.setAttachments(withAttachments(page.attachments.peek(), [{ kind, path, name }]));
    return;
  }
  try {
    await page.channel.takeMention(page.key.peek(), sourceOf(item));
  } catch (error) {
    page.problem.value = error instanceof Error ? error.message : String(error);
  }
}

function sourceOf(item: Exclude<MentionItem, { kind: 'symbols' | 'file' | 'folder' }>) {
  if (item.kind !== 'symbol') return item.kind;
  const { path, name, line, column } = item;
  return { path, name, line, column };
}

interface Search {
  typed: TypedMention;
  /** Ids of the questions about this mention: answers to earlier ones are about another. */
  first: number;
  last: number;
  /** The line that the person moved to. */
  chosen: string | undefined;
}

/** What matches by now: the answer to the last question, or what is left of an earlier one until that comes. */
function itemsOf(page: Page, { typed, first, last }: Search): { items: MentionItem[]; searching: boolean } {
  const answer = page.mentions.value;
  if (answer.id === last) return { items: answer.items, searching: !answer.done };
  return { items: answer.id < first ? [] : rankMentions(typed.query, answer.items), searching: true };
}

/** Tells where the caret went in the field that has the focus; undefined while something is selected. */
function useCaretLeaves(watched: boolean, onCaret: (caret: number | undefined) => void): void {
  useEffect(() => {
    if (!watched) return undefined;
    const follow = (): void => {
      const field = document.activeElement;
      if (!(field instanceof HTMLTextAreaElement)) return;
      const { selectionStart, selectionEnd } = field;
      onCaret(selectionStart === selectionEnd ? selectionEnd : undefined);
    };
    document.addEventListener('selectionchange', follow);
    return () => document.removeEventListener('selectionchange', follow);
  }, [watched]);
}

/**
 * The list of the draft; there is none without the focus.
 *
 * @param placeCaret is called with where the caret should be once the text without the mention is drawn
 */
export function useMentions(focused: boolean, placeCaret: (at: number) => void): Mentions {
  const page = usePage();
  const draft = page.draft.value;
  const [search, setSearch] = useState<Search | undefined>(undefined);
  /** Where a mention begins whose list was closed. */
  const closed = useRef<number | undefined>(undefined);
  if (closed.current !== undefined && draft[closed.current] !== '@') closed.current = undefined;
  useCaretLeaves(search !== undefined, (caret) =>
    setSearch((now) => (now?.typed.to === caret ? now : undefined)),
  );
  const isTyped = search && draft.slice(search.typed.from, search.typed.to) === `@${search.typed.query}`;
  const current = focused && isTyped ? search : undefined;
  const { items, searching } = current ? itemsOf(page, current) : { items: [], searching: false };
  const active = Math.max(
    0,
    items.findIndex((item) => mentionId(item) === current?.chosen),
  );
  const look = (text: string, caret: number): void => {
    const typed = mentionAt(text, caret);
    if (typed?.from !== closed.current) closed.current = undefined;
    if (!typed || closed.current !== undefined) return setSearch(undefined);
    const last = page.channel.findMentions(typed.query);
    const first = search?.typed.from === typed.from && isTyped !== undefined ? search.first : last;
    setSearch({ typed, first, last, chosen: undefined });
  };
  const take = (item: MentionItem): void => {
    if (!current) return;
    const change = item.kind === 'symbols' ? toSymbols : withoutMention;
    const { text, caret } = change(draft, current.typed);
    setSearch(undefined);
    page.setDraft(text);
    placeCaret(caret);
    if (item.kind === 'symbols') look(text, caret);
    else void attach(page, item);
  };
  const onKey = (key: string): boolean => {
    if (!current || (items.length === 0 && !searching)) return false;
    const step = key.startsWith('Arrow') ? stepTo(key, active, items.length) : undefined;
    const target = items[step ?? active];
    if (step !== undefined && target) setSearch({ ...current, chosen: mentionId(target) });
    else if (key === 'Escape') {
      closed.current = current.typed.from;
      setSearch(undefined);
    } else if (key !== 'Enter' && key !== 'Tab') return false;
    // While nothing is found yet the key must not send a message with half a name.
    else if (target) take(target);
    return true;
  };
  return {
    // That there are no symbols is said, for the mark alone looks as if it did nothing.
    open: items.length > 0 || searching || current?.typed.query.startsWith(SYMBOL_MARK) === true,
    items,
    active,
    query: current?.typed.query ?? '',
    searching,
    onInput: (field) => look(field.value, field.selectionEnd),
    onKey,
    take,
  };
}

/** The text with the symbols in the place of a mention, and where the caret is then. */
function toSymbols(text: string, { from, to }: TypedMention): { text: string; caret: number } {
  const mention = `@${SYMBOL_MARK}`;
  return { text: text.slice(0, from) + mention + text.slice(to), caret: from + mention.length };
}

/** The list above the composer. */
export function MentionPopup({ open, items, active, query, searching, take }: Mentions) {
  const { t } = usePage();
  if (!open) return null;
  const groupOf = (item: MentionItem): string => {
    if (!('path' in item)) return t('mentionContext');
    return t(item.kind === 'file' && item.open ? 'mentionOpen' : 'mentionFiles');
  };
  const rows = items.map((item): ListItem => {
    const [name, place] = [visibleText(item.name), visibleText(item.place)];
    return {
      value: mentionId(item),
      name,
      icon: item.kind === 'symbol' ? item.icon : ICONS[item.kind],
      place,
      ...(query === '' ? { group: groupOf(item) } : {}),
    };
  });
  return (
    <div class="popup mentions" data-parley="mentions">
      {rows.length > 0 ? (
        <ListBox
          id={MENTION_LIST}
          label={t('mentionsLabel')}
          items={rows}
          active={active}
          pick={(row) => {
            const item = items.find((one) => mentionId(one) === row.value);
            if (item) take(item);
          }}
        />
      ) : (
        <div class="list-empty dim" role="status">
          {t(searching ? 'mentionSearching' : 'mentionNoSymbols')}
        </div>
      )}
      {query === '' && rows.length > 0 && <div class="list-hint dim">{t('dropHint')}</div>}
    </div>
  );
}
