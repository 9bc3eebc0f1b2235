import { visibleText } from '../../core/visibleText';
import { Icon } from '../transcript/icon';

/** Kinds of tool calls that the protocol has. */
export const KINDS = [
  'execute',
  'edit',
  'read',
  'delete',
  'move',
  'search',
  'fetch',
  'think',
  'switch_mode',
  'other',
] as const;

interface TextFieldProps {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  problem?: string | undefined;
}

/** A line of text with its label, a hint and what is wrong with it. */
export function TextField({ id, label, value, onChange, hint, problem }: TextFieldProps) {
  const about = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class={problem ? 'field wrong' : 'field'}>
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input mono"
        type="text"
        spellcheck={false}
        autocomplete="off"
        value={value}
        aria-describedby={about || undefined}
        aria-invalid={problem !== undefined}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {hint && (
        <span class="dim plain" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && <FieldProblem id={`${id}-problem`} text={problem} />}
    </div>
  );
}

export function FieldProblem({ id, text }: { id: string; text: string }) {
  return (
    <span class="field-note bad" id={id}>
      <Icon name="error" />
      {text}
    </span>
  );
}

interface ChoiceProps {
  id: string;
  label: string;
  value: string;
  /** Values with their texts. */
  choices: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}

/** One of several; a value that is none of them is kept as a further one. */
export function Choice({ id, label, value, choices, onChange }: ChoiceProps) {
  const known = choices.some(([choice]) => choice === value);
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select id={id} class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {(known ? choices : [...choices, [value, value] as const]).map(([choice, text]) => (
          <option key={choice} value={choice}>
            {visibleText(text)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Values as choices that are named by themselves. */
export const named = (values: readonly string[]): (readonly [string, string])[] =>
  values.map((value) => [value, value]);
