import { useEffect } from 'preact/hooks';
import type { ModelSource } from '../../core/chat/start';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';

interface OfferProps {
  from: ModelSource;
  text: string;
  /** Name of the button. */
  label: string;
}

function Offer({ from, text, label }: OfferProps) {
  const { t, act } = usePage();
  return (
    <li data-model-offer={from}>
      <div class="grow found-agent">{text}</div>
      <button
        type="button"
        class="button small"
        aria-label={label}
        title={t(from === 'ollama' ? 'useModelWrites' : 'useModelChooses')}
        onClick={() => void act({ type: 'useModel', from })}
      >
        {t('useAgent')}
      </button>
    </li>
  );
}

/** Models that the built-in agent could use; they are looked for when this is shown, and none is used unasked. */
export function ModelOffers() {
  const { t, start, channel } = usePage();
  useEffect(() => channel.lookForModels(), []);
  const models = start.value?.models ?? null;
  if (!models || (models.ollama === null && models.editor === 0)) return null;
  const ollama = visibleText(models.ollama ?? '');
  return (
    <section class="found-agents" aria-label={t('modelsFound')}>
      <h3>{t('modelsFound')}</h3>
      <ul>
        {models.ollama !== null && (
          <Offer from="ollama" text={t('ollamaRuns', ollama)} label={t('useOllama', ollama)} />
        )}
        {models.editor > 0 && <Offer from="editor" text={t('editorModels')} label={t('useEditorModel')} />}
      </ul>
    </section>
  );
}
