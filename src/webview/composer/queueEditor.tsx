import { useEffect, useRef } from 'preact/hooks';
import { usePage, type Page } from '../page';
import { addToDraft } from './draft';

/** A queued prompt while its text is changed. */
export interface Editing {
  /** The session that it belongs to. */
  key: string;
  id: string;
  /** The text that waits in the queue. */
  original: string;
  text: string;
}

/** Puts what was written about a prompt that has left the queue meanwhile into the draft. */
export function rescue(page: Page, { key, original, text }: Editing): void {
  if (page.key.peek() !== key || text === original || text.trim() === '') return;
  addToDraft(page, text);
  page.problem.value = page.t('queueGoneWhileEdited');
}

interface EditorProps {
  editing: Editing;
  change: (editing: Editing) => void;
  close: () => void;
}

/** The text of a queued prompt to be changed: Enter saves, Escape leaves it as it was. */
export function QueueEditor({ editing, change, close }: EditorProps) {
  const { t, act } = usePage();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(editing.text.length, editing.text.length);
  }, []);
  const { id, original, text } = editing;
  const blank = text.trim() === '';
  const save = (): void => {
    if (blank) return;
    if (text === original) return close();
    void act({ type: 'queueEdit', id, text }).then((saved) => saved && close());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <li class="queue-item editing" data-queue-id={id}>
      <textarea
        ref={area}
        aria-label={t('queueEdit')}
        rows={1}
        dir="auto"
        value={text}
        onInput={(event) => change({ ...editing, text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <div class="queue-buttons">
        <button type="button" class="button primary" disabled={blank} onClick={save}>
          {t('queueSave')}
        </button>
        <button type="button" class="button" onClick={close}>
          {t('queueLeave')}
        </button>
      </div>
    </li>
  );
}
