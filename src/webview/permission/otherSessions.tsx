import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';
import { titleOfRow } from '../sessions/sessionItem';
import { Icon } from '../transcript/icon';

/** Leads to the sessions that wait for the person while another one is shown (PE-8). */
export function OtherSessions() {
  const { t, act, sessions, sessionsOpen } = usePage();
  const waiting = sessions.value.rows.filter((row) => row.badge === 'waiting' && !row.current);
  // The newest comes first in the list; who has waited longest comes first here.
  const first = waiting.at(-1);
  if (!first) return null;
  const title = titleOfRow(first) ?? `${t('newSession')} · ${visibleText(first.agentTitle)}`;
  return (
    <div class="strip other-sessions" data-parley="waiting-sessions">
      <button
        type="button"
        class="strip-head"
        title={title}
        onClick={() => void act({ type: 'showSession', key: first.key })}
      >
        <Icon name="bell-dot" tone="warn" />
        <span class="cut">{t('waitingIn', title)}</span>
      </button>
      {waiting.length > 1 && (
        <button type="button" class="link" onClick={() => (sessionsOpen.value = true)}>
          {t('waitingInMore', waiting.length - 1)}
        </button>
      )}
    </div>
  );
}
