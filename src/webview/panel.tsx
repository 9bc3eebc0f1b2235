import { useEffect } from 'preact/hooks';
import { openPermissions } from '../core/session/select';
import { Announcer } from './announcer';
import { BannerBar, SignIn } from './banner';
import { Composer } from './composer/composer';
import { Header } from './header';
import { usePage, usePart, type Page } from './page';
import { Icon, IconButton } from './transcript/icon';
import { PermissionDock } from './transcript/permissionDock';
import { PlanDock } from './transcript/plan';
import { Transcript } from './transcript/transcript';

/** Escape stops the turn where nothing smaller, such as a popup, took it and no question waits. */
function stopOnEscape(page: Page, event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
  const { state } = page.store;
  if (state.turn.status !== 'running' || openPermissions(state).length > 0) return;
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
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => stopOnEscape(page, event);
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
      <SignIn />
      <Transcript />
      <footer class="dock">
        <PermissionDock />
        <PlanDock />
        <Problem />
        <Composer />
      </footer>
      <Announcer />
    </main>
  );
}
