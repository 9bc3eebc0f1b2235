import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ruleText } from '../../core/permission/ruleText';
import type { PermissionRule, RuleScope } from '../../core/permission/rules';
import type { PageString } from '../../core/chat/strings';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';
import { useSteady } from './useSteady';

/** From the narrowest to the widest. */
const SCOPES: readonly [RuleScope, PageString][] = [
  ['session', 'scopeSession'],
  ['workspace', 'scopeWorkspace'],
  ['user', 'scopeUser'],
];

interface ScopesProps {
  scope: RuleScope;
  choose: (scope: RuleScope) => void;
}

function Scopes({ scope, choose }: ScopesProps) {
  const { t } = usePage();
  return (
    <div class="scopes" role="radiogroup" aria-label={t('scopeLabel')}>
      {SCOPES.map(([value, name]) => (
        <label key={value}>
          <input
            type="radio"
            name="scope"
            value={value}
            checked={value === scope}
            onChange={() => choose(value)}
          />
          {t(name)}
        </label>
      ))}
    </div>
  );
}

interface AlwaysProps {
  rules: readonly PermissionRule[];
  save: (scope: RuleScope) => void;
  back: () => void;
}

/** Makes a rule of an answer: which rule, and for where, is shown before anything is saved. */
export function AlwaysForm({ rules, save, back }: AlwaysProps) {
  const { t, act } = usePage();
  const form = useRef<HTMLDivElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const [scope, setScope] = useState<RuleScope>('session');
  const { ready, accepts } = useSteady(buttons, '');
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    back();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="ask-extra ask-always"
      ref={form}
      role="group"
      aria-label={t('alwaysLabel')}
      onKeyDown={onKeyDown}
    >
      <div class="dim">{t('alwaysLabel')}</div>
      <ul class="ask-rules">
        {rules.map((rule, index) => (
          <li key={index} dir="auto">
            {visibleText(ruleText(rule))}
          </li>
        ))}
      </ul>
      <Scopes scope={scope} choose={setScope} />
      <div class="ask-buttons" ref={buttons}>
        <button
          type="button"
          class="button primary"
          data-ready={ready ? 'true' : undefined}
          aria-disabled={!ready}
          onClick={() => accepts() && save(scope)}
        >
          {t('allowAndSave')}
        </button>
        <button type="button" class="button" onClick={back}>
          {t('back')}
        </button>
        <button type="button" class="link" onClick={() => void act({ type: 'openRules' })}>
          {t('allRules')}
        </button>
      </div>
    </div>
  );
}
