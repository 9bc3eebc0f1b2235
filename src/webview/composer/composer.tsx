import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { PageString } from '../../core/chat/strings';
import { canSend, isBusy } from '../../core/session/select';
import type { SessionState } from '../../core/session/state';
import { usePage, usePart, type Page } from '../page';
import { Icon, IconButton } from '../transcript/icon';
import { pasteFiles } from './addFiles';
import { Attachments } from './attachments';
import { PromptHistory, promptsOf } from './history';
import { optionId } from './listbox';
import { MENTION_LIST, MentionPopup, useMentions, type Mentions } from './mentions';
import { Pickers } from './pickers';
import { Queue } from './queue';
import { isHeldSendKey, isSendKey } from './sendKey';
import { COMMAND_LIST, CommandPopup, useSlashCommands, type SlashCommands } from './slashCommands';
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

/** Characters above which the composer has its full height: to measure a long text takes longer than a key may. */
const LONG = 20_000;

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
  const { t, act, store, draft, forceOffered } = usePage();
  usePart('turn');
  usePart('connection');
  const { state } = store;
  const cancelling = state.turn.status === 'cancelling';
  const slow = useStopIsSlow(cancelling);
  if (!isBusy(state)) return <SendButton submit={submit} />;
  return (
    <>
      {slow && !forceOffered.value && (
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

/** Gives the way to put the caret somewhere, once the text is drawn that it is meant for. */
function useCaret(area: RefObject<HTMLTextAreaElement | null>): (at: number) => void {
  const [wanted, setWanted] = useState<{ at: number }>();
  useLayoutEffect(() => {
    if (wanted) area.current?.setSelectionRange(wanted.at, wanted.at);
  }, [wanted]);
  return (at) => setWanted({ at });
}

/** The earlier prompts of the session that is shown. */
function useHistory(page: Page): PromptHistory {
  const key = page.key.value;
  const wentBack = page.wentBack.value;
  return useMemo(
    () =>
      new PromptHistory(
        () => promptsOf(page.store.state),
        () => page.endWaiting(),
      ),
    [page, key, wentBack],
  );
}

/** Shows an earlier prompt, or the draft again; gives the place of the caret if the key was for that. */
function stepInHistory(page: Page, history: PromptHistory, event: KeyboardEvent): number | undefined {
  const { key, target } = event;
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || !(target instanceof HTMLTextAreaElement))
    return undefined;
  const { value, selectionStart, selectionEnd } = target;
  const shown = history.step(key, { text: value, from: selectionStart, to: selectionEnd });
  if (!shown) return undefined;
  if (shown.draft) page.setDraft(shown.text);
  else page.showInstead(shown.text, shown.waiting);
  return shown.caret;
}

/** What helps with writing: lists that open above the composer, and earlier prompts. */
interface Helpers {
  mentions: Mentions;
  slash: SlashCommands;
  history: PromptHistory;
  placeCaret: (at: number) => void;
  submit: () => void;
}

/** Deals with a key in the composer: it is for an open list, sends, or brings an earlier prompt. */
function onKeyDown(page: Page, helpers: Helpers, event: KeyboardEvent): void {
  if (isForInputMethod(event)) return;
  const { mentions, slash, history, placeCaret, submit } = helpers;
  const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (plain && (mentions.onKey(event.key) || slash.onKey(event.key))) event.stopPropagation();
  else if (isSendKey(event, page.sendKey.peek())) submit();
  else if (!isHeldSendKey(event, page.sendKey.peek())) {
    const caret = plain ? stepInHistory(page, history, event) : undefined;
    if (caret === undefined) return;
    placeCaret(caret);
  }
  event.preventDefault();
}

/** The list that is open, for the attributes of the composer. */
function openList({ mentions, slash }: Helpers): { list: string; active: number } | undefined {
  if (mentions.items.length > 0) return { list: MENTION_LIST, active: mentions.active };
  return slash.matches.length > 0 ? { list: COMMAND_LIST, active: slash.active } : undefined;
}

/** Where a message is written, with the session's controls below. */
export function Composer() {
  const page = usePage();
  const { t, store, draft, focusComposer } = page;
  usePart('agent');
  usePart('turn');
  const area = useRef<HTMLTextAreaElement>(null);
  const history = useHistory(page);
  const submit = useSubmit(page, history);
  const [focused, setFocused] = useState(false);
  const slash = useSlashCommands(focused);
  const placeCaret = useCaret(area);
  const mentions = useMentions(focused, placeCaret);
  const helpers: Helpers = { mentions, slash, history, placeCaret, submit };
  const asked = focusComposer.value;
  useEffect(() => (asked > 0 ? focusWhenHere(area) : undefined), [asked]);
  const open = openList(helpers);
  return (
    <>
      <Queue />
      <div class="box">
        <CommandPopup {...slash} />
        <MentionPopup {...mentions} />
        <Attachments />
        <textarea
          ref={area}
          data-parley="composer"
          role="textbox"
          aria-multiline="true"
          aria-label={t('composerLabel')}
          aria-autocomplete="list"
          aria-controls={open?.list}
          aria-activedescendant={open && optionId(open.list, open.active)}
          placeholder={t(placeholderOf(store.state), store.state.agent.title)}
          rows={1}
          data-long={draft.value.length > LONG ? '' : undefined}
          dir="auto"
          value={draft.value}
          onInput={({ currentTarget }) => {
            page.setDraft(currentTarget.value);
            mentions.onInput(currentTarget);
          }}
          onKeyDown={(event) => onKeyDown(page, helpers, event)}
          onPaste={(event) => pasteFiles(page, event) && event.preventDefault()}
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
