import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../../../src/core/json';
import { LoopMethod } from '../../../src/core/acp';

interface Definition {
  'x-method'?: string;
  'x-side'?: string;
  properties?: JsonObject;
}

const schema = JSON.parse(
  readFileSync('node_modules/@agentclientprotocol/sdk/schema/v1/schema.json', 'utf8'),
) as { $defs: Record<string, Definition> };
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(schema, 'acp');

/** The definition for a method: of its request, its notification or its response. */
function definitionOf(method: string, side: string, suffix: RegExp): string | undefined {
  return Object.entries(schema.$defs).find(
    ([name, { 'x-method': of, 'x-side': on }]) => of === method && on === side && suffix.test(name),
  )?.[0];
}

const validators = new Map<string, ValidateFunction>();

function problemsOf(definition: string | undefined, value: unknown, what: string): string[] {
  if (definition === undefined) return [`${what}: the schema has no such method`];
  let validate = validators.get(definition);
  if (!validate) validators.set(definition, (validate = ajv.compile({ $ref: `acp#/$defs/${definition}` })));
  const known = Object.keys(schema.$defs[definition]?.properties ?? {});
  const extra = Object.keys(isObject(value) ? value : {}).filter(
    (key) => known.length > 0 && !known.includes(key),
  );
  return [
    ...(validate(value) ? [] : [`${what}: ${ajv.errorsText(validate.errors)}`]),
    ...extra.map((key) => `${what}: "${key}" is no member of ${definition}`),
  ];
}

/** What is wrong with the agent's lines by the schema (EX-2 included); `sent` are the client's own messages. */
export function wireProblems(lines: readonly string[], sent: readonly JsonObject[]): string[] {
  const methods = new Map(
    sent.filter(({ id, method }) => id !== undefined && method).map((m) => [m['id'], m['method']]),
  );
  return lines.flatMap((line) => {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return [`not JSON: ${line}`];
    }
    if (!isObject(message) || message['jsonrpc'] !== '2.0') return [`no JSON-RPC message: ${line}`];
    return messageProblems(message, methods);
  });
}

function messageProblems(message: JsonObject, methods: ReadonlyMap<unknown, unknown>): string[] {
  const { id, method, params, result, error } = message;
  if (typeof method === 'string') {
    if (method === LoopMethod.turnStart || method === LoopMethod.turnEnd) return [];
    if (method.startsWith('$/'))
      return problemsOf(definitionOf(method, 'protocol', /Notification$/), params, method);
    const suffix = id === undefined ? /Notification$/ : /Request$/;
    return problemsOf(definitionOf(method, 'client', suffix), params, method);
  }
  const asked = methods.get(id);
  if (typeof asked !== 'string') return [`an answer to a request that was not made: ${JSON.stringify(id)}`];
  if (error !== undefined) return problemsOf('Error', error, asked);
  return problemsOf(definitionOf(asked, 'agent', /Response$/), result, asked);
}
