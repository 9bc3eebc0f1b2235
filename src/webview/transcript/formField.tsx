import type { FieldView } from '../../core/elicitation/form';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';
import { FieldControl } from './formControl';
import type { FormFilling } from './formFilling';
import { problemText } from './formProblem';
import { Icon } from './icon';

interface FieldProps {
  /** Id in the document, from which those of its parts are made. */
  id: string;
  field: FieldView;
  filling: FormFilling;
}

/** True where leaving a field goes to one of the form's buttons: a message that appears then would move the button away. */
function goesToButton(event: FocusEvent): boolean {
  return event.relatedTarget instanceof Element && event.relatedTarget.closest('.form-actions') !== null;
}

/** True where the focus only goes from one box of a field to another. */
function staysInside(event: FocusEvent & { currentTarget: HTMLElement }): boolean {
  return event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
}

function Label({ field }: { field: FieldView }) {
  const { t } = usePage();
  return (
    <>
      {visibleText(field.label)}
      {field.required && <span class="dim"> ({t('elicitRequired')})</span>}
    </>
  );
}

/** The label above a control; a box to tick has its own beside it, and a group of them is no control to be pointed to. */
function Above({ id, field }: { id: string; field: FieldView }) {
  if (field.type === 'boolean') return null;
  if (field.type === 'choices')
    return (
      <div class="field-label" id={`${id}-label`}>
        <Label field={field} />
      </div>
    );
  return (
    <label class="field-label" for={id}>
      <Label field={field} />
    </label>
  );
}

function Note({ id, tone, text }: { id: string; tone: 'warn' | 'bad'; text: string }) {
  return (
    <div class={`field-note ${tone}`} id={id}>
      <Icon name={tone === 'bad' ? 'error' : 'warning'} />
      {text}
    </div>
  );
}

/** One field of a form: its control with label, explanation and what is wrong. All texts are the agent's, shown as they are. */
export function FormField({ id, field, filling }: FieldProps) {
  const { t } = usePage();
  const { name, description } = field;
  const problem = filling.problem(name);
  const secret = field.type === 'text' && field.secret;
  const [about, warning, wrong] = [`${id}-about`, `${id}-secret`, `${id}-problem`];
  const described = [description !== undefined && about, secret && warning, problem && wrong];
  return (
    <div
      class={`field${problem ? ' wrong' : ''}`}
      onFocusOut={(event) => {
        if (!goesToButton(event) && !staysInside(event)) filling.leave(field);
      }}
    >
      <Above id={id} field={field} />
      {description !== undefined && (
        <div class="dim plain" id={about}>
          {visibleText(description)}
        </div>
      )}
      <FieldControl
        field={field}
        label={<Label field={field} />}
        entered={filling.entered(name)}
        enter={(entered) => filling.enter(field, entered)}
        attributes={{
          id,
          'data-field': name,
          'aria-required': field.required,
          'aria-invalid': problem !== undefined,
          'aria-describedby': described.filter(Boolean).join(' ') || undefined,
        }}
      />
      {secret && <Note id={warning} tone="warn" text={t('elicitSecret')} />}
      {problem && <Note id={wrong} tone="bad" text={problemText(problem, t)} />}
    </div>
  );
}
