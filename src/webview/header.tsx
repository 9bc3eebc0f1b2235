import { hasOpenQuestions, isBusy } from '../core/session/select';
import { titleOf } from '../core/session/title';
import { usePage, usePart, type Page } from './page';
import { SessionsButton } from './sessions/sessionsButton';
import { clockTime } from './transcript/duration';
import { Icon, IconButton } from './transcript/icon';
import { visibleText } from '../core/visibleText';

/** ms of connecting after which the page says what it waits for. */
const SLOW_START = 5000;

interface PillLook {
  text: string;
  tone: 'run' | 'wait' | 'bad' | 'quiet';
}

function connectionLook(page: Page): PillLook {
  const { t, store } = page;
  const { connection, agent } = store.state;
  switch (connection.status) {
    case 'connecting': {
      const elapsed = page.now.value - connection.since;
      const slow = connection.since > 0 && elapsed >= SLOW_START;
      const text = slow
        ? t('statusStarting', agent.title, Math.floor(elapsed / 1000))
        : t('statusConnecting');
      return { text, tone: 'run' };
    }
    case 'exited':
      return { text: t('statusExited'), tone: 'bad' };
    case 'auth':
      return { text: t('statusSignIn'), tone: 'wait' };
    case 'none':
      return { text: t('statusNone'), tone: 'quiet' };
    case 'ready':
      return store.state.turn.status === 'failed'
        ? { text: t('statusFailed'), tone: 'bad' }
        : { text: t('statusReady'), tone: 'quiet' };
  }
}

function pillLook(page: Page): PillLook {
  const { t, store } = page;
  const { state } = store;
  if (!isBusy(state)) return connectionLook(page);
  if (state.turn.status === 'cancelling') return { text: t('statusStopping'), tone: 'wait' };
  if (hasOpenQuestions(state)) return { text: t('statusWaiting'), tone: 'wait' };
  return { text: t('statusRunning', clockTime(page.now.value - state.turn.startedAt)), tone: 'run' };
}

function Pill() {
  const page = usePage();
  usePart('turn');
  usePart('connection');
  usePart('permissions');
  const { text, tone } = pillLook(page);
  return (
    <span class={`pill nums ${tone}`} title={text}>
      {text}
    </span>
  );
}

/** The title of the conversation and how it stands. */
export function Header() {
  const { t, act, store } = usePage();
  usePart('title');
  usePart('entries');
  const title = visibleText(titleOf(store.state) ?? t('newChat'));
  return (
    <header class="session">
      <Icon name="comment-discussion" tone="dim" />
      <h1 class="cut grow" title={title} dir="auto">
        {title}
      </h1>
      <Pill />
      <SessionsButton />
      <IconButton icon="add" label={t('newChat')} onPress={() => void act({ type: 'newSession' })} />
    </header>
  );
}
