import { useRef } from 'preact/hooks';
import { isBusy } from '../../core/session/select';
import { exhaustedTitle } from '../../core/session/synthetic';
import type { EndEntry } from '../../core/session/turn';
import { visibleText } from '../../core/visibleText';
import { useEntry, useOpen, usePage, usePart, type Page } from '../page';
import { shortTime } from './duration';
import { Chevron, Icon } from './icon';
import { useSeen } from './inView';
import { Timeline } from './timeline';

const NOTICE_ICONS: Readonly<Record<string, string>> = { error: 'error', warning: 'warning' };

/** A folder that the session was refused, and the way to allow it; a press counts only once it could be read. */
function RefusedFolder({ folder, allowed }: { folder: string; allowed: boolean }) {
  const { t, act } = usePage();
  const box = useRef<HTMLDivElement>(null);
  const ready = useSeen(box, folder);
  return (
    <div class="refused-folder" ref={box}>
      <code dir="ltr">{visibleText(folder)}</code>
      {allowed ? (
        <span class="allowed">
          <Icon name="check" />
          {t('folderAllowed')}
        </span>
      ) : (
        <button
          type="button"
          class="button small"
          data-ready={ready ? 'true' : undefined}
          aria-disabled={!ready}
          onClick={() => ready && void act({ type: 'allowFolder', folder })}
        >
          {t('allowFolder')}
        </button>
      )}
    </div>
  );
}

/** A remark of the agent, or of Parley, that is no message. */
export function Notice({ id }: { id: number }) {
  const entry = useEntry(id, 'notice');
  if (!entry) return null;
  return (
    <div
      class="entry notice"
      data-entry="notice"
      data-entry-id={id}
      data-severity={entry.severity}
      role="group"
      aria-label={visibleText(entry.title)}
    >
      <Icon name={NOTICE_ICONS[entry.severity] ?? 'info'} />
      <div class="grow" dir="auto">
        {entry.title}
        {entry.description && <div class="dim plain">{entry.description}</div>}
        {entry.folder !== undefined && (
          <RefusedFolder key={entry.folder} folder={entry.folder} allowed={entry.allowed === true} />
        )}
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
    <div
      class="entry card failure"
      data-entry="error"
      data-entry-id={id}
      role="group"
      aria-label={t('errorTitle')}
    >
      <div class="failure-head">
        <Icon name="error" label={t('errorTitle')} />
        <div class="grow plain" dir="auto">
          {message}
          {code !== undefined && <div class="dim code-number">{t('errorCode', code)}</div>}
        </div>
      </div>
      {open && detail && <pre class="raw">{detail}</pre>}
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

/** How a turn ended, with an icon for it. */
export function endSentence(entry: EndEntry, t: Page['t']): { icon: string; text: string } {
  if (entry.taskComplete !== undefined) {
    const text = entry.taskComplete ? t('taskCompleteSummary', entry.taskComplete) : t('taskComplete');
    return { icon: 'pass-filled', text };
  }
  if (entry.nudgesExhausted) return { icon: 'bell-slash', text: exhaustedTitle(entry.nudges, t) };
  if (entry.silent) return { icon: 'info', text: t('endSilent') };
  switch (entry.stopReason) {
    case 'end_turn':
      return { icon: 'circle-outline', text: t('endQuiet', shortTime(entry.duration)) };
    case 'max_tokens':
      return { icon: 'warning', text: t('endMaxTokens') };
    case 'max_turn_requests':
      return { icon: 'warning', text: t('endMaxTurnRequests') };
    case 'refusal':
      return { icon: 'circle-slash', text: t('endRefusal') };
    case 'cancelled':
      return { icon: 'debug-stop', text: t('endCancelled') };
    case 'interrupted':
      return { icon: 'debug-disconnect', text: t('endInterrupted') };
    default:
      return { icon: 'info', text: t('endOther', entry.stopReason) };
  }
}

/** How many model calls a turn took; where they were told one by one, it opens their timeline. */
function Calls({ entry }: { entry: EndEntry }) {
  const { t } = usePage();
  const [open, setOpen] = useOpen(`timeline:${entry.id}`, false);
  const { modelCalls = 0, timeline } = entry;
  if (modelCalls <= 0) return null;
  const count = modelCalls === 1 ? t('endCallsOne') : t('endCallsMany', modelCalls);
  if (!timeline || timeline.kept.length === 0) return <span class="nums">{count}</span>;
  return (
    <>
      <button
        type="button"
        class="end-calls nums"
        aria-expanded={open}
        aria-label={t('timeline', count)}
        onClick={() => setOpen(!open)}
      >
        {count}
        <Chevron open={open} />
      </button>
      {open && <Timeline entry={entry} timeline={timeline} />}
    </>
  );
}

/** True where there is no more to say of the end than that it came. */
export function isQuietEnd({ stopReason, taskComplete, nudgesExhausted, silent }: EndEntry): boolean {
  return stopReason === 'end_turn' && taskComplete === undefined && !nudgesExhausted && !silent;
}

/** How a turn ended. */
export function TurnEnd({ id }: { id: number }) {
  const { t } = usePage();
  const entry = useEntry(id, 'end');
  if (!entry) return null;
  const { icon, text } = endSentence(entry, t);
  const { stopReason } = entry;
  const quiet = isQuietEnd(entry);
  return (
    <div
      class={`entry end${quiet ? '' : ' loud'}`}
      data-entry="end"
      data-entry-id={id}
      data-stop-reason={stopReason}
      role="group"
      aria-label={visibleText(text)}
    >
      <span class="end-text" dir="auto">
        <Icon name={icon} />
        {text}
      </span>
      {CAN_CONTINUE.has(stopReason) && <Continue turn={entry.turn} />}
      {!quiet && stopReason !== 'interrupted' && <span class="nums">{shortTime(entry.duration)}</span>}
      {entry.tokens && (
        <span class="nums" data-parley="turn-tokens">
          {t('timelineTokens', entry.tokens.input.toLocaleString(), entry.tokens.output.toLocaleString())}
        </span>
      )}
      <Calls entry={entry} />
    </div>
  );
}
