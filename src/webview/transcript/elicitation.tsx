import { useEffect } from 'preact/hooks';
import type { ElicitationEntry } from '../../core/session/state';
import type { PageString } from '../../core/chat/strings';
import { visibleText } from '../../core/visibleText';
import { useEntry, usePage } from '../page';
import { ElicitationForm } from './elicitationForm';
import { ElicitationUrl, OpenedUrl } from './elicitationUrl';
import { forgetFilling } from './formFilling';
import { Icon } from './icon';

/** A question of the agent by form or web page (EL-2, EL-3); once answered, a line. */
export function Elicitation({ id }: { id: number }) {
  const page = usePage();
  const entry = useEntry(id, 'elicitation');
  const answered = entry?.outcome !== undefined;
  const requestId = entry?.requestId ?? '';
  useEffect(() => {
    if (answered) forgetFilling(page, requestId);
  }, [answered, requestId]);
  if (!entry) return null;
  return (
    <div
      class={`entry elicitation${answered ? '' : ' card asks'}`}
      data-entry="elicitation"
      data-entry-id={id}
      data-outcome={entry.outcome}
      role="group"
      aria-label={visibleText(entry.message)}
      data-request-id={requestId}
    >
      {answered ? <Answered entry={entry} version={entry.version} /> : <Open entry={entry} />}
    </div>
  );
}

function Open({ entry }: { entry: ElicitationEntry }) {
  const { form, url } = entry;
  if (form) return <ElicitationForm entry={entry} form={form} />;
  return <ElicitationUrl entry={entry} url={url ?? ''} />;
}

function outcomeOf({ outcome, url }: ElicitationEntry): { icon: string; text: PageString } {
  if (outcome === 'decline') return { icon: 'circle-slash', text: 'elicitDeclined' };
  if (outcome === 'cancel') return { icon: 'circle-slash', text: 'elicitCancelled' };
  return { icon: 'check', text: url === undefined ? 'elicitSubmitted' : 'elicitOpened' };
}

function Answered({ entry }: { entry: ElicitationEntry; version: number }) {
  const { t } = usePage();
  const { icon, text } = outcomeOf(entry);
  const message = visibleText(entry.message).replace(/\s+/g, ' ');
  return (
    <>
      <div class="elicitation-answered dim">
        <Icon name={icon} />
        <span class="cut" title={message}>
          {t(text)}
          {message !== '' && ` · ${message}`}
        </span>
      </div>
      {entry.outcome === 'accept' && entry.url !== undefined && (
        <OpenedUrl entry={entry} version={entry.version} />
      )}
    </>
  );
}
