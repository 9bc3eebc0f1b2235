import { Component } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePage, usePart, type Page } from '../page';
import { follow } from './blocks';
import { copyFrom } from './copy';
import { EmptyState } from './emptyState';
import { EntryViews } from './entryView';
import { useFollowing } from './follow';
import { Icon } from './icon';

/** Entries that are laid out together: the browser skips a section that is off screen. */
const SECTION = 50;
/** Sections that are drawn at first, and that are added when the reader reaches the top. */
const FIRST_SECTIONS = 4;
/** Sections above which the earlier ones are dropped again, once the end is being read. */
const MAX_SECTIONS = 12;

/** Entries by their ids, drawn again only when one is added. */
class Section extends Component<{ ids: string }> {
  override shouldComponentUpdate(next: { ids: string }): boolean {
    return next.ids !== this.props.ids;
  }

  override render() {
    return (
      <div class="section">
        <EntryViews ids={this.props.ids.split(',').map(Number)} />
      </div>
    );
  }
}

/** Opens links and copies code of messages; one listener for all of them. */
function handleClick(page: Page, event: Event): boolean {
  if (!(event.target instanceof Element)) return false;
  const link = event.target.closest<HTMLElement>('[data-href]');
  if (link?.dataset['href']) {
    follow(page, link.dataset['href']);
    return true;
  }
  const button = event.target.closest<HTMLElement>('[data-copy-code]');
  const code = button?.closest('.code')?.querySelector('code');
  if (!button || !code) return false;
  copyFrom(page, button, (code.textContent ?? '').replace(/\n$/, ''));
  return true;
}

/** The first section that is drawn: one of the last at first, an earlier one when the reader reaches the top. */
function useFirstSection(count: number, log: { current: HTMLElement | null }, atEnd: boolean) {
  const [first, setFirst] = useState(Math.max(0, count - FIRST_SECTIONS));
  const top = useRef<HTMLButtonElement>(null);
  const fromEnd = useRef<number>(undefined);
  const more = (): void => {
    const box = log.current;
    if (box) fromEnd.current = box.scrollHeight - box.scrollTop;
    setFirst((now) => Math.max(0, now - FIRST_SECTIONS));
  };
  const tooMany = atEnd && count - first > MAX_SECTIONS;
  useEffect(() => {
    if (tooMany) setFirst(count - FIRST_SECTIONS);
  }, [tooMany]);
  useLayoutEffect(() => {
    // At its very top the browser does not keep the reader's place by itself.
    if (fromEnd.current !== undefined && log.current)
      log.current.scrollTop = log.current.scrollHeight - fromEnd.current;
    fromEnd.current = undefined;
  }, [first]);
  useEffect(() => {
    if (!top.current) return;
    const observer = new IntersectionObserver((changes) => changes.at(-1)?.isIntersecting && more());
    observer.observe(top.current);
    return () => observer.disconnect();
  }, [first]);
  return { first, top, more };
}

function Sections({ log, atEnd }: { log: { current: HTMLElement | null }; atEnd: boolean }) {
  const { store, t } = usePage();
  usePart('entries');
  const { entries } = store.state;
  const count = Math.ceil(entries.length / SECTION);
  const { first, top, more } = useFirstSection(count, log, atEnd);
  return (
    <>
      {first > 0 && (
        <button type="button" class="fold earlier" ref={top} onClick={more}>
          {t('showEarlier')}
        </button>
      )}
      {Array.from({ length: count - first }, (_, index) => {
        const start = (first + index) * SECTION;
        const ids = entries.slice(start, start + SECTION).map((entry) => entry.id);
        return <Section key={start} ids={ids.join(',')} />;
      })}
    </>
  );
}

/** The conversation. It is not read out as it grows: `Announcer` says what matters, once. */
export function Transcript() {
  const page = usePage();
  const { store, t } = page;
  usePart('entries');
  const { epoch } = store;
  const { log, content, atEnd, toEnd } = useFollowing(epoch);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && event.target instanceof HTMLAnchorElement && handleClick(page, event))
      event.preventDefault();
  };
  return (
    <div class="transcript-box">
      <div
        class="transcript"
        data-parley="transcript"
        role="log"
        aria-live="off"
        aria-label={t('transcriptLabel')}
        tabIndex={0}
        ref={log}
        onClick={(event) => handleClick(page, event)}
        onKeyDown={onKeyDown}
      >
        <div class="transcript-content" ref={content}>
          {store.state.entries.length === 0 ? (
            <EmptyState />
          ) : (
            <Sections key={epoch} log={log} atEnd={atEnd} />
          )}
        </div>
      </div>
      {!atEnd && (
        <button type="button" class="jump" onClick={toEnd}>
          <Icon name="arrow-down" />
          {t('jumpToLatest')}
        </button>
      )}
    </div>
  );
}
