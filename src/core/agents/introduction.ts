import { isAbsolutePath } from '../files/containment';
import { asList, asObject, asString, compact, isObject, type JsonObject } from '../json';
import type { Abilities, AuthMethodView } from '../session/state';

/** What an agent said of itself in `initialize`; everything it left out or sent as null is unsupported (IN-7). */
export interface Introduction {
  name?: string;
  title?: string;
  version?: string;
  abilities: Abilities;
  /** Takes `additionalDirectories` (SE-21). */
  additionalDirectories: boolean;
  /** Transports of MCP servers besides stdio (MC-4). */
  mcp: { http: boolean; sse: boolean };
  authMethods: AuthMethod[];
}

/** A way to sign in; `args` and `env` are those of a terminal method (AU-7). */
export interface AuthMethod extends AuthMethodView {
  args?: string[];
  env?: Record<string, string>;
  /** The agent named a program of its own choice: nothing of it runs before the person has seen the command (AU-13). */
  command?: string;
}

/** What the page is told of the ways to sign in: no arguments and no environment. */
export function authMethodViews(methods: readonly AuthMethod[]): AuthMethodView[] {
  return methods.map(({ args: _args, env: _env, command: _command, ...view }) => view);
}

export type IntroductionResult =
  Introduction | { problem: 'unsupportedVersion'; version: unknown } | { problem: 'badAnswer' };

/** Reads the answer to `initialize`; only protocol version 1 is accepted (IN-5, client-duties section e, 29). */
export function readIntroduction(answer: unknown, supportedVersion: number): IntroductionResult {
  const { protocolVersion, agentCapabilities, agentInfo, authMethods } = asObject(answer);
  if (typeof protocolVersion !== 'number') return { problem: 'badAnswer' };
  if (protocolVersion !== supportedVersion)
    return { problem: 'unsupportedVersion', version: protocolVersion };
  const info = asObject(agentInfo);
  return {
    ...compact({
      name: asString(info['name']),
      title: asString(info['title']),
      version: asString(info['version']),
    }),
    ...readCapabilities(asObject(agentCapabilities)),
    authMethods: asList(authMethods).flatMap(readAuthMethod),
  };
}

/** Booleans count only as `true`, markers only as objects (IN-9). */
function readCapabilities(
  capabilities: JsonObject,
): Pick<Introduction, 'abilities' | 'additionalDirectories' | 'mcp'> {
  const prompt = asObject(capabilities['promptCapabilities']);
  const session = asObject(capabilities['sessionCapabilities']);
  const mcp = asObject(capabilities['mcpCapabilities']);
  return {
    abilities: {
      image: prompt['image'] === true,
      audio: prompt['audio'] === true,
      embeddedContext: prompt['embeddedContext'] === true,
      load: capabilities['loadSession'] === true,
      resume: isObject(session['resume']),
      list: isObject(session['list']),
      close: isObject(session['close']),
      delete: isObject(session['delete']),
      logout: isObject(asObject(capabilities['auth'])['logout']),
    },
    additionalDirectories: isObject(session['additionalDirectories']),
    mcp: { http: mcp['http'] === true, sse: mcp['sse'] === true },
  };
}

function readAuthMethod(value: unknown): AuthMethod[] {
  const method = asObject(value);
  const id = asString(method['id']);
  if (id === undefined) return [];
  const name = asString(method['name']) ?? id;
  const description = compact({ description: asString(method['description']) });
  const type = readType(method['type']);
  const head = { id, name, ...description };
  if (type === 'agent') return [{ ...head, type, ...readLegacyTerminal(method) }];
  if (type === 'unknown') return [{ ...head, type, ...readVariables(method) }];
  const launch = readLaunch(method);
  // A method that can't be run as it says is not run at all.
  return [launch ? { ...head, type, ...launch } : { ...head, type: 'unknown' }];
}

/** The protocol gave up `env_var` methods, but agents still offer them: the person can set the variables by hand. */
function readVariables({ type, vars }: JsonObject): Pick<AuthMethod, 'variables'> {
  if (type !== 'env_var') return {};
  const variables = asList(vars).flatMap((item) => asString(asObject(item)['name']) ?? []);
  const areNames = variables.length > 0 && variables.every((name) => /^[A-Za-z_]\w{0,63}$/.test(name));
  return areNames ? { variables: variables.slice(0, 8) } : {};
}

/** Arguments and environment of a program; undefined where they are broken. */
function readLaunch({ args, env }: JsonObject): { args: string[]; env: Record<string, string> } | undefined {
  const isText = (item: unknown): item is string => typeof item === 'string';
  const words = asList(args);
  const variables = Object.entries(asObject(env));
  if (!words.every(isText) || !variables.every(([, item]) => isText(item))) return undefined;
  return { args: [...words], env: Object.fromEntries(variables) as Record<string, string> };
}

/**
 * Many agents offer a terminal under `_meta` of a method that says no type, with a command of their own (AU-13). A path that depends
 * on the folder is not taken: it could lead into the workspace.
 */
function readLegacyTerminal({ _meta }: JsonObject): Partial<AuthMethod> {
  const terminal = asObject(asObject(_meta)['terminal-auth']);
  const command = asString(terminal['command']);
  const launch = readLaunch(terminal);
  const isSafe = (path: string): boolean =>
    !/[\\/]/.test(path) || isAbsolutePath(path, false) || isAbsolutePath(path, true);
  if (!command || !launch || !isSafe(command)) return {};
  return { type: 'terminal', command, ...launch };
}

/** Only the method without a type goes through `authenticate` (AU-1, AU-3, AU-12). */
function readType(type: unknown): AuthMethodView['type'] {
  if (type === undefined || type === null || type === 'agent') return 'agent';
  return type === 'terminal' ? 'terminal' : 'unknown';
}
