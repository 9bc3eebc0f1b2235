import { useEffect } from 'preact/hooks';
import { openElicitations, openPermissions } from '../core/session/select';
import { Announcer } from './announcer';
import { BannerBar, SignIn } from './banner';
import { Boundary } from './boundary';
import { Composer } from './composer/composer';
import { DropTarget } from './composer/dropTarget';
import { UnaskedLine } from './composer/unasked';
import { closeFind } from './find/findBar';
import { guardFocus } from './focusGuard';
import { Header } from './header';
import { usePage, usePart, type Page } from './page';
import { OtherSessions } from './permission/otherSessions';
import { Questions } from './permission/questions';
import { ChangesAnnouncer } from './review/changesAnnouncer';
import { ChangesDock } from './review/changesDock';
import { SessionList } from './sessions/sessionList';
import { ElicitationDock } from './transcript/elicitationDock';
import { Icon, IconButton } from './transcript/icon';
import { onEntryKey } from './transcript/entryKeys';
import { PlanDock } from './transcript/plan';
import { Transcript } from './transcript/transcript';
import { Watchdog } from './watchdog';

/**
 * Escape closes the list of sessions, else the find bar, else stops the turn where nothing smaller, such as a popup, took it and no
 * question waits.
 */
function onEscape(page: Page, event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
  if (page.sessionsOpen.peek()) {
    event.preventDefault();
    page.sessionsOpen.value = false;
    return;
  }
  if (page.find.open.peek()) {
    event.preventDefault();
    closeFind(page);
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

/** What must be known right where a message is written. */
function Lines() {
  return (
    <>
      <Boundary name="watchdog">
        <Watchdog />
      </Boundary>
      <Problem />
      <Boundary name="unasked">
        <UnaskedLine />
      </Boundary>
    </>
  );
}

/** The keys of the whole page, and a focus that is never lost. */
function useKeyboard(page: Page): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      onEscape(page, event);
      onEntryKey(page, event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page]);
  useEffect(() => guardFocus(page), [page]);
}

/** The whole page. */
export function Panel() {
  const page = usePage();
  const { state } = page.store;
  usePart('turn');
  usePart('connection');
  const key = page.key.value;
  const sessionsOpen = page.sessionsOpen.value;
  useKeyboard(page);
  return (
    <main
      class="panel"
      data-parley="panel"
      data-turn={state.turn.status}
      data-connection={state.connection.status}
      aria-label={page.t('panelLabel')}
    >
      <Boundary name="header">
        <Header />
      </Boundary>
      <BannerBar />
      {sessionsOpen && (
        <Boundary name="sessions">
          <SessionList />
        </Boundary>
      )}
      {/* Out of layout rather than covered: a question must be seen before it can be answered. */}
      <div class="stage" hidden={sessionsOpen}>
        <SignIn key={`sign-in ${key}`} />
        <Boundary name="transcript" key={`transcript ${key}`}>
          <Transcript />
        </Boundary>
      </div>
      <footer class="dock">
        {!sessionsOpen && <OtherSessions />}
        {!sessionsOpen && <ElicitationDock />}
        <Boundary name="questions" key={`questions ${key}`}>
          <Questions hidden={sessionsOpen} />
        </Boundary>
        <Boundary name="plan">
          <PlanDock key={key} />
        </Boundary>
        <Boundary name="changes">
          <ChangesDock key={`changes ${key}`} />
        </Boundary>
        <Lines />
        <Boundary name="composer">
          <Composer />
        </Boundary>
        <DropTarget />
      </footer>
      <Announcer />
      <ChangesAnnouncer />
    </main>
  );
}
