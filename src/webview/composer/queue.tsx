import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { QueuedPrompt } from '../../core/session/state';
import { usePage, usePart, type Page } from '../page';
import { Icon } from '../transcript/icon';
import { QueueEditor, rescue, type Editing } from './queueEditor';
import { QueueItem, type QueueItemActions } from './queueItem';

function focusItem(id: string): void {
  for (const item of document.querySelectorAll<HTMLElement>('[data-queue-id]'))
    if (item.dataset['queueId'] === id) item.focus({ preventScroll: true });
}

/** Gives the focus back to an item when it is lost, as it is where the item is moved in the document or its editor closes. */
function useFocusKeeper(page: Page): (id: string | undefined) => void {
  const kept = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (kept.current !== undefined && document.activeElement === document.body) focusItem(kept.current);
  });
  return (id) => {
    kept.current = id;
    if (id === undefined) page.focusComposer.value++;
    else focusItem(id);
  };
}

/** The prompt that is being edited. What was written is not lost when the prompt is sent meanwhile. */
function useEditing(page: Page, items: readonly QueuedPrompt[]) {
  const [editing, setEditing] = useState<Editing | null>(null);
  const gone = editing !== null && !items.some(({ id }) => id === editing.id);
  useLayoutEffect(() => {
    if (!gone) return;
    rescue(page, editing);
    setEditing(null);
  }, [gone]);
  return [gone ? null : editing, setEditing] as const;
}

/** The id that takes an item's place, or the one before it; undefined where it is the only one. */
function neighbourOf(items: readonly { id: string }[], index: number): string | undefined {
  return (items[index + 1] ?? items[index - 1])?.id;
}

/** The prompts that wait for the end of the turn (PT-7); nothing is drawn where there are none. */
export function Queue() {
  const page = usePage();
  const { act, store, t } = page;
  usePart('queue');
  const { items, paused } = store.state.queue;
  const keepFocus = useFocusKeeper(page);
  const [editing, setEditing] = useEditing(page, items);
  if (items.length === 0) return null;
  const actionsOf = ({ id, text }: QueuedPrompt, index: number): QueueItemActions => ({
    edit: () => setEditing({ key: page.key.peek(), id, original: text, text }),
    move: (by) => {
      const to = index + by;
      if (to < 0 || to >= items.length) return;
      keepFocus(id);
      void act({ type: 'queueMove', id, to });
    },
    remove: () => {
      keepFocus(neighbourOf(items, index));
      void act({ type: 'queueRemove', id });
    },
    sendNow: () => {
      keepFocus(undefined);
      void act({ type: 'queueSendNow', id });
    },
  });
  const close = (id: string): void => {
    setEditing(null);
    keepFocus(id);
  };
  return (
    <section class="strip queue" data-parley="queue" data-paused={paused} aria-label={t('queueLabel')}>
      <div class="queue-head">
        <Icon name={paused ? 'debug-pause' : 'list-ordered'} />
        <span class="grow cut">{t(paused ? 'queuePaused' : 'queueWaits')}</span>
        {paused && (
          <button type="button" class="button small" onClick={() => void act({ type: 'queueResume' })}>
            {t('queueResume')}
          </button>
        )}
      </div>
      <ol class="queue-items">
        {items.map((item, index) =>
          editing?.id === item.id ? (
            <QueueEditor key={item.id} editing={editing} change={setEditing} close={() => close(item.id)} />
          ) : (
            <QueueItem
              key={item.id}
              item={item}
              index={index}
              count={items.length}
              actions={actionsOf(item, index)}
            />
          ),
        )}
      </ol>
    </section>
  );
}
