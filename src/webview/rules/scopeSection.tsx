import type { PermissionRule, RuleEffect, RuleScope } from '../../core/permission/rules';
import type { RulesView } from '../../core/permission/rulesProtocol';
import type { RulesString } from '../../core/permission/rulesStrings';
import { ruleText } from '../../core/permission/ruleText';
import { visibleText } from '../../core/visibleText';
import { Icon, IconButton } from '../transcript/icon';
import { focusName, useRules } from './model';
import { RuleForm } from './ruleForm';

const TITLES: Record<RuleScope, RulesString> = {
  session: 'scopeSession',
  workspace: 'scopeWorkspace',
  user: 'scopeUser',
};

const EFFECTS: Record<RuleEffect, { text: RulesString; icon: string }> = {
  allow: { text: 'effectAllow', icon: 'check' },
  ask: { text: 'effectAsk', icon: 'question' },
  deny: { text: 'effectDeny', icon: 'circle-slash' },
};

/** Key of the name of a scope. */
export const scopeTitle = (scope: RuleScope): RulesString => TITLES[scope];

/** Allow, ask or deny, as a word with its icon. */
export function EffectBadge({ effect }: { effect: RuleEffect }) {
  const { t } = useRules();
  return (
    <span class="effect" data-effect={effect}>
      <Icon name={EFFECTS[effect].icon} />
      {t(EFFECTS[effect].text)}
    </span>
  );
}

/** The rules of one scope, with a form where one is written. */
export function ScopeSection({ scope }: { scope: RuleScope }) {
  const { view } = useRules();
  if (!view.value) return null;
  const ignored = scope === 'workspace' && !view.value.workspaceTrusted;
  return (
    <section
      class={ignored ? 'scope ignored' : 'scope'}
      data-scope={scope}
      aria-labelledby={`${scope}-title`}
    >
      <Head scope={scope} view={view.value} ignored={ignored} />
      <Problems scope={scope} view={view.value} />
      <Rules scope={scope} />
    </section>
  );
}

function Head({ scope, view, ignored }: { scope: RuleScope; view: RulesView; ignored: boolean }) {
  const model = useRules();
  const { t } = model;
  const missing = isMissing(scope, view);
  const title = t(TITLES[scope]);
  return (
    <>
      <div class="scope-head">
        <h2 id={`${scope}-title`}>{title}</h2>
        <button
          type="button"
          class="button small"
          data-focus={focusName(scope)}
          aria-label={t('addRuleTo', title)}
          disabled={missing}
          onClick={() => model.edit(scope)}
        >
          {t('addRule')}
        </button>
      </div>
      <p class="dim">{missing ? t('scopeNoSession') : scopeHint(scope, view, t)}</p>
      {ignored && (
        <p class="rules-note warn">
          <Icon name="warning" />
          {t('untrusted')}
        </p>
      )}
    </>
  );
}

const isMissing = (scope: RuleScope, view: RulesView): boolean =>
  scope === 'session' && view.sessionTitle === undefined;

function Rules({ scope }: { scope: RuleScope }) {
  const model = useRules();
  const rules = model.rules(scope);
  const editing = model.editing.value?.scope === scope ? model.editing.value : null;
  if (rules.length === 0 && !editing) return <p class="dim">{model.t('noRules')}</p>;
  return (
    <>
      {editing && editing.index === undefined && <RuleForm key="new" editing={editing} />}
      <ul class="rule-list" aria-labelledby={`${scope}-title`}>
        {rules.map((rule, index) => (
          <li key={index} class="rule" data-rule={index}>
            {editing?.index === index ? (
              <RuleForm key={index} editing={editing} rule={rule} />
            ) : (
              <RuleRow scope={scope} index={index} rule={rule} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function scopeHint(scope: RuleScope, view: RulesView, t: ReturnType<typeof useRules>['t']): string {
  if (scope === 'session') return t('scopeSessionHint', visibleText(view.sessionTitle ?? ''));
  return t(scope === 'workspace' ? 'scopeWorkspaceHint' : 'scopeUserHint');
}

function Problems({ scope, view }: { scope: RuleScope; view: RulesView }) {
  const { t } = useRules();
  const problems = view.problems.filter((problem) => problem.scope === scope);
  return (
    <>
      {problems.map(({ index, reason, field }) => (
        <p key={`${index} ${field ?? ''}`} class="rules-note warn">
          <Icon name="warning" />
          {index < 0 && t('problemNotList')}
          {index >= 0 && reason !== 'field' && reason !== 'unknown' && t('problemAllow', index + 1)}
          {index >= 0 &&
            (reason === 'field' || reason === 'unknown') &&
            t('problemField', index + 1, visibleText(field ?? ''))}
        </p>
      ))}
    </>
  );
}

interface RowProps {
  scope: RuleScope;
  index: number;
  rule: PermissionRule;
}

function RuleRow({ scope, index, rule }: RowProps) {
  const model = useRules();
  const { t } = model;
  const text = ruleText(rule);
  const fields = [
    [t('fieldAgent'), rule.agent],
    [t('fieldKind'), rule.kind],
    [t('fieldCommand'), rule.command],
    [t('fieldPath'), rule.path],
    [t('fieldTool'), rule.tool],
  ] as const;
  const given = fields.filter(([, value]) => value !== undefined);
  return (
    <>
      <EffectBadge effect={rule.effect} />
      <span class="rule-fields">
        {given.length === 0 && <span>{t('everything')}</span>}
        {given.map(([name, value]) => (
          <span key={name} class="rule-field">
            <span class="dim">{name}</span> <code dir="auto">{visibleText(value ?? '')}</code>
          </span>
        ))}
        {rule.always && <span class="dim">{t('always')}</span>}
      </span>
      <span class="rule-actions">
        <button
          type="button"
          class="icon"
          data-focus={focusName(scope, index)}
          aria-label={t('editRule', text)}
          title={t('editRule', text)}
          onClick={() => model.edit(scope, index)}
        >
          <Icon name="edit" />
        </button>
        <IconButton
          icon="trash"
          label={t('deleteRule', text)}
          onPress={() => void model.remove(scope, index)}
        />
      </span>
    </>
  );
}
