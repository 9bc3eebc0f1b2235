import { usePage } from '../page';
import { Icon } from '../transcript/icon';

/** Opens and closes the list of sessions; tells how many others wait for the person or have ended unseen. */
export function SessionsButton() {
  const { t, sessions, sessionsOpen } = usePage();
  const open = sessionsOpen.value;
  const count = sessions.value.rows.filter(
    ({ badge, current }) => !current && (badge === 'waiting' || badge === 'done'),
  ).length;
  return (
    <button
      type="button"
      class="icon sessions-button"
      data-parley="sessions-button"
      data-count={count > 0 ? (count > 9 ? '9+' : count) : undefined}
      aria-label={t('sessions')}
      aria-expanded={open}
      aria-controls={open ? 'sessions' : undefined}
      title={count > 0 ? t('sessionsWanting', count) : t('sessions')}
      onClick={() => (sessionsOpen.value = !open)}
    >
      <Icon name="history" />
    </button>
  );
}
