import { useEffect, useRef, useState } from 'preact/hooks';
import type { PermissionRule, RuleEffect } from '../../core/permission/rules';
import { draftOf, isBroad, ruleOf, takesExact, type RuleDraft } from './draft';
import { Choice, FieldProblem, KINDS, named, TextField } from './fields';
import { useRules, type Editing } from './model';

interface FormProps {
  editing: Editing;
  rule?: PermissionRule;
}

/** Writes a rule. Escape leaves it as it was. */
export function RuleForm({ editing, rule }: FormProps) {
  const model = useRules();
  const { t } = model;
  const [draft, setDraft] = useState(() => draftOf(rule));
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<RuleDraft>): void => setDraft({ ...draft, ...part });
  useEffect(() => form.current?.querySelector<HTMLElement>('select')?.focus(), []);
  const save = (event: Event): void => {
    event.preventDefault();
    setTried(true);
    const { rule: written } = ruleOf(draft);
    if (written) void model.put(editing, written);
    else onInvalid(form.current);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    model.stopEditing();
  };
  return (
    <form class="rule-form" ref={form} noValidate onSubmit={save} onKeyDown={onKeyDown}>
      <Fields draft={draft} change={change} showProblems={tried} />
      <div class="form-actions">
        <button type="submit" class="button primary">
          {t('saveRule')}
        </button>
        <button type="button" class="button" onClick={() => model.stopEditing()}>
          {t('cancelRule')}
        </button>
      </div>
    </form>
  );
}

/** Puts the focus on the first field that is wrong, when it is drawn as such. */
function onInvalid(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

interface FieldsProps {
  draft: RuleDraft;
  change: (part: Partial<RuleDraft>) => void;
  showProblems: boolean;
}

function Fields({ draft, change, showProblems }: FieldsProps) {
  const { t } = useRules();
  const problems = showProblems ? ruleOf(draft).problems : {};
  const text = (name: 'command' | 'path' | 'tool') => ({
    id: `rule-${name}`,
    value: draft[name],
    onChange: (value: string) => change({ [name]: value }),
    problem: problems[name] && t(problems[name]),
  });
  return (
    <>
      <Choices draft={draft} change={change} />
      <TextField {...text('command')} label={t('fieldCommand')} hint={t('commandHint')} />
      <TextField {...text('path')} label={t('fieldPath')} hint={t('pathHint')} />
      <TextField {...text('tool')} label={t('fieldTool')} hint={t('toolHint')} />
      {draft.effect === 'allow' && (
        <Tick
          id="rule-always"
          text={t('fieldAlways')}
          on={draft.always}
          onChange={(always) => change({ always })}
        />
      )}
      {takesExact(draft) && (
        <Tick
          id="rule-exact"
          text={t('fieldExact')}
          on={draft.exact}
          onChange={(exact) => change({ exact })}
        />
      )}
      {isBroad(draft) && (
        <Tick
          id="rule-broad"
          text={t('broadRule')}
          on={draft.broad}
          onChange={(broad) => change({ broad })}
          problem={problems.broad && t(problems.broad)}
        />
      )}
    </>
  );
}

function Choices({ draft, change }: Omit<FieldsProps, 'showProblems'>) {
  const { t, view } = useRules();
  return (
    <div class="field-row">
      <Choice
        id="rule-effect"
        label={t('fieldEffect')}
        value={draft.effect}
        choices={[
          ['allow', t('effectAllow')],
          ['ask', t('effectAsk')],
          ['deny', t('effectDeny')],
        ]}
        onChange={(effect) => change({ effect: effect as RuleEffect })}
      />
      <Choice
        id="rule-agent"
        label={t('fieldAgent')}
        value={draft.agent}
        choices={[['', t('anyAgent')], ...named(view.value?.agents ?? [])]}
        onChange={(agent) => change({ agent })}
      />
      <Choice
        id="rule-kind"
        label={t('fieldKind')}
        value={draft.kind}
        choices={[['', t('anyKind')], ...named(KINDS)]}
        onChange={(kind) => change({ kind })}
      />
    </div>
  );
}

interface TickProps {
  id: string;
  text: string;
  on: boolean;
  onChange: (on: boolean) => void;
  problem?: string | undefined;
}

function Tick({ id, text, on, onChange, problem }: TickProps) {
  return (
    <div class="field">
      <label class="check" for={id}>
        <input
          id={id}
          type="checkbox"
          checked={on}
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{text}</span>
      </label>
      {problem && <FieldProblem id={`${id}-problem`} text={problem} />}
    </div>
  );
}
