import { useComputed, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { FindBar } from '../find/findBar';
import { useFind } from '../find/useFind';
import { usePage, usePart } from '../page';
import { handleClick } from './clicks';
import { EmptyState } from './emptyState';
import { handleScrollKey, useTranscriptWindow } from './follow';
import { Icon } from './icon';
import { Sections } from './sections';
import type { TranscriptWindow } from './transcriptWindow';

/** What was said, or what to do where nothing was. */
function Conversation({ window }: { window: TranscriptWindow }) {
  const { store } = usePage();
  const isEmpty = useComputed(() => {
    store.follow('entries');
    return store.state.entries.length === 0;
  });
  useSignalEffect(window.watchAsked);
  return isEmpty.value ? <EmptyState /> : <Sections window={window} />;
}

/** Leads back to the end, and says how many entries came while the reader was elsewhere. */
function Jump({ window }: { window: TranscriptWindow }) {
  const { store, t } = usePage();
  const atEnd = window.atEnd.value;
  usePart('entries');
  const last = store.state.nextEntryId - 1;
  const seen = useRef({ epoch: store.epoch, last });
  if (atEnd || seen.current.epoch !== store.epoch) seen.current = { epoch: store.epoch, last };
  if (atEnd) return null;
  const count = last - seen.current.last;
  return (
    <button type="button" class="jump" onClick={() => window.toEnd()}>
      <Icon name="arrow-down" />
      {count > 0 ? t('jumpToNew', count) : t('jumpToLatest')}
    </button>
  );
}

/** The conversation. It is not read out as it grows: `Announcer` says what matters, once. */
export function Transcript() {
  const page = usePage();
  const { store, t } = page;
  const epoch = useComputed(() => {
    store.follow('entries');
    return store.epoch;
  }).value;
  const { log, window } = useTranscriptWindow(epoch);
  useFind(log);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (handleScrollKey(event, window)) event.preventDefault();
    else if (event.key === 'Enter' && event.target instanceof HTMLAnchorElement && handleClick(page, event))
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
        <div class="transcript-content">
          <Conversation key={epoch} window={window} />
        </div>
      </div>
      <FindBar log={log} />
      <Jump window={window} />
    </div>
  );
}
