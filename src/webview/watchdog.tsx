import { useEffect, useRef, useState } from 'preact/hooks';
import type { Intent } from '../core/chat/protocol';
import type { PageString } from '../core/chat/strings';
import { SILENCE, waitsFor, type Wait } from '../core/session/waitsFor';
import { visibleText } from '../core/visibleText';
import { LiveRegion } from './liveRegion';
import { usePage, usePart, type Page } from './page';
import type { Saying } from './said';
import { runningTime } from './transcript/duration';
import { Icon } from './transcript/icon';
import { kindLook } from './transcript/toolLook';

/** Characters of a command or a title that are read out. */
const MAX_SAID = 120;

interface Silent {
  wait: Wait;
  /** ms since the epoch. */
  since: number;
  /** Another one with everything that arrives. */
  version: number;
}

/** What is waited for in silence; null while things arrive. */
function useSilence(page: Page): Silent | null {
  usePart('turn');
  usePart('connection');
  if (page.now.value - page.heardAt < SILENCE) return null;
  const wait = waitsFor(page.store.state);
  const since = (wait && 'since' in wait && wait.since) || page.heardAt;
  // Arrivals are followed only while the line is there, so that nothing is done for each chunk.
  return wait && { wait, since, version: page.arrived.value };
}

/** What is waited for, in words, without the time; `more`: how many others beside it. */
function sentenceOf(wait: Wait, { t, store }: Page): string {
  switch (wait.for) {
    case 'answer':
      return t('watchAnswer');
    case 'terminal':
      return withMore(t('watchTerminal', visibleText(wait.name)), wait.more);
    case 'tool':
      return withMore(t('watchTool', visibleText(wait.name) || t(kindLook(wait.toolKind).label)), wait.more);
    case 'model':
      return t('watchModel');
    case 'agent':
      return t(wait.doing === 'starting' ? 'watchStart' : 'watchStop', store.state.agent.title);
  }
}

const withMore = (text: string, more: number): string => (more > 0 ? `${text} (+${more})` : text);

interface Way {
  label: PageString;
  intent: Intent;
}

const CANCEL: Way = { label: 'watchCancel', intent: { type: 'cancelTurn' } };
const RESTART: Way = { label: 'actionRestart', intent: { type: 'restartAgent' } };
const FORCE: Way = { label: 'forceStop', intent: { type: 'forceStop' } };

/** What a person can do about it. */
function waysOut(wait: Wait): Way[] {
  switch (wait.for) {
    case 'answer':
      return [CANCEL];
    case 'terminal': {
      const { terminalId } = wait;
      return [{ label: 'watchStopTool', intent: { type: 'stopTerminal', terminalId } }, CANCEL, RESTART];
    }
    case 'agent':
      return [wait.doing === 'starting' ? RESTART : FORCE];
    default:
      return [CANCEL, RESTART];
  }
}

/** Has each wait read out once, however long it lasts. */
function useSaying(sentence: string | null, time: string): Saying | null {
  const [saying, setSaying] = useState<Saying | null>(null);
  const latest = useRef(time);
  latest.current = time;
  useEffect(
    () => setSaying(sentence === null ? null : { text: `${sentence}, ${latest.current}` }),
    [sentence],
  );
  return saying;
}

const shorten = (text: string): string => (text.length > MAX_SAID ? `${text.slice(0, MAX_SAID)}…` : text);

/**
 * Says what is waited for when nothing has arrived for a while, with what can be done about it; gone as soon as something arrives
 * (CA-6, TR-9).
 */
export function Watchdog() {
  const page = usePage();
  const { t, act, now } = page;
  const silence = useSilence(page);
  const sentence = silence && sentenceOf(silence.wait, page);
  const time = silence ? runningTime(now.value - silence.since) : '';
  const saying = useSaying(sentence && shorten(sentence), time);
  const offersForce = silence?.wait.for === 'agent' && silence.wait.doing === 'stopping';
  useEffect(() => {
    page.forceOffered.value = offersForce;
  }, [offersForce]);
  return (
    <>
      <LiveRegion name="watchdog" saying={saying} />
      {silence && sentence !== null && (
        <div class="watchdog" data-parley="watchdog" data-waits-for={silence.wait.for}>
          <Icon name="watch" />
          <span class="watchdog-text" dir="auto" title={sentence}>
            {sentence}
          </span>
          <span class="nums dim">{time}</span>
          <span class="watchdog-ways">
            {waysOut(silence.wait).map(({ label, intent }) => (
              <button key={label} type="button" class="button small" onClick={() => void act(intent)}>
                {t(label)}
              </button>
            ))}
          </span>
        </div>
      )}
    </>
  );
}
