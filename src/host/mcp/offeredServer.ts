import { posix, win32 } from 'node:path';
import type { McpServer } from '../../core/acp';
import { findProgram, type Environment, type Platform } from '../../core/launch/programPath';
import type { RemoteServer, StdioServer } from '../../core/mcp/config';
import { parseEnvFile } from '../../core/mcp/envFile';
import type { ReadText } from './configSources';
import type { ServerProblem } from './serverProblem';

/** What the start of a program depends on. */
export interface LaunchContext {
  /** Where relative paths of the definition begin: its workspace folder, or the person's home. */
  base: string;
  userHome: string;
  /** Environment of the login shell. */
  env: Readonly<Record<string, string | undefined>>;
  platform: Platform;
  readText: ReadText;
}

export type Offer = { server: McpServer } | { problem: ServerProblem };

/** A remote server as the protocol has it (MC-3). */
export function remoteOffer({ transport, name, url, headers }: RemoteServer): Offer {
  // VS Code also takes sockets; an agent is only told of what it can reach.
  if (!/^https?:\/\/[^\s/]/i.test(url)) return { problem: { cause: 'badUrl' } };
  return { server: { type: transport, name, url, headers: pairs(headers) } };
}

/**
 * A program as the protocol has it: an absolute path, and lists of arguments and variables even where they are empty (MC-2, MC-6).
 *
 * @param written the definition before its variables were replaced, for what a person is told: a value may be a secret.
 */
export async function stdioOffer(
  server: StdioServer,
  written: StdioServer,
  context: LaunchContext,
): Promise<Offer> {
  const home = (text: string): string => untildify(text, context.userHome);
  let fromFile: Environment;
  try {
    fromFile = await readEnvFile(server, context);
  } catch {
    return { problem: { cause: 'envFileUnreadable', path: written.envFile ?? '' } };
  }
  const { env, all } = mergeEnvironment(server.env, fromFile, context);
  const where = { cwd: workingFolder(server, context), env: all };
  const command = findProgram(home(server.command), where, context.platform);
  if (command === undefined) return { problem: { cause: 'commandNotFound', command: written.command } };
  const args = server.args.map(home);
  return {
    server: { name: server.name, command: pathsOf(context).normalize(command), args, env: pairs(env) },
  };
}

/** The folder that a program is to run in by its definition. */
export function workingFolder(server: StdioServer, context: LaunchContext): string {
  return absolute(server.cwd ?? '', context);
}

async function readEnvFile({ envFile }: StdioServer, context: LaunchContext): Promise<Environment> {
  if (envFile === undefined) return {};
  const text = await context.readText(absolute(envFile, context));
  if (text === undefined) throw new Error('The file does not exist.');
  return parseEnvFile(text);
}

/** The variables of the server itself, and those with the login environment below them. */
function mergeEnvironment(
  own: StdioServer['env'],
  fromFile: Environment,
  { env: login, platform }: LaunchContext,
): { env: Environment; all: Environment } {
  const same = (name: string): string => (platform.windows ? name.toLowerCase() : name);
  const entries = new Map<string, [name: string, value: string]>();
  const all = new Map<string, [name: string, value: string]>();
  const set = (name: string, value: string): void => {
    entries.set(same(name), [name, value]);
    all.set(same(name), [name, value]);
  };
  for (const [name, value] of Object.entries(login)) {
    if (value !== undefined) all.set(same(name), [name, value]);
  }
  for (const [name, value] of Object.entries(fromFile)) set(name, value);
  for (const [name, value] of Object.entries(own)) {
    const before = all.get(same(name))?.[1];
    // As in VS Code, a path is added to the one that is there, so that the programs of the system stay in reach.
    const adds = same(name) === same('PATH') && before !== undefined && before !== '';
    if (value === null) entries.delete(same(name));
    else set(name, adds ? `${before}${platform.windows ? ';' : ':'}${value}` : value);
  }
  return { env: Object.fromEntries(entries.values()), all: Object.fromEntries(all.values()) };
}

function absolute(path: string, context: LaunchContext): string {
  return pathsOf(context).resolve(context.base, untildify(path, context.userHome));
}

const pathsOf = ({ platform }: LaunchContext): typeof posix => (platform.windows ? win32 : posix);

const untildify = (text: string, home: string): string =>
  /^~($|[\\/])/.test(text) ? home + text.slice(1) : text;

const pairs = (record: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(record).map(([name, value]) => ({ name, value }));
