import { asList, asNumber, asObject, asString, compact, type JsonObject } from '../json';

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
  const needed = new Set(asList(required).filter((name) => typeof name === 'string'));
  const fields: FieldView[] = [];
  for (const [name, value] of Object.entries(asObject(properties))) {
    const field = readField(name, asObject(value), needed.has(name));
    if (field) fields.push(field);
    else if (needed.has(name)) return undefined;
  }
  // A required name without a property can't be answered.
  if ([...needed].some((name) => !fields.some((field) => field.name === name))) return undefined;
  return { ...compact({ title: asString(title), description: asString(description) }), fields };
}

function readField(name: string, property: JsonObject, required: boolean): FieldView | undefined {
  const base = {
    name,
    label: asString(property['title']) ?? name,
    required,
    ...compact({ description: asString(property['description']) }),
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

function readStringField(base: FieldBase, property: JsonObject): FieldView {
  const byDefault = asString(property['default']);
  const options = readOptions(property);
  if (options) return { ...base, type: 'choice', options, ...compact({ default: byDefault }) };
  return {
    ...base,
    type: 'text',
    secret: /passw|secret|token|api.?key|credential/i.test(`${base.name} ${base.label}`),
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
  const options = readOptions(asObject(property['items']));
  if (!options) return undefined;
  const byDefault = Array.isArray(property['default'])
    ? property['default'].filter((value) => typeof value === 'string')
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
    return [{ value, label: asString(title) ?? value, ...compact({ description: asString(description) }) }];
  });
}
