import { useRef } from 'preact/hooks';
import type { PageString } from '../../core/chat/strings';
import { inspectUrl, type UrlView, type UrlWarning } from '../../core/elicitation/url';
import type { ElicitationEntry } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import { usePage, usePart } from '../page';
import { ElicitationActions, ElicitationCard } from './elicitationCard';
import { useAnswer } from './elicitationForm';
import { Icon } from './icon';
import { leaveQuestion, useReadyToAnswer } from './inView';
import { urlParts } from './urlParts';

const WARNINGS: Readonly<Record<UrlWarning, PageString>> = {
  notHttps: 'urlNotHttps',
  punycode: 'urlPunycode',
  userInfo: 'urlUserInfo',
  unusualPort: 'urlPort',
  mixedScripts: 'urlMixedScripts',
  ipAddress: 'urlIpAddress',
};

/** The whole address as text with its host marked, the host by itself, and what to beware of (EL-21, EL-22, EL-24). */
function Address({ view }: { view: UrlView }) {
  const { t } = usePage();
  const { host, asciiHost, warnings, valid, allowed } = view;
  const [before, marked, after] = urlParts(view);
  const notes = warnings.map((warning) => t(WARNINGS[warning]));
  if (!valid) notes.push(t('urlInvalid'));
  else if (!allowed) notes.push(t('urlNotAllowed'));
  return (
    <>
      {host !== '' && (
        <div class="form-site">
          {t('elicitSite')} <strong dir="ltr">{host}</strong>
          {asciiHost !== host.toLowerCase() && <span class="mono"> ({asciiHost})</span>}
        </div>
      )}
      <pre class="ask-subject" dir="ltr" tabIndex={0} data-parley="url">
        {visibleText(before)}
        {marked !== '' && <mark class="host">{visibleText(marked)}</mark>}
        {visibleText(after)}
      </pre>
      {notes.map((note) => (
        <div key={note} class="field-note warn form-warning">
          <Icon name="warning" />
          {note}
        </div>
      ))}
    </>
  );
}

/** A page that the agent wants to be opened; nothing is loaded before the person says so (EL-20 to EL-25). */
export function ElicitationUrl({ entry, url }: { entry: ElicitationEntry; url: string }) {
  const { t } = usePage();
  const card = useRef<HTMLDivElement>(null);
  const ready = useReadyToAnswer(card, entry.requestId);
  const answer = useAnswer(entry.requestId);
  const view = inspectUrl(url);
  return (
    <ElicitationCard entry={entry} card={card}>
      <Address view={view} />
      <ElicitationActions
        accept={view.allowed ? t('elicitOpen') : undefined}
        ready={ready}
        act={(action) => {
          leaveQuestion(card);
          void answer(action);
        }}
      />
    </ElicitationCard>
  );
}

/** What became of a page that was opened: until the agent says that it is done, it can be opened again (EL-26). */
export function OpenedUrl({ entry }: { entry: ElicitationEntry; version: number }) {
  const { t, store } = usePage();
  usePart('turn');
  usePart('connection');
  const answer = useAnswer(entry.requestId);
  const { turn, connection } = store.state;
  if (entry.completed)
    return (
      <div class="elicitation-answered dim">
        <Icon name="check" />
        {t('elicitCompleted')}
      </div>
    );
  // Nobody waits for a page of an earlier turn or of an agent that is gone.
  if (entry.turn !== turn.number || connection.status === 'exited' || connection.status === 'none')
    return null;
  return (
    <div class="elicitation-answered" role="status">
      <Icon name="loading codicon-modifier-spin" />
      <span class="grow">{t('elicitWaiting')}</span>
      <button type="button" class="button small" onClick={() => void answer('accept')}>
        {t('elicitOpenAgain')}
      </button>
    </div>
  );
}
