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
  const examples = [t('emptyExplain'), t('emptyTests'), t('emptyReview')];
  if (agent.id === 'Built-in') examples.splice(0, 3, t('emptyTour'), t('emptyExplain'), t('emptyTests'));
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
