import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { PageString } from '../../core/chat/strings';
import { canSend, isBusy } from '../../core/session/select';
import type { SessionState } from '../../core/session/state';
import { usePage, usePart } from '../page';
import { Icon, IconButton } from '../transcript/icon';
import { Attachments, pasteImages } from './attachments';
import { optionId } from './listbox';
import { Pickers } from './pickers';
import { Queue } from './queue';
import { COMMAND_LIST, CommandPopup, useSlashCommands } from './slashCommands';
import { useSubmit } from './submit';
import { Usage } from './usage';

/** ms of stopping after which the agent can be stopped by force. */
const FORCE_AFTER = 5000;

/** True while the agent has been asked to stop for too long. */
function useStopIsSlow(cancelling: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!cancelling) return;
    const timer = setTimeout(() => setSlow(true), FORCE_AFTER);
    return () => clearTimeout(timer);
  }, [cancelling]);
  return slow && cancelling;
}

function SendButton({ submit }: { submit: () => void }) {
  const { t, store, draft } = usePage();
  const ready = canSend(store.state);
  const hint = isBusy(store.state) ? 'sendQueued' : 'send';
  return (
    <button
      type="button"
      class="icon main"
      aria-label={t('send')}
      title={t(ready ? hint : 'sendNotReady')}
      disabled={!ready || draft.value.trim() === ''}
      onClick={submit}
    >
      <Icon name="send" />
    </button>
  );
}

/** Stop while a turn runs, and Send where there is something to send; Stop stays in its place while a person writes. */
function TurnButtons({ submit }: { submit: () => void }) {
  const { t, act, store, draft } = usePage();
  usePart('turn');
  usePart('connection');
  const { state } = store;
  const cancelling = state.turn.status === 'cancelling';
  const slow = useStopIsSlow(cancelling);
  if (!isBusy(state)) return <SendButton submit={submit} />;
  return (
    <>
      {slow && (
        <button type="button" class="button force" onClick={() => void act({ type: 'forceStop' })}>
          {t('forceStop')}
        </button>
      )}
      {draft.value.trim() !== '' && <SendButton submit={submit} />}
      <IconButton
        icon="debug-stop"
        label={t('stop')}
        look="main stop"
        disabled={cancelling}
        onPress={() => void act({ type: 'cancelTurn' })}
      />
    </>
  );
}

function isForInputMethod(event: KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- The only sign of the key that ends a composition in some systems.
  return event.isComposing || event.keyCode === 229;
}

/** Focuses a field as soon as the page has the focus: taking it would close what the person has opened elsewhere meanwhile. */
function focusWhenHere(field: RefObject<HTMLElement | null>): (() => void) | undefined {
  const focus = (): void => field.current?.focus();
  if (document.hasFocus()) {
    focus();
    return undefined;
  }
  window.addEventListener('focus', focus, { once: true });
  return () => window.removeEventListener('focus', focus);
}

function placeholderOf(state: SessionState): PageString {
  if (isBusy(state)) return 'composerPlaceholderQueue';
  return state.commands.length > 0 ? 'composerPlaceholder' : 'composerPlaceholderPlain';
}

/** Where a message is written, with the session's controls below. */
export function Composer() {
  const page = usePage();
  const { t, store, draft, focusComposer } = page;
  usePart('agent');
  usePart('turn');
  const area = useRef<HTMLTextAreaElement>(null);
  const submit = useSubmit(page);
  const [focused, setFocused] = useState(false);
  const slash = useSlashCommands(focused);
  const asked = focusComposer.value;
  useEffect(() => (asked > 0 ? focusWhenHere(area) : undefined), [asked]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isForInputMethod(event)) return;
    const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (plain && slash.onKey(event.key)) event.stopPropagation();
    else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) submit();
    else return;
    event.preventDefault();
  };
  const expanded = slash.matches.length > 0;
  return (
    <>
      <Queue />
      <div class="box">
        <CommandPopup {...slash} />
        <Attachments />
        <textarea
          ref={area}
          data-parley="composer"
          role="textbox"
          aria-multiline="true"
          aria-label={t('composerLabel')}
          aria-autocomplete="list"
          aria-controls={expanded ? COMMAND_LIST : undefined}
          aria-activedescendant={expanded ? optionId(COMMAND_LIST, slash.active) : undefined}
          placeholder={t(placeholderOf(store.state), store.state.agent.title)}
          rows={1}
          dir="auto"
          value={draft.value}
          onInput={(event) => page.setDraft(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => pasteImages(page, event) && event.preventDefault()}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
        />
        <div class="tools">
          <Pickers />
          <span class="grow" />
          <Usage />
          <TurnButtons submit={submit} />
        </div>
      </div>
    </>
  );
}
