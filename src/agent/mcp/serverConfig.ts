import { WireError } from '../../core/errors';
import { asString, isObject, type JsonObject } from '../../core/json';
import { isAbsoluteHere } from '../access/paths';

/** An MCP server that is started as a program (MC-2). */
export interface ProgramServer {
  type: 'stdio';
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** An MCP server that is reached by its address (MC-3). */
export interface RemoteServer {
  type: 'http' | 'sse';
  name: string;
  url: string;
  headers: Readonly<Record<string, string>>;
}

export type McpServerConfig = ProgramServer | RemoteServer;

/** The transports that are announced besides stdio, which every agent has. */
export const MCP_CAPABILITIES = { http: true, sse: true } as const;

/** Shorter values of settings, such as `1` or `true`, are no secrets and would be found everywhere. */
const SHORTEST_SECRET = 5;

/**
 * Reads the `mcpServers` of a request; absent and null mean none.
 *
 * Throws -32602 for anything that is not as the schema says, and for a transport that was not announced. No error holds a value of the
 * environment or of a header.
 */
export function readServers(value: unknown): McpServerConfig[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw WireError.invalidParams('"mcpServers" must be a list.');
  return value.map(readServer);
}

/** What must not come into a log or before a person: the values of environment, headers and address. */
export function secretsOf(server: McpServerConfig): string[] {
  const values =
    server.type === 'stdio'
      ? Object.values(server.env)
      : [...Object.values(server.headers), ...addressSecrets(new URL(server.url))];
  // Of "Bearer TOKEN" the second word alone tells it as well.
  const words = values.flatMap((value) => value.split(/\s+/));
  const secrets = [...values, ...words].filter((text) => text.length >= SHORTEST_SECRET);
  return secrets.sort((a, b) => b.length - a.length);
}

function addressSecrets(url: URL): string[] {
  return [url.username, url.password, ...url.searchParams.values(), url.search.slice(1)];
}

function readServer(value: unknown): McpServerConfig {
  if (!isObject(value)) throw WireError.invalidParams('Each of "mcpServers" must be an object.');
  const { type } = value;
  const name = asString(value['name']);
  if (!name) throw WireError.invalidParams('An MCP server has no "name".');
  if (type === undefined || type === 'stdio') return readProgram(name, value);
  if (type === 'http' || type === 'sse') return readRemote(name, type, value);
  throw invalid(name, 'has a transport that this agent does not announce');
}

/** The protocol has absolute paths alone (MC-2); the name of a program on the PATH, which clients send all the same, means only one thing. */
function isProgram(command: unknown): command is string {
  return isAbsoluteHere(command) || (typeof command === 'string' && /^[^/\\\s:\0]+$/.test(command));
}

function readProgram(name: string, value: JsonObject): ProgramServer {
  const { command, args = null } = value;
  if (!isProgram(command)) throw invalid(name, 'needs a "command" that is an absolute path');
  const words: readonly unknown[] | undefined = args === null ? [] : Array.isArray(args) ? args : undefined;
  if (!words?.every((word) => typeof word === 'string'))
    throw invalid(name, 'needs "args" that are a list of texts');
  const env = readPairs(name, 'env', value['env']);
  if (Object.keys(env).some((key) => /[=\0]/.test(key)))
    throw invalid(name, 'has a name in "env" that is none of a variable');
  if ([command, ...words, ...Object.values(env)].some((text) => text.includes('\0')))
    throw invalid(name, 'holds a character that can be in no command');
  return { type: 'stdio', name, command, args: words, env };
}

function readRemote(name: string, type: 'http' | 'sse', value: JsonObject): RemoteServer {
  const url = asString(value['url']) ?? '';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalid(name, 'needs a "url" that begins with https:// or http://');
  const headers = readPairs(name, 'headers', value['headers']);
  try {
    new Headers(headers);
  } catch {
    // The error names the value, which may be a secret.
    throw invalid(name, 'has "headers" that can not be sent');
  }
  return { type, name, url, headers };
}

function readPairs(server: string, member: string, value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (!Array.isArray(value)) throw invalid(server, `needs a list as "${member}"`);
  const pairs = value.map((item: unknown): [string, string] => {
    const { name, value: text } = isObject(item) ? item : {};
    if (typeof name !== 'string' || name === '' || typeof text !== 'string')
      throw invalid(server, `needs a "name" and a "value", both texts, in each of "${member}"`);
    return [name, text];
  });
  return Object.fromEntries(pairs);
}

function invalid(server: string, what: string): WireError {
  return WireError.invalidParams(`The MCP server "${server.slice(0, 60)}" ${what}.`);
}
