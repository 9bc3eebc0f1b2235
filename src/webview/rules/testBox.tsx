import { useState } from 'preact/hooks';
import type { RuleEffect, ScopedRule } from '../../core/permission/rules';
import type { RulesString } from '../../core/permission/rulesStrings';
import { ruleText } from '../../core/permission/ruleText';
import { visibleText } from '../../core/visibleText';
import { Icon } from '../transcript/icon';
import { Choice, KINDS, named, TextField } from './fields';
import { useRules, type RulesModel } from './model';
import { scopeTitle } from './scopeSection';
import { tryOut, type Trial, type Verdict } from './tryOut';

const OUTCOMES: Record<RuleEffect, RulesString> = {
  allow: 'outcomeAllow',
  ask: 'outcomeAsk',
  deny: 'outcomeDeny',
};

/** "What would happen to this command?", answered while it is typed. */
export function TestBox() {
  const { view, t } = useRules();
  const [trial, setTrial] = useState<Trial>({ agent: '', kind: 'execute', command: '', path: '', tool: '' });
  const shown = view.value;
  if (!shown) return null;
  const agent = trial.agent || (shown.agents[0] ?? '');
  const verdict = tryOut({ ...trial, agent }, shown);
  const change = (part: Partial<Trial>): void => setTrial({ ...trial, ...part });
  const text = (name: 'command' | 'path' | 'tool') => ({
    id: `try-${name}`,
    value: trial[name],
    onChange: (value: string) => change({ [name]: value }),
  });
  return (
    <section class="try" data-parley="try" aria-labelledby="try-title">
      <h2 id="try-title">{t('testTitle')}</h2>
      <p class="dim">{t('testHint')}</p>
      <div class="field-row">
        <Choice
          id="try-kind"
          label={t('fieldKind')}
          value={trial.kind}
          choices={named(KINDS)}
          onChange={(kind) => change({ kind })}
        />
        <Choice
          id="try-agent"
          label={t('fieldAgent')}
          value={agent}
          choices={named(shown.agents)}
          onChange={(name) => change({ agent: name })}
        />
      </div>
      <TextField {...text('command')} label={t('fieldCommand')} />
      <div class="field-row">
        <TextField {...text('path')} label={t('fieldPath')} />
        <TextField {...text('tool')} label={t('fieldTool')} />
      </div>
      <div role="status" class="verdict">
        {verdict ? <Outcome verdict={verdict} /> : <p class="dim">{t('testNothing')}</p>}
      </div>
      {trial.path.trim() !== '' && <p class="dim">{t('linksNotFollowed')}</p>}
    </section>
  );
}

function Outcome({ verdict }: { verdict: Verdict }) {
  const { t } = useRules();
  const { decision, parts, sure } = verdict;
  return (
    <>
      <p class="outcome" data-effect={decision.effect}>
        <strong>{t(OUTCOMES[decision.effect])}</strong>{' '}
        <span>{decision.rules.length > 0 ? t('byRules', ruleNames(decision.rules, t)) : t('byNone')}</span>
      </p>
      {!sure && (
        <p class="rules-note warn">
          <Icon name="warning" />
          {t('notSure')}
        </p>
      )}
      {parts.length > 0 && (
        <>
          <p class="dim" id="try-parts">
            {t('partsTitle')}
          </p>
          <ul class="parts" aria-labelledby="try-parts">
            {parts.map(({ words, rules }, index) => (
              <li key={index} data-allowed={rules.length > 0}>
                <Icon name={rules.length > 0 ? 'check' : 'question'} />
                <code dir="auto">{visibleText(words.join(' '))}</code>
                <span class="dim">{rules.length > 0 ? ruleNames(rules, t) : t('partNone')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Rules with their scopes, in words. */
function ruleNames(rules: readonly ScopedRule[], t: RulesModel['t']): string {
  return rules.map(({ rule, scope }) => t('ruleIn', ruleText(rule), t(scopeTitle(scope)))).join(', ');
}
