import { useEffect } from 'preact/hooks';
import { openElicitations, openPermissions } from '../core/session/select';
import { Announcer } from './announcer';
import { BannerBar, SignIn } from './banner';
import { Composer } from './composer/composer';
import { Header } from './header';
import { usePage, usePart, type Page } from './page';
import { SessionList } from './sessions/sessionList';
import { Icon, IconButton } from './transcript/icon';
import { PermissionDock } from './transcript/permissionDock';
import { PlanDock } from './transcript/plan';
import { Transcript } from './transcript/transcript';

/** Escape closes the list of sessions, else stops the turn where nothing smaller, such as a popup, took it and no question waits. */
function onEscape(page: Page, event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
  if (page.sessionsOpen.peek()) {
    event.preventDefault();
    page.sessionsOpen.value = false;
    return;
  }
  const { state } = page.store;
  if (state.turn.status !== 'running') return;
  if (openPermissions(state).length > 0 || openElicitations(state).length > 0) return;
  const focused = document.activeElement;
  if (!focused?.closest('[data-parley="composer"], [data-parley="transcript"]')) return;
  event.preventDefault();
  void page.act({ type: 'cancelTurn' });
}

function Problem() {
  const { t, problem } = usePage();
  if (problem.value === null) return null;
  return (
    <div class="problem" role="status">
      <Icon name="info" />
      <span class="grow" dir="auto">
        {problem.value}
      </span>
      <IconButton icon="close" label={t('close')} onPress={() => (problem.value = null)} />
    </div>
  );
}

/** The whole page. */
export function Panel() {
  const page = usePage();
  const { state } = page.store;
  usePart('turn');
  usePart('connection');
  const key = page.key.value;
  const sessionsOpen = page.sessionsOpen.value;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => onEscape(page, event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page]);
  return (
    <main
      class="panel"
      data-parley="panel"
      data-turn={state.turn.status}
      data-connection={state.connection.status}
      aria-label={page.t('panelLabel')}
    >
      <Header />
      <BannerBar />
      {sessionsOpen && <SessionList />}
      {/* Out of layout rather than covered: a question must be seen before it can be answered. */}
      <div class="stage" hidden={sessionsOpen}>
        <SignIn key={`sign-in ${key}`} />
        <Transcript key={key} />
      </div>
      <footer class="dock">
        {!sessionsOpen && <PermissionDock />}
        <PlanDock key={key} />
        <Problem />
        <Composer />
      </footer>
      <Announcer />
    </main>
  );
}
