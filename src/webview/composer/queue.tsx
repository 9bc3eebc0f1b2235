import { useLayoutEffect, useRef } from 'preact/hooks';
import type { QueuedPrompt } from '../../core/session/state';
import { usePage, usePart, type Page } from '../page';
import { Icon } from '../transcript/icon';
import { endEditing, keepEditing, QueueEditor, rescue, type Editing } from './queueEditor';
import { QueueItem, type QueueItemActions } from './queueItem';

function focusItem(id: string): void {
  for (const item of document.querySelectorAll<HTMLElement>('[data-queue-id]'))
    if (item.dataset['queueId'] === id) item.focus({ preventScroll: true });
}

/** True where an item has the focus, or lost it with a control of its own. */
function hasFocus(id: string): boolean {
  const { activeElement, body } = document;
  return (
    activeElement === body ||
    activeElement?.closest<HTMLElement>('[data-queue-id]')?.dataset['queueId'] === id
  );
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

/** What is being edited of the session that is shown. Nothing is lost when a prompt is sent or another session is shown meanwhile. */
function useEdits(page: Page, items: readonly QueuedPrompt[]): readonly Editing[] {
  const key = page.key.value;
  const edits = page.queueEdits.value.filter((editing) => editing.key === key);
  const isGone = (editing: Editing): boolean => !items.some(({ id }) => id === editing.id);
  const gone = edits.filter(isGone);
  useLayoutEffect(() => {
    for (const editing of gone) {
      endEditing(page, editing);
      rescue(page, editing);
    }
  });
  return edits.filter((editing) => !isGone(editing));
}

/** The id of the prompt whose editing was begun while its session is shown. */
function useBegun({ key }: Page): { current: string | undefined } {
  const begun = useRef<string>(undefined);
  const shown = key.value;
  useLayoutEffect(() => {
    begun.current = undefined;
  }, [shown]);
  return begun;
}

/** The id that takes an item's place, or the one before it; undefined where it is the only one. */
function neighbourOf(items: readonly { id: string }[], index: number): string | undefined {
  return (items[index + 1] ?? items[index - 1])?.id;
}

function QueueHead({ paused }: { paused: boolean }) {
  const { act, t } = usePage();
  return (
    <div class="queue-head">
      <Icon name={paused ? 'debug-pause' : 'list-ordered'} />
      <span class="grow cut">{t(paused ? 'queuePaused' : 'queueWaits')}</span>
      {paused && (
        <button type="button" class="button small" onClick={() => void act({ type: 'queueResume' })}>
          {t('queueResume')}
        </button>
      )}
    </div>
  );
}

/** The prompts that wait for the end of the turn (PT-7); nothing is drawn where there are none. */
export function Queue() {
  const page = usePage();
  const { act, store } = page;
  usePart('queue');
  const { items, paused } = store.state.queue;
  const keepFocus = useFocusKeeper(page);
  const edits = useEdits(page, items);
  const begun = useBegun(page);
  if (items.length === 0) return null;
  const actionsOf = ({ id, text }: QueuedPrompt, index: number): QueueItemActions => ({
    edit: () => {
      begun.current = id;
      keepEditing(page, { key: page.key.peek(), id, original: text, text });
    },
    move: (by) => {
      if (!items[index + by]) return;
      keepFocus(id);
      void act({ type: 'queueMove', id, to: index + by });
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
  const close = (editing: Editing): void => {
    const had = hasFocus(editing.id);
    endEditing(page, editing);
    // The person may be somewhere else by the time a text is saved.
    if (had && page.key.peek() === editing.key) keepFocus(editing.id);
  };
  return (
    <section class="strip queue" data-parley="queue" data-paused={paused} aria-label={page.t('queueLabel')}>
      <QueueHead paused={paused} />
      <ol class="queue-items">
        {items.map((item, index) => {
          const editing = edits.find(({ id }) => id === item.id);
          return editing ? (
            <QueueEditor
              key={`${editing.key} ${item.id}`}
              editing={editing}
              begun={begun.current === item.id}
              close={() => close(editing)}
            />
          ) : (
            <QueueItem
              key={item.id}
              item={item}
              index={index}
              count={items.length}
              actions={actionsOf(item, index)}
            />
          );
        })}
      </ol>
    </section>
  );
}
