import { parse, type ParseError } from 'jsonc-parser';
import { asList, asObject, asString, compact, isObject, type JsonObject } from '../json';

/** A server that is started as a program; its fields may still hold variables such as `${input:token}`. */
export interface StdioServer {
  transport: 'stdio';
  name: string;
  command: string;
  args: string[];
  /** null takes a variable away that `envFile` sets. */
  env: Record<string, string | null>;
  envFile?: string;
  cwd?: string;
}

/** A server that is reached by its address; `url` and the headers may still hold variables. */
export interface RemoteServer {
  transport: 'http' | 'sse';
  name: string;
  url: string;
  headers: Record<string, string>;
}

export type ServerDefinition = StdioServer | RemoteServer;

/** What a person is asked for, to stand where a server says `${input:id}`. */
export type InputDefinition = TextInput | PickInput;

/** An input that is typed. */
export interface TextInput {
  type: 'promptString';
  id: string;
  description: string;
  default?: string;
  /** True hides what is typed. */
  password: boolean;
}

/** An input that is chosen from a list. */
export interface PickInput {
  type: 'pickString';
  id: string;
  description: string;
  default?: string;
  options: { label: string; value: string }[];
}

/** Why a row of the file can't be used. */
export type RowProblem =
  | 'notObject'
  | 'badType'
  | 'noCommand'
  | 'badArgs'
  | 'badEnv'
  | 'badEnvFile'
  | 'badCwd'
  | 'noUrl'
  | 'badHeaders'
  | 'sandboxed'
  | 'badInput'
  | 'commandInput';

/** A row that is left out: the name of a server, or the id of an input. */
export interface ConfigProblem {
  row: 'server' | 'input';
  name: string;
  problem: RowProblem;
}

/** What an `mcp.json` says. */
export interface McpConfig {
  servers: ServerDefinition[];
  inputs: InputDefinition[];
  problems: ConfigProblem[];
  /** Line, counted from 1, at which the file stops being JSON with comments; nothing of it is used then. */
  syntaxError?: number;
}

/**
 * Reads the text of VS Code's `mcp.json`: JSON with comments and trailing commas. Rows that are wrong are reported and left out; the
 * others work. A file with a syntax error gives nothing, because what stands after the error would be guessed.
 */
export function parseMcpConfig(text: string): McpConfig {
  const empty: McpConfig = { servers: [], inputs: [], problems: [] };
  const source = text.replace(/^\uFEFF/, '');
  if (source.trim() === '') return empty;
  const errors: ParseError[] = [];
  const root: unknown = parse(source, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) return { ...empty, syntaxError: source.slice(0, error.offset).split('\n').length };
  const { servers, inputs } = asObject(root);
  const config = empty;
  for (const [name, row] of Object.entries(asObject(servers)))
    keep(config.servers, parseServer(name, row), { row: 'server', name }, config.problems);
  for (const row of asList(inputs)) {
    const id = asString(asObject(row)['id']) ?? '';
    keep(config.inputs, parseInput(id, row), { row: 'input', name: id }, config.problems);
  }
  return config;
}

function keep<T extends object>(
  good: T[],
  parsed: T | RowProblem,
  where: Pick<ConfigProblem, 'row' | 'name'>,
  problems: ConfigProblem[],
): void {
  if (typeof parsed === 'string') problems.push({ ...where, problem: parsed });
  else good.push(parsed);
}

function parseServer(name: string, row: unknown): ServerDefinition | RowProblem {
  if (!isObject(row)) return 'notObject';
  // Without a type the fields tell, as in VS Code; the transport of an address is http then.
  const type = row['type'] ?? (row['url'] !== undefined && row['command'] === undefined ? 'http' : 'stdio');
  if (type === 'stdio') return parseStdio(name, row);
  if (type === 'http' || type === 'sse') return parseRemote(type, name, row);
  return 'badType';
}

/** What each field of a program must be, checked in this order. */
const STDIO_CHECKS: readonly [field: string, problem: RowProblem, valid: (value: unknown) => boolean][] = [
  // An agent would start it without the sandbox that was asked for.
  ['sandboxEnabled', 'sandboxed', (value) => value !== true],
  ['command', 'noCommand', (value) => isText(value) && value.trim() !== ''],
  ['args', 'badArgs', (value) => value === undefined || (Array.isArray(value) && value.every(isText))],
  ['env', 'badEnv', (value) => parseEnv(value) !== undefined],
  ['envFile', 'badEnvFile', (value) => value === undefined || isText(value)],
  ['cwd', 'badCwd', (value) => value === undefined || isText(value)],
];

function parseStdio(name: string, row: JsonObject): StdioServer | RowProblem {
  const wrong = STDIO_CHECKS.find(([field, , valid]) => !valid(row[field]));
  if (wrong) return wrong[1];
  return compact({
    transport: 'stdio' as const,
    name,
    command: asString(row['command']) ?? '',
    args: asList(row['args']).filter(isText),
    env: parseEnv(row['env']) ?? {},
    envFile: asString(row['envFile']),
    cwd: asString(row['cwd']),
  });
}

function parseEnv(env: unknown = {}): Record<string, string | null> | undefined {
  if (!isObject(env)) return undefined;
  const entries: [string, string | null][] = [];
  for (const [name, value] of Object.entries(env)) {
    const text = typeof value === 'number' ? String(value) : value;
    if (name === '' || /[=\0]/.test(name) || (text !== null && !isText(text))) return undefined;
    entries.push([name, text]);
  }
  return Object.fromEntries(entries);
}

function parseRemote(transport: 'http' | 'sse', name: string, row: JsonObject): RemoteServer | RowProblem {
  const { url, headers = {} } = row;
  if (!isText(url) || url.trim() === '') return 'noUrl';
  if (!isObject(headers) || !Object.values(headers).every(isText)) return 'badHeaders';
  return { transport, name, url, headers: { ...(headers as Record<string, string>) } };
}

/** A text that a process can be given: NUL would end it early. */
const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0');

function parseInput(id: string, row: unknown): InputDefinition | RowProblem {
  const { type, description, default: preset, password, options } = asObject(row);
  if (type === 'command') return 'commandInput';
  if (id === '') return 'badInput';
  const shared = compact({ id, description: asString(description) ?? id, default: asString(preset) });
  if (type === 'promptString') return { ...shared, type, password: password === true };
  const choices = Array.isArray(options) ? options.map(parseOption) : [];
  const known = choices.filter((option) => option !== undefined);
  if (type !== 'pickString' || known.length === 0 || known.length < choices.length) return 'badInput';
  return { ...shared, type, options: known };
}

/** VS Code takes a text, or a value with a label. */
function parseOption(option: unknown): { label: string; value: string } | undefined {
  const value = asString(option) ?? asString(asObject(option)['value']);
  return value === undefined ? undefined : { label: asString(asObject(option)['label']) ?? value, value };
}
