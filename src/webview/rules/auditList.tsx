import { visibleText } from '../../core/visibleText';
import { useRules } from './model';
import { EffectBadge, scopeTitle } from './scopeSection';

/** What rules decided, newest first. */
export function AuditList() {
  const { view, t } = useRules();
  const audit = view.value?.audit ?? [];
  const time = new Intl.DateTimeFormat(document.documentElement.lang || 'en', {
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (
    <section class="audit" data-parley="audit" aria-labelledby="audit-title">
      <h2 id="audit-title">{t('auditTitle')}</h2>
      {audit.length === 0 ? (
        <p class="dim">{t('auditEmpty')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('auditTime')}</th>
              <th scope="col">{t('fieldAgent')}</th>
              <th scope="col">{t('auditWhat')}</th>
              <th scope="col">{t('auditDecision')}</th>
              <th scope="col">{t('auditRule')}</th>
            </tr>
          </thead>
          <tbody>
            {audit.map((entry, index) => (
              <tr key={`${entry.at} ${index}`}>
                <td class="dim">{time.format(entry.at)}</td>
                <td>{visibleText(entry.agent)}</td>
                <td>
                  <code dir="auto">{visibleText(entry.what)}</code>
                </td>
                <td>
                  <EffectBadge effect={entry.effect} />
                </td>
                <td>
                  <code dir="auto">{visibleText(entry.rules.join(', '))}</code>{' '}
                  <span class="dim">{t(scopeTitle(entry.scope))}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
