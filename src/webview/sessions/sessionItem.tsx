import type { SessionBadge, SessionRow } from '../../core/chat/sessionRow';
import type { PageString } from '../../core/chat/strings';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';
import { Icon } from '../transcript/icon';
import { fullTime, timeAgo } from './relativeTime';

interface BadgeLook {
  icon: string;
  word: PageString;
  tone: string;
}

const BADGES: Readonly<Record<SessionBadge, BadgeLook>> = {
  idle: { icon: 'circle-outline', word: 'sessionIdle', tone: 'dim' },
  running: { icon: 'loading codicon-modifier-spin', word: 'sessionRunning', tone: 'active' },
  waiting: { icon: 'bell-dot', word: 'statusWaiting', tone: 'warn' },
  failed: { icon: 'error', word: 'statusFailed', tone: 'bad' },
  done: { icon: 'pass-filled', word: 'planDone', tone: 'ok' },
};

/** The title of a session as the list shows it; undefined where it has none. */
export function titleOfRow(row: SessionRow): string | undefined {
  const title = row.title?.trim().replaceAll(/\s+/g, ' ');
  return title ? visibleText(title) : undefined;
}

function Age({ at }: { at: number }) {
  const { now } = usePage();
  return (
    <time class="time session-age" dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {timeAgo(at, now.value)}
    </time>
  );
}

interface ActionProps {
  icon: string;
  label: string;
  reachable: boolean;
  onPress: () => void;
}

function RowAction({ icon, label, reachable, onPress }: ActionProps) {
  return (
    <button
      type="button"
      class="icon"
      aria-label={label}
      title={label}
      tabIndex={reachable ? 0 : -1}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}

/** What can be done with a session of the list. */
export interface SessionDeeds {
  show: (row: SessionRow) => void;
  close: (row: SessionRow) => void;
  remove: (row: SessionRow) => void;
}

interface SessionItemProps {
  row: SessionRow;
  /** True for the one row that Tab reaches; arrow keys lead to the others. */
  active: boolean;
  activate: () => void;
  deeds: SessionDeeds;
}

/** A session of the list, with its badge and what can be done with it. */
export function SessionItem({ row, active, activate, deeds }: SessionItemProps) {
  const { t } = usePage();
  const look = BADGES[row.badge];
  const title = titleOfRow(row) ?? t('newSession');
  const current = row.current ? 'true' : undefined;
  return (
    <li
      class="session-row"
      data-session-id={row.sessionId ?? row.key}
      data-session-key={row.key}
      data-session-state={row.badge}
      data-origin={row.origin}
      aria-current={current}
      onFocusCapture={activate}
    >
      <button
        type="button"
        class="session-main"
        aria-current={current}
        tabIndex={active ? 0 : -1}
        onClick={() => deeds.show(row)}
      >
        <Icon name={look.icon} tone={look.tone} />
        <span class="session-title cut" dir="auto" title={title}>
          {title}
        </span>
        <span class="session-about cut dim">
          <span class={look.tone}>{t(look.word)}</span>
          {' · '}
          <bdi>{visibleText(row.agentTitle)}</bdi>
          {row.origin === 'agent' && ` · ${t('sessionOnAgent')}`}
        </span>
        {row.updatedAt !== null && <Age at={row.updatedAt} />}
      </button>
      <span class="session-actions">
        {row.origin === 'open' && (
          <RowAction icon="close" label={t('close')} reachable={active} onPress={() => deeds.close(row)} />
        )}
        <RowAction
          icon="trash"
          label={t('sessionDelete')}
          reachable={active}
          onPress={() => deeds.remove(row)}
        />
      </span>
    </li>
  );
}
