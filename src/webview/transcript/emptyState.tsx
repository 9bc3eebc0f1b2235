import { useEffect } from 'preact/hooks';
import { BUILT_IN_AGENT } from '../../core/agents/definition';
import type { Intent } from '../../core/chat/protocol';
import type { PageString } from '../../core/chat/strings';
import { addToDraft } from '../composer/draft';
import { usePage, usePart } from '../page';
import { FoundAgents } from './foundAgents';
import { Icon } from './icon';
import { ModelOffers } from './modelOffers';

// Without a model the built-in agent understands a few plain requests only.
const BUILT_IN_EXAMPLES: readonly PageString[] = ['emptyTour', 'emptyList', 'emptyRun'];
const EXAMPLES: readonly PageString[] = ['emptyExplain', 'emptyTests', 'emptyReview'];

/** Prompts that fill the composer, beside what was written there; the person sends them. */
function Examples({ keys, look = '' }: { keys: readonly PageString[]; look?: string }) {
  const page = usePage();
  const fill = (text: string): void => {
    const draft = page.draft.peek();
    const kept = keys.some((key) => page.t(key) === draft.trim()) ? '' : draft;
    // Only at the beginning of a text is it a command. The blank closes the list of commands, so that Enter sends.
    if (text.startsWith('/')) page.setDraft(`${text} ${kept}`);
    else if (kept === '') page.setDraft(text);
    else addToDraft(page, text);
    page.focusComposer.value++;
  };
  return (
    <div class={`examples ${look}`} role="group" aria-label={page.t('examplesLabel')}>
      {keys.map((key) => (
        <button key={key} type="button" class="example" onClick={() => fill(page.t(key))}>
          {page.t(key)}
        </button>
      ))}
    </div>
  );
}

interface NoteProps {
  icon: string;
  text: string;
  action: string;
  intent: Intent;
}

/** Something that limits what the agent can do, and what to do about it. */
function Note({ icon, text, action, intent }: NoteProps) {
  const { act } = usePage();
  return (
    <div class="start-note" data-start-note={intent.type}>
      <Icon name={icon} />
      <p class="grow" dir="auto">
        {text}{' '}
        <button type="button" class="link" onClick={() => void act(intent)}>
          {action}
        </button>
      </p>
    </div>
  );
}

function Notes() {
  const { t, store, start } = usePage();
  usePart('banner');
  const { connection, banner, agent } = store.state;
  const view = start.value;
  return (
    <>
      {connection.status === 'exited' && !banner && (
        <Note
          icon="debug-disconnect"
          text={t('stoppedLine', agent.title)}
          action={t('actionRestart')}
          intent={{ type: 'restartAgent' }}
        />
      )}
      {view?.trusted === false && (
        <Note
          icon="workspace-untrusted"
          text={t('untrustedLine')}
          action={t('manageTrust')}
          intent={{ type: 'manageTrust' }}
        />
      )}
      {view?.folder === false && (
        <Note
          icon="folder"
          text={t('noFolderLine')}
          action={t('openFolder')}
          intent={{ type: 'openFolder' }}
        />
      )}
    </>
  );
}

/** With the built-in agent: what this is, what can be tried at once, and the way to an agent with a model. */
function Welcome() {
  const { t, act, sessions, store } = usePage();
  usePart('config');
  const model = store.state.config.find(({ category }) => category === 'model')?.value;
  const hasModel = model !== undefined && model !== 'offline';
  const isFirst = sessions.value.rows.length <= 1;
  return (
    <div class="empty" data-parley="welcome">
      <h2>{isFirst ? t('welcomeTitle') : t('emptyTitle', BUILT_IN_AGENT)}</h2>
      {isFirst && <p class="dim">{t('welcomeLine')}</p>}
      <Notes />
      <p class="dim">{t(hasModel ? 'emptyHint' : 'builtInLine')}</p>
      {hasModel ? <Examples keys={EXAMPLES} /> : <Examples keys={BUILT_IN_EXAMPLES} look="short" />}
      {!hasModel && <ModelOffers />}
      <FoundAgents />
      <div class="start-links">
        <button type="button" class="link" onClick={() => void act({ type: 'setUpModel' })}>
          {t('setUpModel')}
        </button>
        <button type="button" class="link" onClick={() => void act({ type: 'addAgent' })}>
          {t('addAgent')}
        </button>
        <button type="button" class="link" onClick={() => void act({ type: 'openWalkthrough' })}>
          {t('getStarted')}
        </button>
      </div>
    </div>
  );
}

/** What a new conversation offers; it goes away with the first prompt. */
export function EmptyState() {
  const { t, store, start, channel } = usePage();
  usePart('agent');
  usePart('connection');
  const { agent, connection } = store.state;
  const shown = store.loaded.value && agent.id !== '' && connection.status !== 'auth';
  useEffect(() => {
    if (shown && start.peek() === null) channel.lookAround(false);
  }, [shown]);
  if (!shown) return null;
  if (agent.id === BUILT_IN_AGENT) return <Welcome />;
  return (
    <div class="empty">
      <Icon name="comment-discussion" />
      <h2>{t('emptyTitle', agent.title)}</h2>
      {start.value?.trusted !== false && <p class="dim">{t('emptyHint')}</p>}
      <Notes />
      <Examples keys={EXAMPLES} />
    </div>
  );
}
