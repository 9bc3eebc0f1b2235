import type { FieldView, FormView } from '../../core/elicitation/form';

/** What a control of a form holds: numbers as they were typed; undefined where the person has not touched it. */
export type Entered = string | boolean | string[] | undefined;

/** What the controls of a form hold, by the name of the field. */
export type EnteredValues = Readonly<Record<string, Entered>>;

/** What the controls hold at first: the defaults (EL-12). */
export function initialValues(form: FormView): EnteredValues {
  return Object.fromEntries(form.fields.map((field) => [field.name, initialValue(field)]));
}

function initialValue(field: FieldView): Entered {
  const offers = (value: string): boolean =>
    'options' in field && field.options.some((option) => option.value === value);
  switch (field.type) {
    case 'text':
      return field.default ?? '';
    case 'number':
      return field.default === undefined ? '' : String(field.default);
    case 'boolean':
      // What is shown as off is off; only an optional one can be left out.
      return field.default ?? (field.required ? false : undefined);
    case 'choice':
      return field.default !== undefined && offers(field.default) ? field.default : '';
    case 'choices':
      return field.default?.filter(offers);
  }
}

/** What a control of a form holds; agents choose the names, and some are also those of inherited members. */
export function enteredIn(values: EnteredValues, name: string): Entered {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The value that is checked and sent for what a control holds; a number that can't be read is NaN. */
export function valueOf(field: FieldView, entered: Entered): unknown {
  if (field.type !== 'number' || typeof entered !== 'string') return entered;
  const typed = entered.trim();
  if (typed === '') return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(typed) ? Number(typed) : Number.NaN;
}

/** The values of a whole form, by the name of the field. */
export function valuesOf(form: FormView, entered: EnteredValues): Record<string, unknown> {
  return Object.fromEntries(
    form.fields.map((field) => [field.name, valueOf(field, enteredIn(entered, field.name))]),
  );
}
