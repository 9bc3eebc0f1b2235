import { batch } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionList as Sessions, SessionRow } from '../../core/chat/sessionRow';
import { usePage, usePart, type Page } from '../page';
import { Icon } from '../transcript/icon';
import { SessionItem, titleOfRow, type SessionDeeds } from './sessionItem';
import { useSessionKeys } from './useSessionKeys';

/** Sessions above which the list can be filtered. */
const FILTER_ABOVE = 8;

function matching(rows: readonly SessionRow[], filter: string): readonly SessionRow[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter((row) => `${titleOfRow(row) ?? ''} ${row.agentTitle}`.toLowerCase().includes(wanted));
}

function deedsOf(page: Page): SessionDeeds {
  return {
    show: ({ key }) => {
      void page.act({ type: 'showSession', key });
      closeForComposer(page);
    },
    close: ({ key }) => void page.act({ type: 'closeSession', key }),
    remove: ({ key }) => void page.act({ type: 'deleteSession', key }),
  };
}

function closeForComposer(page: Page): void {
  batch(() => {
    page.sessionsOpen.value = false;
    page.focusComposer.value++;
  });
}

/** Takes the focus for as long as the list is open, and gives it back. */
function useBorrowedFocus(root: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const focus = (): void => {
      const row = root.current?.querySelector<HTMLElement>('.session-main[tabindex="0"]');
      (row ?? root.current?.querySelector<HTMLElement>('.session-new'))?.focus();
    };
    // Taking it while it is outside of the page would close what the person has opened there.
    if (document.hasFocus()) focus();
    else window.addEventListener('focus', focus, { once: true });
    return () => {
      window.removeEventListener('focus', focus);
      const now = document.activeElement;
      if (now !== document.body && !root.current?.contains(now)) return;
      const button = document.querySelector<HTMLElement>('[data-parley="sessions-button"]');
      const back = before instanceof HTMLElement && before !== document.body ? before : button;
      back?.focus();
    };
  }, []);
}

/** What there is to know about the list itself. */
function Notes({ loading, problem }: Sessions) {
  const { t } = usePage();
  return (
    <div class="session-notes" role="status">
      {loading && (
        <p class="dim">
          <Icon name="loading codicon-modifier-spin" />
          {t('sessionsLoading')}
        </p>
      )}
      {problem !== null && (
        <p>
          <Icon name="warning" tone="warn" />
          <span dir="auto">{problem}</span>
        </p>
      )}
    </div>
  );
}

function SignOut() {
  const { t, act, store } = usePage();
  usePart('agent');
  usePart('connection');
  const { abilities, agent, connection } = store.state;
  if (!abilities.logout || connection.status !== 'ready') return null;
  return (
    <div class="sessions-foot">
      <button type="button" class="fold" onClick={() => void act({ type: 'logout' })}>
        <Icon name="sign-out" />
        <span class="cut">{t('signOut', agent.title)}</span>
      </button>
    </div>
  );
}

interface HeadProps {
  /** Absent where the list needs none. */
  filter: string | undefined;
  change: (filter: string) => void;
  begin: () => void;
}

function Head({ filter, change, begin }: HeadProps) {
  const { t } = usePage();
  return (
    <div class="sessions-head">
      <button type="button" class="button primary session-new" onClick={begin}>
        <Icon name="add" />
        {t('newSession')}
      </button>
      {filter !== undefined && (
        <input
          type="text"
          class="session-filter"
          placeholder={t('sessionsFilter')}
          aria-label={t('sessionsFilter')}
          value={filter}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

/** The sessions of the window, in place of the conversation; asks the extension for those of the agents (SE-19). */
export function SessionList() {
  const page = usePage();
  const { t, act, sessions } = page;
  const root = useRef<HTMLElement>(null);
  const [filter, setFilter] = useState('');
  const list = sessions.value;
  const rows = matching(list.rows, filter);
  const deeds = deedsOf(page);
  const keys = useSessionKeys(rows, deeds.remove);
  useBorrowedFocus(root);
  useEffect(() => void act({ type: 'listSessions' }), []);
  return (
    <section
      class="sessions"
      id="sessions"
      data-parley="sessions"
      aria-label={t('sessions')}
      ref={root}
      onKeyDown={keys.onKeyDown}
    >
      <Head
        filter={list.rows.length > FILTER_ABOVE ? filter : undefined}
        change={setFilter}
        begin={() => {
          void act({ type: 'newSession' });
          closeForComposer(page);
        }}
      />
      <div class="sessions-body">
        <ul class="session-rows" aria-label={t('sessions')} ref={keys.list}>
          {rows.map((row) => (
            <SessionItem
              key={row.key}
              row={row}
              active={row.key === keys.active}
              activate={() => keys.activate(row.key)}
              deeds={deeds}
            />
          ))}
        </ul>
        {rows.length === 0 && !list.loading && (
          <p class="session-none dim">{t(list.rows.length === 0 ? 'sessionsEmpty' : 'noMatches')}</p>
        )}
      </div>
      <Notes {...list} />
      <SignOut />
    </section>
  );
}
