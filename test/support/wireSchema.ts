import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import { asList, asObject, asString, isObject, type JsonObject } from '../../src/core/json';

/** Who wrote the lines that are checked. */
export type Writer = 'client' | 'agent';

const schema = JSON.parse(
  readFileSync('node_modules/@agentclientprotocol/sdk/schema/v1/schema.json', 'utf8'),
) as { $defs: Record<string, JsonObject> };
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(schema, 'acp');
const validators = new Map<string, ValidateFunction>();

/** The definition for a method of a side: of its request, its notification or its response. */
function definitionOf(method: string, side: string, suffix: RegExp): string | undefined {
  return Object.entries(schema.$defs).find(
    ([name, definition]) =>
      definition['x-method'] === method && definition['x-side'] === side && suffix.test(name),
  )?.[0];
}

/** The members that a definition names itself or through the parts that it is put together of. */
function membersOf(definition: JsonObject): string[] {
  const ref = asString(definition['$ref'])?.replace('#/$defs/', '');
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => asList(definition[key]));
  if (ref !== undefined) parts.push(schema.$defs[ref]);
  return [
    ...Object.keys(asObject(definition['properties'])),
    ...parts.flatMap((part) => membersOf(asObject(part))),
  ];
}

function problemsOf(definition: string | undefined, value: unknown, what: string): string[] {
  if (definition === undefined) return [`${what}: the schema has no such method`];
  let validate = validators.get(definition);
  if (!validate) validators.set(definition, (validate = ajv.compile({ $ref: `acp#/$defs/${definition}` })));
  const known = membersOf(asObject(schema.$defs[definition]));
  const extra = Object.keys(asObject(value)).filter((key) => known.length > 0 && !known.includes(key));
  return [
    ...(validate(value) ? [] : [`${what}: ${ajv.errorsText(validate.errors)}`]),
    ...extra.map((key) => `${what}: "${key}" is no member of ${definition}`),
  ];
}

/**
 * What is wrong with the lines of one side by the schema, unknown members at the root included (EX-2); `sent` are the messages of the
 * other side, whose requests the lines answer.
 */
export function wireProblemsOf(writer: Writer, lines: readonly string[], sent: readonly unknown[]): string[] {
  const methods = new Map(
    sent
      .map(asObject)
      .filter(({ id, method }) => id !== undefined && method)
      .map(({ id, method }) => [id, method]),
  );
  return lines.flatMap((line) => {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return [`not JSON: ${line}`];
    }
    if (!isObject(message) || message['jsonrpc'] !== '2.0') return [`no JSON-RPC message: ${line}`];
    return messageProblems(writer, message, methods);
  });
}

/** Methods that begin with an underscore are not the schema's (EX-4). */
const isExtension = (method: string): boolean => method.startsWith('_');

/** The schema counts a method to the side that serves it. */
function messageProblems(
  writer: Writer,
  message: JsonObject,
  methods: ReadonlyMap<unknown, unknown>,
): string[] {
  const { id, method, params, result, error } = message;
  const extra = Object.keys(message)
    .filter((key) => !['jsonrpc', 'id', 'method', 'params', 'result', 'error'].includes(key))
    .map((key) => `"${key}" is no member of a JSON-RPC message`);
  if (extra.length > 0) return extra;
  if (typeof method === 'string') {
    if (isExtension(method)) return [];
    if (method.startsWith('$/'))
      return problemsOf(definitionOf(method, 'protocol', /Notification$/), params, method);
    const suffix = id === undefined ? /Notification$/ : /Request$/;
    return problemsOf(definitionOf(method, writer === 'client' ? 'agent' : 'client', suffix), params, method);
  }
  const asked = methods.get(id);
  if (typeof asked !== 'string') return [`an answer to a request that was not made: ${JSON.stringify(id)}`];
  if (error !== undefined) return problemsOf('Error', error, asked);
  if (isExtension(asked)) return [];
  return problemsOf(definitionOf(asked, writer, /Response$/), result, asked);
}

/** The values that a definition of the schema names, such as the kinds of tool calls; of `SessionUpdate` the kinds of update. */
export function valuesOf(definition: string): string[] {
  return asList(asObject(schema.$defs[definition])['oneOf']).flatMap((item) => {
    const variant = asObject(item);
    const kind = asObject(asObject(variant['properties'])['sessionUpdate']);
    return asString(variant['const']) ?? asString(kind['const']) ?? [];
  });
}
