import type { ComponentChildren } from 'preact';
import type { FieldView, FormOption } from '../../core/elicitation/form';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';
import type { Entered } from './formValues';

/** Longest text, in code points, that is entered in a single line. */
const LINE = 200;

interface ControlAttributes {
  id: string;
  'data-field': string;
  'aria-required': boolean;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

interface ControlProps<F extends FieldView = FieldView> {
  field: F;
  label: ComponentChildren;
  entered: Entered;
  enter: (entered: Entered) => void;
  attributes: ControlAttributes;
}

type Of<T extends FieldView['type']> = ControlProps<Extract<FieldView, { type: T }>>;

const EXAMPLES: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uri: 'https://example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
};

function TextControl({ field, entered, enter, attributes }: Of<'text'>) {
  const value = typeof entered === 'string' ? entered : '';
  const isLong =
    field.format === undefined && ((field.maxLength ?? 0) > LINE || /\n/.test(field.default ?? ''));
  const common = {
    ...attributes,
    class: 'input',
    dir: 'auto' as const,
    autocomplete: 'off',
    spellcheck: false,
    value,
  };
  if (isLong) return <textarea {...common} rows={3} onInput={(event) => enter(event.currentTarget.value)} />;
  const { format } = field;
  return (
    <input
      {...common}
      type="text"
      placeholder={format !== undefined && Object.hasOwn(EXAMPLES, format) ? EXAMPLES[format] : undefined}
      onInput={(event) => enter(event.currentTarget.value)}
    />
  );
}

function NumberControl({ field, entered, enter, attributes }: Of<'number'>) {
  return (
    <input
      {...attributes}
      class="input"
      // A control for numbers would hide what is typed wrong, and change it when the page is scrolled.
      type="text"
      inputMode={field.integer ? 'numeric' : 'decimal'}
      autocomplete="off"
      value={typeof entered === 'string' ? entered : ''}
      onInput={(event) => enter(event.currentTarget.value)}
    />
  );
}

function BooleanControl({ label, entered, enter, attributes }: Of<'boolean'>) {
  return (
    <label class="check">
      <input
        {...attributes}
        type="checkbox"
        checked={entered === true}
        onChange={(event) => enter(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

function About({ option }: { option: FormOption | undefined }) {
  return option?.description === undefined ? null : (
    <span class="dim plain option-about">{visibleText(option.description)}</span>
  );
}

function ChoiceControl({ field, entered, enter, attributes }: Of<'choice'>) {
  const { t } = usePage();
  const chosen = typeof entered === 'string' ? entered : '';
  return (
    <>
      <select
        {...attributes}
        class="input"
        value={chosen}
        onChange={(event) => enter(event.currentTarget.value)}
      >
        <option value="">{t('elicitChoose')}</option>
        {field.options.map(({ value, label }) => (
          <option key={value} value={value} selected={value === chosen}>
            {visibleText(label)}
          </option>
        ))}
      </select>
      <About option={field.options.find(({ value }) => value === chosen)} />
    </>
  );
}

function ChoicesControl({ field, entered, enter, attributes }: Of<'choices'>) {
  const chosen = Array.isArray(entered) ? entered : [];
  // In the order of the form, whatever the order of the presses.
  const toggle = (value: string, on: boolean): void =>
    enter(
      field.options
        .map((option) => option.value)
        .filter((option) => (option === value ? on : chosen.includes(option))),
    );
  const { 'aria-required': _, 'aria-invalid': invalid, ...group } = attributes;
  return (
    <div {...group} class="checks" role="group" aria-labelledby={`${attributes.id}-label`}>
      {field.options.map((option) => (
        <label key={option.value} class="check">
          <input
            type="checkbox"
            value={option.value}
            checked={chosen.includes(option.value)}
            aria-invalid={invalid}
            onChange={(event) => toggle(option.value, event.currentTarget.checked)}
          />
          <span>
            {visibleText(option.label)}
            <About option={option} />
          </span>
        </label>
      ))}
    </div>
  );
}

/** The control of a field, by its kind (EL-13). */
export function FieldControl({ field, ...rest }: ControlProps) {
  switch (field.type) {
    case 'text':
      return <TextControl field={field} {...rest} />;
    case 'number':
      return <NumberControl field={field} {...rest} />;
    case 'boolean':
      return <BooleanControl field={field} {...rest} />;
    case 'choice':
      return <ChoiceControl field={field} {...rest} />;
    case 'choices':
      return <ChoicesControl field={field} {...rest} />;
  }
}
