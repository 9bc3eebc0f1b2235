import { isBusy } from '../../core/session/select';
import type { EndEntry } from '../../core/session/state';
import { useEntry, useOpen, usePage, usePart, type Page } from '../page';
import { shortTime } from './duration';
import { Chevron, Icon } from './icon';

const NOTICE_ICONS: Readonly<Record<string, string>> = { error: 'error', warning: 'warning' };

/** A remark of the agent, or of Parley, that is no message. */
export function Notice({ id }: { id: number }) {
  const entry = useEntry(id, 'notice');
  if (!entry) return null;
  return (
    <div class="entry notice" data-entry="notice" data-severity={entry.severity}>
      <Icon name={NOTICE_ICONS[entry.severity] ?? 'info'} />
      <div class="grow" dir="auto">
        {entry.title}
        {entry.description && <div class="dim plain">{entry.description}</div>}
      </div>
    </div>
  );
}

/** Why a turn failed, with the way to the log. */
export function Failure({ id }: { id: number }) {
  const { t, act } = usePage();
  const entry = useEntry(id, 'error');
  const [open, setOpen] = useOpen(`error:${id}`, true);
  if (!entry) return null;
  const { message, detail, code } = entry.error;
  return (
    <div class="entry card failure" data-entry="error">
      <div class="failure-head">
        <Icon name="error" label={t('errorTitle')} />
        <div class="grow plain" dir="auto">
          {message}
          {code !== undefined && <div class="dim code-number">{t('errorCode', code)}</div>}
        </div>
      </div>
      {open && <pre class="raw">{detail}</pre>}
      <div class="foot">
        {detail && (
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Chevron open={open} /> {t('details')}
          </button>
        )}
        <button type="button" onClick={() => void act({ type: 'showLog' })}>
          {t('showLog')}
        </button>
      </div>
    </div>
  );
}

/** Stop reasons after which the agent may go on from where it stopped (PT-10). */
const CAN_CONTINUE = new Set(['max_tokens', 'max_turn_requests']);

/** What is sent to go on; for the agent, so in English. */
const CONTINUE = 'Continue.';

/** Lets the agent go on, as long as nothing has happened since. */
function Continue({ turn }: { turn: number }) {
  const { t, act, store, showEnd } = usePage();
  usePart('turn');
  const { state } = store;
  if (turn !== state.turn.number || isBusy(state)) return null;
  const go = (): void => {
    showEnd.value++;
    void act({ type: 'prompt', text: CONTINUE, attachments: [] });
  };
  return (
    <button type="button" class="button small" onClick={go}>
      {t('endContinue')}
    </button>
  );
}

function sentence(entry: EndEntry, t: Page['t']): { icon: string; text: string } {
  if (entry.taskComplete !== undefined) {
    const text = entry.taskComplete ? t('taskCompleteSummary', entry.taskComplete) : t('taskComplete');
    return { icon: 'pass-filled', text };
  }
  switch (entry.stopReason) {
    case 'end_turn':
      return { icon: 'check', text: t('endQuiet', shortTime(entry.duration)) };
    case 'max_tokens':
      return { icon: 'warning', text: t('endMaxTokens') };
    case 'max_turn_requests':
      return { icon: 'warning', text: t('endMaxTurnRequests') };
    case 'refusal':
      return { icon: 'circle-slash', text: t('endRefusal') };
    case 'cancelled':
      return { icon: 'debug-stop', text: t('endCancelled') };
    default:
      return { icon: 'info', text: t('endOther', entry.stopReason) };
  }
}

/** How a turn ended. */
export function TurnEnd({ id }: { id: number }) {
  const { t } = usePage();
  const entry = useEntry(id, 'end');
  if (!entry) return null;
  const { icon, text } = sentence(entry, t);
  const { stopReason, modelCalls, taskComplete } = entry;
  const quiet = stopReason === 'end_turn' && taskComplete === undefined;
  return (
    <div class={`entry end${quiet ? '' : ' loud'}`} data-entry="end" data-stop-reason={stopReason}>
      <span class="end-text" dir="auto">
        <Icon name={icon} />
        {text}
      </span>
      {CAN_CONTINUE.has(stopReason) && <Continue turn={entry.turn} />}
      {!quiet && <span class="nums">{shortTime(entry.duration)}</span>}
      {modelCalls !== undefined && modelCalls > 0 && (
        <span class="nums">{modelCalls === 1 ? t('endCallsOne') : t('endCallsMany', modelCalls)}</span>
      )}
    </div>
  );
}
