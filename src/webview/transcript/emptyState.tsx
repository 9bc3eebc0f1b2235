import { BUILT_IN_AGENT } from '../../core/agents/definition';
import type { PageString } from '../../core/chat/strings';
import { usePage, usePart } from '../page';
import { Icon } from './icon';

/** What a new conversation offers. */
export function EmptyState() {
  const page = usePage();
  const { t, store } = page;
  usePart('agent');
  usePart('connection');
  const { agent, connection } = store.state;
  if (!store.loaded.value || agent.id === '' || connection.status === 'auth') return null;
  // The built-in agent understands a few plain requests only.
  const keys: readonly PageString[] =
    agent.id === BUILT_IN_AGENT
      ? ['emptyTour', 'emptyList', 'emptyRun']
      : ['emptyExplain', 'emptyTests', 'emptyReview'];
  const examples = keys.map((key) => t(key));
  const fill = (text: string): void => {
    page.setDraft(text);
    page.focusComposer.value++;
  };
  return (
    <div class="empty">
      <Icon name="comment-discussion" />
      <h2>{t('emptyTitle', agent.title)}</h2>
      <p class="dim">{t('emptyHint')}</p>
      <div class="examples" role="group" aria-label={t('examplesLabel')}>
        {examples.map((example) => (
          <button key={example} type="button" class="example" onClick={() => fill(example)}>
            {example}
          </button>
        ))}
      </div>
    </div>
  );
}
