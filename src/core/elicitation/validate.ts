import { matchesFormat, type TextFormat } from './formats';
import type { FieldView, FormView } from './form';
import { matchesPattern } from './pattern';

/** Why a value can't be sent; page and host each have their own sentences for it. Lengths are in code points, counts in items. */
export type FieldProblem =
  | { kind: 'required' }
  /** Not of the field's type at all, such as a list for a text. */
  | { kind: 'wrongType' }
  | { kind: 'tooShort'; min: number }
  | { kind: 'tooLong'; max: number }
  | { kind: 'format'; format: TextFormat }
  | { kind: 'pattern'; pattern: string }
  | { kind: 'notNumber' }
  | { kind: 'notInteger' }
  | { kind: 'tooSmall'; min: number }
  | { kind: 'tooLarge'; max: number }
  /** Holds what is none of the options. */
  | { kind: 'unknownOption' }
  | { kind: 'tooFew'; min: number }
  | { kind: 'tooMany'; max: number };

/** What a person answered, by the name of the field. */
export type FormAnswers = Record<string, string | number | boolean | string[]>;

type Field<T extends FieldView['type']> = Extract<FieldView, { type: T }>;

/**
 * What is wrong with the value of a field (EL-11); undefined if nothing is. An empty text, an absent value and null mean that the
 * person left the field out, and so does an empty list in an optional field that needs some items.
 */
export function validateField(field: FieldView, value: unknown): FieldProblem | undefined {
  if (isLeftOut(field, value)) return field.required ? { kind: 'required' } : undefined;
  switch (field.type) {
    case 'text':
      return textProblem(field, value);
    case 'number':
      return numberProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { kind: 'wrongType' };
    case 'choice':
      if (typeof value !== 'string') return { kind: 'wrongType' };
      return isOption(field, value) ? undefined : { kind: 'unknownOption' };
    case 'choices':
      return choicesProblem(field, value);
  }
}

/** The problems of a form by the name of the field; empty if it can be sent (EL-11). */
export function validateForm(
  form: FormView,
  values: Readonly<Record<string, unknown>>,
): Record<string, FieldProblem> {
  const problems = form.fields.flatMap((field): [string, FieldProblem][] => {
    const problem = validateField(field, valueOf(values, field.name));
    return problem ? [[field.name, problem]] : [];
  });
  return Object.fromEntries(problems);
}

/** What goes to the agent of values without problems: known fields alone, without those that the person left out. */
export function answersOf(form: FormView, values: Readonly<Record<string, unknown>>): FormAnswers {
  const answers = form.fields.flatMap((field): [string, FormAnswers[string]][] => {
    const value = valueOf(values, field.name);
    if (isLeftOut(field, value)) return [];
    if (Array.isArray(value)) return [[field.name, value.map(String)]];
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[field.name, value]]
      : [];
  });
  return Object.fromEntries(answers);
}

/** Agents choose the names, and some are also those of inherited members. */
function valueOf(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function isLeftOut(field: FieldView, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  // Agents may offer the empty text as a choice.
  if (value === '') return field.type !== 'choice' || !isOption(field, value);
  const isEmptyList = field.type === 'choices' && Array.isArray(value) && value.length === 0;
  return isEmptyList && !field.required && (field.minItems ?? 0) > 0;
}

function textProblem(field: Field<'text'>, value: unknown): FieldProblem | undefined {
  if (typeof value !== 'string') return { kind: 'wrongType' };
  const { minLength, maxLength, format, pattern } = field;
  const length = Array.from(value).length;
  if (minLength !== undefined && length < minLength) return { kind: 'tooShort', min: minLength };
  if (maxLength !== undefined && length > maxLength) return { kind: 'tooLong', max: maxLength };
  const failed = format === undefined ? undefined : failedFormat(format, value);
  if (failed) return { kind: 'format', format: failed };
  if (pattern !== undefined && matchesPattern(pattern, value) === false) return { kind: 'pattern', pattern };
  return undefined;
}

/** The format if it is known and the value has another one; formats that Parley does not know are the agent's to check. */
function failedFormat(format: string, value: string): TextFormat | undefined {
  switch (format) {
    case 'email':
    case 'uri':
    case 'date':
    case 'date-time':
      return matchesFormat(format, value) ? undefined : format;
    default:
      return undefined;
  }
}

function numberProblem(field: Field<'number'>, value: unknown): FieldProblem | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { kind: 'notNumber' };
  const { integer, minimum, maximum } = field;
  if (integer && !Number.isInteger(value)) return { kind: 'notInteger' };
  if (minimum !== undefined && value < minimum) return { kind: 'tooSmall', min: minimum };
  if (maximum !== undefined && value > maximum) return { kind: 'tooLarge', max: maximum };
  return undefined;
}

function choicesProblem(field: Field<'choices'>, value: unknown): FieldProblem | undefined {
  if (!Array.isArray(value)) return { kind: 'wrongType' };
  const { minItems, maxItems } = field;
  if (!value.every((item) => typeof item === 'string' && isOption(field, item)))
    return { kind: 'unknownOption' };
  if (minItems !== undefined && value.length < minItems) return { kind: 'tooFew', min: minItems };
  if (maxItems !== undefined && value.length > maxItems) return { kind: 'tooMany', max: maxItems };
  return undefined;
}

function isOption(field: Field<'choice' | 'choices'>, value: string): boolean {
  return field.options.some((option) => option.value === value);
}
