import { useSignalEffect } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { isBusy, openElicitations, openPermissions, textOf } from '../core/session/select';
import type { MessageEntry, QueueState, SessionState } from '../core/session/state';
import { visibleText } from '../core/visibleText';
import { shownTexts } from './find/plainText';
import { LiveRegion } from './liveRegion';
import { usePage, type Page } from './page';
import { said, type Saying } from './said';
import type { Part } from './store';
import { endSentence, isQuietEnd } from './transcript/outcome';
import { questionOf, subjectOf } from './transcript/question';

/** Characters of a message that are read out; the rest can be read in the conversation. */
const MAX_MESSAGE = 600;
/** Source of a message that is looked at for that. */
const MAX_SOURCE = 4_000;

interface Heard {
  busy: boolean;
  /** Number of the turn. */
  turn: number;
  questions: ReadonlySet<string>;
}

const hear = (state: SessionState): Heard => ({
  busy: isBusy(state),
  turn: state.turn.number,
  questions: new Set([
    ...openPermissions(state).map(({ permission }) => permission.requestId),
    ...openElicitations(state).map(({ requestId }) => requestId),
  ]),
});

function questionNews(page: Page, before: Heard): string[] {
  const { t, store } = page;
  const { title } = store.state.agent;
  const asked = openPermissions(store.state)
    .filter(({ permission }) => !before.questions.has(permission.requestId))
    .map(({ entry }) => t('saidQuestion', title, `${t(questionOf(entry))} ${visibleText(subjectOf(entry))}`));
  const forms = openElicitations(store.state)
    .filter(({ requestId }) => !before.questions.has(requestId))
    .map(({ message }) => t('saidQuestion', title, visibleText(message)));
  return [...asked, ...forms];
}

function endNews({ t, store }: Page, before: Heard): string[] {
  const { state } = store;
  // A turn may begin and fail between two frames.
  if (isBusy(state) || (!before.busy && before.turn === state.turn.number)) return [];
  const last = state.entries.at(-1);
  if (last?.kind === 'error') return [t('saidError', last.error.message)];
  const isUsual = last?.kind !== 'end' || isQuietEnd(last);
  return [isUsual ? t('saidTurnEnded') : visibleText(endSentence(last, t).text)];
}

function queueNews({ t, store }: Page, before: QueueState): string[] {
  const { items, paused } = store.state.queue;
  if (paused && !before.paused && items.length > 0) return [t('saidQueuePaused', items.length)];
  return items.length > before.items.length ? [t('saidQueued', items.length)] : [];
}

/** The messages after an entry that came to their end, oldest first: another entry follows them, or the turn is over. */
function finishedMessages(state: SessionState, after: number): MessageEntry[] {
  const done: MessageEntry[] = [];
  const { entries } = state;
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (!entry || entry.id <= after) break;
    if (entry.kind === 'agent' && (at < entries.length - 1 || !isBusy(state))) done.unshift(entry);
  }
  return done;
}

function spoken(page: Page, { blocks }: MessageEntry): string {
  const source = textOf(blocks.filter((block) => !block.hidden)).slice(0, MAX_SOURCE);
  const text = visibleText(shownTexts(page.parser, source).join(' ').replaceAll(/\s+/g, ' ').trim());
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}

function messageNews(page: Page, messages: readonly MessageEntry[]): string[] {
  const { title } = page.store.state.agent;
  return messages
    .map((message) => spoken(page, message))
    .filter((text) => text !== '')
    .map((text) => page.t('saidMessage', title, text));
}

/**
 * What is said of some parts of the state as they change; nothing after a snapshot, which a person has heard or did not miss.
 *
 * @param listen gives what is heard now, and what is new since before
 */
function useSaying<H>(
  parts: readonly Part[],
  first: (state: SessionState) => H,
  listen: (page: Page, before: H) => { now: H; news: string[] },
): Saying | null {
  const page = usePage();
  const [saying, setSaying] = useState<Saying | null>(null);
  const heard = useRef<{ epoch: number; what: H }>(undefined);
  useSignalEffect(() => {
    const { store } = page;
    for (const part of parts) store.follow(part);
    const { epoch, state } = store;
    if (heard.current?.epoch !== epoch) {
      heard.current = { epoch, what: first(state) };
      return;
    }
    const { now, news } = listen(page, heard.current.what);
    heard.current.what = now;
    if (news.length > 0) setSaying({ text: news.join(' ') });
  });
  return saying;
}

function useTurnSaying(): Saying | null {
  return useSaying(['turn', 'permissions'], hear, (page, before) => ({
    now: hear(page.store.state),
    news: [...questionNews(page, before), ...endNews(page, before)],
  }));
}

function useQueueSaying(): Saying | null {
  const copy = ({ queue }: SessionState): QueueState => ({ paused: queue.paused, items: [...queue.items] });
  return useSaying(['queue'], copy, (page, before) => ({
    now: copy(page.store.state),
    news: queueNews(page, before),
  }));
}

function useMessageSaying(): Saying | null {
  const lastId = ({ entries }: SessionState): number => entries.at(-1)?.id ?? 0;
  return useSaying(['entries', 'turn'], lastId, (page, before) => {
    const finished = finishedMessages(page.store.state, before);
    return { now: finished.at(-1)?.id ?? before, news: messageNews(page, finished) };
  });
}

/** Says, once each, what a person who can't see the page must know; the banner speaks for itself. */
export function Announcer() {
  const sayings = {
    messages: useMessageSaying(),
    turn: useTurnSaying(),
    queue: useQueueSaying(),
    deeds: said.value,
  };
  return (
    <>
      {Object.entries(sayings).map(([name, saying]) => (
        <LiveRegion key={name} name={name} saying={saying} />
      ))}
    </>
  );
}
