import { asList, asNumber, asObject, asString, compact, type JsonObject } from '../json';
import { cutMiddle, MAX_TITLE } from '../session/limits';

const SECRET =
  /passw|passphrase|passcode|secret|token|api.?key|private.?key|credential|\bpin\b|\botp\b|\bcvv\b|密码|口令|密钥|令牌/i;

export interface FormOption {
  value: string;
  label: string;
  description?: string;
}

interface FieldBase {
  name: string;
  label: string;
  description?: string;
  required: boolean;
}

/** One field of a form (EL-13). `secret` only warns: secrets don't belong into forms (EL-15). */
export type FieldView =
  | (FieldBase & {
      type: 'text';
      format?: string;
      minLength?: number;
      maxLength?: number;
      pattern?: string;
      default?: string;
      secret: boolean;
    })
  | (FieldBase & { type: 'number'; integer: boolean; minimum?: number; maximum?: number; default?: number })
  | (FieldBase & { type: 'boolean'; default?: boolean })
  | (FieldBase & { type: 'choice'; options: FormOption[]; default?: string })
  | (FieldBase & {
      type: 'choices';
      options: FormOption[];
      minItems?: number;
      maxItems?: number;
      default?: string[];
    });

export interface FormView {
  title?: string;
  description?: string;
  fields: FieldView[];
}

/** Reads the schema of a form; undefined where a required field is of a kind that Parley does not know (EL-5). */
export function readForm(schema: unknown): FormView | undefined {
  const { title, description, properties, required } = asObject(schema);
  const needed = new Set(asList(required).filter((name): name is string => typeof name === 'string'));
  const fields: FieldView[] = [];
  for (const [name, value] of Object.entries(asObject(properties))) {
    const field = readField(name, asObject(value), needed.has(name));
    if (field) fields.push(field);
    else if (needed.has(name)) return undefined;
  }
  // A required name without a property can't be answered.
  const known = new Set(fields.map((field) => field.name));
  if ([...needed].some((name) => !known.has(name))) return undefined;
  return { ...compact({ title: shown(title), description: shown(description) }), fields };
}

function readField(name: string, property: JsonObject, required: boolean): FieldView | undefined {
  const base = {
    name,
    label: shown(property['title']) ?? cutMiddle(name, MAX_TITLE),
    required,
    ...compact({ description: shown(property['description']) }),
  };
  switch (property['type']) {
    case 'string':
      return readStringField(base, property);
    case 'number':
    case 'integer':
      return {
        ...base,
        type: 'number',
        integer: property['type'] === 'integer',
        ...compact({
          minimum: asNumber(property['minimum']),
          maximum: asNumber(property['maximum']),
          default: asNumber(property['default']),
        }),
      };
    case 'boolean':
      return {
        ...base,
        type: 'boolean',
        ...(typeof property['default'] === 'boolean' ? { default: property['default'] } : {}),
      };
    case 'array':
      return readChoicesField(base, property);
    default:
      return undefined;
  }
}

function readStringField(base: FieldBase, property: JsonObject): FieldView | undefined {
  const byDefault = asString(property['default']);
  const options = readOptions(property);
  if (options?.length === 0) return undefined; // Nothing could be chosen.
  if (options) {
    const offered = options.some((option) => option.value === byDefault) ? byDefault : undefined;
    return { ...base, type: 'choice', options, ...compact({ default: offered }) };
  }
  return {
    ...base,
    type: 'text',
    secret: SECRET.test(`${base.name} ${base.label}`),
    ...compact({
      format: asString(property['format']),
      minLength: asNumber(property['minLength']),
      maxLength: asNumber(property['maxLength']),
      pattern: asString(property['pattern']),
      default: byDefault,
    }),
  };
}

function readChoicesField(base: FieldBase, property: JsonObject): FieldView | undefined {
  const items = asObject(property['items']);
  const options = readOptions(items);
  const ofTexts = items['type'] === undefined || items['type'] === 'string';
  if (!options || options.length === 0 || !ofTexts) return undefined;
  const byDefault = Array.isArray(property['default'])
    ? property['default'].filter((value): value is string => options.some((option) => option.value === value))
    : undefined;
  return {
    ...base,
    type: 'choices',
    options,
    ...compact({
      minItems: asNumber(property['minItems']),
      maxItems: asNumber(property['maxItems']),
      default: byDefault,
    }),
  };
}

/** The values of `enum`, `oneOf` or `anyOf`; undefined where there are none of them. */
function readOptions(schema: JsonObject): FormOption[] | undefined {
  if (Array.isArray(schema['enum'])) {
    return schema['enum'].flatMap((value) => (typeof value === 'string' ? [{ value, label: value }] : []));
  }
  const titled = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(titled)) return undefined;
  return titled.flatMap((item) => {
    const { const: constant, title, description } = asObject(item);
    const value = asString(constant);
    if (value === undefined) return [];
    return [{ value, label: shown(title) ?? value, ...compact({ description: shown(description) }) }];
  });
}

/** A text that is only shown, cut to what a person would read; undefined if it is none or empty. */
function shown(text: unknown): string | undefined {
  return typeof text === 'string' && text !== '' ? cutMiddle(text, MAX_TITLE) : undefined;
}
