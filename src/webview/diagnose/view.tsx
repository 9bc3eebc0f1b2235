import type { DiagnoseAction } from '../../core/diagnostics/diagnoseProtocol';
import type { DiagnoseString } from '../../core/diagnostics/diagnoseStrings';
import type { AgentReport } from '../../core/diagnostics/report';
import { reportSections, verdictOf, type Tone } from '../../core/diagnostics/reportSections';
import { visibleText } from '../../core/visibleText';
import { Icon } from '../transcript/icon';
import { useDiagnose } from './model';
import { Section } from './section';

const TONES: Record<Tone, string> = { ok: 'pass-filled', warn: 'warning', bad: 'error' };

const DONE: Partial<Record<DiagnoseAction, DiagnoseString>> = {
  copy: 'copiedMarkdown',
  refresh: 'refreshed',
};

/** The whole page. */
export function DiagnoseView() {
  const { report, strings, t } = useDiagnose();
  const shown = report.value;
  if (!shown)
    return (
      <main class="diagnose-page">
        <h1 class="dim">{t('working')}</h1>
      </main>
    );
  return (
    <main class="diagnose-page">
      <Head report={shown} />
      {reportSections(shown, strings).map((section) => (
        <Section key={section.id} section={section} />
      ))}
    </main>
  );
}

function Head({ report }: { report: AgentReport }) {
  const { strings, t } = useDiagnose();
  const { tone, text } = verdictOf(report, strings);
  const time = new Intl.DateTimeFormat(document.documentElement.lang || 'en', { timeStyle: 'medium' });
  return (
    <header class="diagnose-head">
      <h1 dir="auto">{visibleText(t('title', report.agent))}</h1>
      <p class="verdict" data-tone={tone ?? 'none'} role="status">
        <Icon name={tone ? TONES[tone] : 'info'} {...(tone ? { tone } : {})} />
        <span dir="auto">{visibleText(text)}</span>
      </p>
      <Actions report={report} />
      <p class="dim">
        {t('madeAt', time.format(report.madeAt))} · {t('copyHint')}
      </p>
    </header>
  );
}

function Actions({ report }: { report: AgentReport }) {
  const model = useDiagnose();
  const { t } = model;
  const runs = report.start?.status === 'running' || report.start?.status === 'starting';
  const button = (action: DiagnoseAction, icon: string, label: DiagnoseString) => (
    <button
      type="button"
      class={action === 'copy' ? 'button primary' : 'button'}
      data-act={action}
      onClick={() => model.act(action)}
    >
      <Icon name={icon} /> {t(label)}
    </button>
  );
  return (
    <div class="diagnose-actions">
      {button('copy', 'copy', 'copyMarkdown')}
      {button('refresh', 'refresh', 'refresh')}
      {button('restart', 'debug-restart', runs ? 'restart' : 'start')}
      {button('showLog', 'output', 'openLog')}
      <Outcome />
    </div>
  );
}

/** What came of the last press. */
function Outcome() {
  const { outcome, t } = useDiagnose();
  const last = outcome.value;
  const done = last && DONE[last.action];
  return (
    <span role="status" class="outcome">
      {last && last.error !== null && (
        <span class="bad" dir="auto">
          {visibleText(last.error)}
        </span>
      )}
      {last?.error === null && done && (
        <>
          <Icon name="check" tone="ok" /> {t(done)}
        </>
      )}
    </span>
  );
}
