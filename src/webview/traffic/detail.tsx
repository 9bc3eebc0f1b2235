import { visibleText } from '../../core/visibleText';
import { Icon, IconButton } from '../transcript/icon';
import { useTraffic } from './model';
import { subjectOf } from './row';

/** Longest text that is drawn, in UTF-16 units. */
const MAX_DRAWN = 200_000;

/** The message that was chosen, on many lines. */
export function Detail() {
  const model = useTraffic();
  const { t, detail, rows } = model;
  const shown = detail.value;
  if (!shown) return null;
  const { seq, text } = shown;
  const row = rows.value.find((item) => item.seq === seq);
  const subject = row && subjectOf(row, t);
  return (
    <section class="traffic-detail" aria-label={t('detail', seq)}>
      <div class="traffic-detail-head">
        <h2 class="grow">{subject && visibleText(`${subject.head} ${subject.rest}`.trim())}</h2>
        <button type="button" class="button small" disabled={!text} onClick={() => model.copy(seq)}>
          <Icon name="copy" />
          {t('copy')}
        </button>
        <IconButton icon="close" label={t('closeDetail')} onPress={() => model.closeDetail()} />
      </div>
      {row?.cut && <p class="dim">{t('cut', row.size)}</p>}
      {text === null && <p class="dim">{t('cannotShow')}</p>}
      {text && text.length > MAX_DRAWN && <p class="dim">{t('longer')}</p>}
      {text && (
        <pre tabIndex={0} role="group" aria-label={t('detailText')}>
          {visibleText(text.slice(0, MAX_DRAWN))}
        </pre>
      )}
    </section>
  );
}
