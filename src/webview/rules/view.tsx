import { useSignalEffect } from '@preact/signals';
import { SCOPES } from '../../core/permission/rulesProtocol';
import { ruleText } from '../../core/permission/ruleText';
import { onNextFrame } from '../frame';
import { Icon } from '../transcript/icon';
import { AuditList } from './auditList';
import { useRules } from './model';
import { ScopeSection } from './scopeSection';
import { TestBox } from './testBox';

/** The whole page. */
export function RulesView() {
  const model = useRules();
  const { t } = model;
  useSignalEffect(() => {
    const wanted = model.focus.value;
    // What a save changed is drawn when the extension has sent it.
    if (wanted === null || !model.view.value) return;
    onNextFrame(() => {
      const target = document.querySelector<HTMLElement>(`[data-focus="${wanted}"]`);
      if (!target) return;
      target.focus();
      model.focus.value = null;
    });
  });
  if (!model.view.value) return null;
  return (
    <main class="rules-page">
      <h1>{t('rulesTitle')}</h1>
      <p class="dim">{t('rulesIntro')}</p>
      <Problem />
      {SCOPES.map((scope) => (
        <ScopeSection key={scope} scope={scope} />
      ))}
      <Deleted />
      <TestBox />
      <AuditList />
    </main>
  );
}

function Problem() {
  const { problem, t } = useRules();
  return (
    <div role="alert">
      {problem.value !== null && (
        <p class="rules-note bad">
          <Icon name="error" />
          {t('notSaved', problem.value)}
        </p>
      )}
    </div>
  );
}

/** Says what was deleted, with a way back. */
function Deleted() {
  const model = useRules();
  const deleted = model.deleted.value;
  return (
    <div role="status">
      {deleted && (
        <p class="rules-note">
          {model.t('ruleDeleted', ruleText(deleted.rule))}
          <button
            type="button"
            class="button small"
            data-focus="undo"
            onClick={() => void model.restore(deleted)}
          >
            {model.t('undoDelete')}
          </button>
        </p>
      )}
    </div>
  );
}
