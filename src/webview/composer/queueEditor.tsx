import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePage, type Page } from '../page';
import { addToDraft } from './draft';
import { isHeldSendKey, isSendKey } from './sendKey';

/** A queued prompt while its text is changed. */
export interface Editing {
  /** The session that it belongs to. */
  key: string;
  id: string;
  /** The text that waits in the queue. */
  original: string;
  text: string;
}

const isOf = (one: Editing, { key, id }: Editing): boolean => one.key === key && one.id === id;

/** Keeps what is being edited, also while another session is shown. */
export function keepEditing({ queueEdits }: Page, editing: Editing): void {
  queueEdits.value = [...queueEdits.peek().filter((one) => !isOf(one, editing)), editing];
}

/** Forgets what was being edited. */
export function endEditing({ queueEdits }: Page, editing: Editing): void {
  queueEdits.value = queueEdits.peek().filter((one) => !isOf(one, editing));
}

/** Puts what was written about a prompt that has left the queue meanwhile into the draft. */
export function rescue(page: Page, { key, original, text }: Editing): void {
  if (page.key.peek() !== key || text === original || text.trim() === '') return;
  addToDraft(page, text);
  page.problem.value = page.t('queueGoneWhileEdited');
}

interface EditorProps {
  editing: Editing;
  /** Was begun just now, so that the focus goes to it; not so when its session is shown again. */
  begun: boolean;
  close: () => void;
}

/** The text of a queued prompt to be changed: Enter saves, Escape leaves it as it was. */
export function QueueEditor({ editing, begun, close }: EditorProps) {
  const page = usePage();
  const { t, act, sendKey } = page;
  const area = useRef<HTMLTextAreaElement>(null);
  // Before the next frame, in which a lost focus would be brought to the composer.
  useLayoutEffect(() => {
    if (!begun) return;
    area.current?.focus();
    area.current?.setSelectionRange(editing.text.length, editing.text.length);
  }, []);
  const { id, original, text } = editing;
  const blank = text.trim() === '';
  const save = (): void => {
    if (blank) return;
    if (text === original) return close();
    void act({ type: 'queueEdit', id, text }).then((saved) => {
      const now = page.queueEdits.peek().find((one) => isOf(one, editing));
      if (!saved || !now) return;
      // What was written meanwhile is not saved yet.
      if (now.text === text) close();
      else keepEditing(page, { ...now, original: text });
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') close();
    else if (isSendKey(event, sendKey.peek())) save();
    else if (!isHeldSendKey(event, sendKey.peek())) return;
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
        onInput={(event) => keepEditing(page, { ...editing, text: event.currentTarget.value })}
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
