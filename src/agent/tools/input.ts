import { asList, asNumber, asObject, asString, isObject, type JsonObject } from '../../core/json';
import { ToolFailure, type Tool } from './tool';

/** The tool, with its input checked against its schema before it is started. */
export function checked(tool: Tool): Tool {
  return {
    ...tool,
    start: (input, workspace) => {
      checkInput(tool.inputSchema, input);
      return tool.start(input, workspace);
    },
  };
}

/**
 * Checks an input against the part of JSON Schema that the agent's own tools use. Members that the schema does not name are let be; null
 * is as good as absent, since models write it for what they leave out.
 *
 * @throws ToolFailure that names the member and says what is expected.
 */
export function checkInput(schema: JsonObject, input: JsonObject): void {
  const problem = problemOfObject(schema, input, '');
  if (problem !== undefined) throw new ToolFailure(problem);
}

function problemOfObject(schema: JsonObject, value: JsonObject, path: string): string | undefined {
  const required = asList(schema['required']);
  for (const [name, member] of Object.entries(asObject(schema['properties']))) {
    const at = path === '' ? name : `${path}.${name}`;
    const given = value[name] ?? undefined;
    if (given === undefined && !required.includes(name)) continue;
    const problem =
      given === undefined
        ? `"${at}" is missing; it must be ${expectedOf(asObject(member))}.`
        : problemOf(asObject(member), given, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(schema: JsonObject, value: unknown, path: string): string | undefined {
  if (!fits(schema, value)) return `"${path}" must be ${expectedOf(schema)}, not ${shown(value)}.`;
  if (isObject(value)) return problemOfObject(schema, value, path);
  if (!Array.isArray(value)) return undefined;
  for (const [index, item] of value.entries()) {
    const problem = problemOf(asObject(schema['items']), item, `${path}[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function fits(schema: JsonObject, value: unknown): boolean {
  const choices = asList(schema['enum']);
  if (choices.length > 0) return choices.includes(value);
  switch (schema['type']) {
    case 'string':
      return typeof value === 'string' && isWithin(schema, value.length, 'Length');
    case 'integer':
      return Number.isInteger(value) && isInRange(schema, Number(value));
    case 'number':
      return typeof value === 'number' && isInRange(schema, value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value) && isWithin(schema, value.length, 'Items');
    default:
      return isObject(value);
  }
}

function isWithin(schema: JsonObject, size: number, what: 'Length' | 'Items'): boolean {
  return (
    size >= (asNumber(schema[`min${what}`]) ?? 0) && size <= (asNumber(schema[`max${what}`]) ?? Infinity)
  );
}

function isInRange({ minimum, maximum, exclusiveMinimum }: JsonObject, value: number): boolean {
  return (
    Number.isFinite(value) &&
    value >= (asNumber(minimum) ?? -Infinity) &&
    value <= (asNumber(maximum) ?? Infinity) &&
    value > (asNumber(exclusiveMinimum) ?? -Infinity)
  );
}

/** What a schema asks for, in words. */
function expectedOf(schema: JsonObject): string {
  const choices = asList(schema['enum']);
  if (choices.length > 0) return `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  const limits = limitsOf(schema);
  return `${KINDS[asString(schema['type']) ?? ''] ?? 'an object'}${limits === '' ? '' : ` ${limits}`}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
};

function limitsOf(schema: JsonObject): string {
  const limits: readonly [name: string, words: string, unit: string][] = [
    ['minimum', 'of at least', ''],
    ['exclusiveMinimum', 'greater than', ''],
    ['minLength', 'of at least', ' characters'],
    ['minItems', 'of at least', ' items'],
    ['maximum', 'of at most', ''],
    ['maxLength', 'of at most', ' characters'],
    ['maxItems', 'of at most', ' items'],
  ];
  return limits
    .flatMap(([name, words, unit]) => {
      const limit = asNumber(schema[name]);
      return limit === undefined ? [] : [`${words} ${limit}${limit === 1 ? unit.replace(/s$/, '') : unit}`];
    })
    .join(' and ');
}

function shown(value: unknown): string {
  if (typeof value === 'string' && value.length > 60) return `a text of ${value.length} characters`;
  const text = JSON.stringify(value) ?? 'this';
  return text.length <= 60 ? text : Array.isArray(value) ? `a list of ${value.length}` : 'an object';
}
