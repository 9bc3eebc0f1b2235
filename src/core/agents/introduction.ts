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
}

/** What the page is told of the ways to sign in: no arguments and no environment. */
export function authMethodViews(methods: readonly AuthMethod[]): AuthMethodView[] {
  return methods.map(({ args: _args, env: _env, ...view }) => view);
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
  if (type !== 'terminal') return [{ id, name, type, ...description }];
  const args = asList(method['args']);
  const env = Object.entries(asObject(method['env']));
  // A method that can't be run as it says is not run at all.
  const broken =
    !args.every((arg) => typeof arg === 'string') || env.some(([, item]) => typeof item !== 'string');
  if (broken) return [{ id, name, type: 'unknown', ...description }];
  return [
    {
      id,
      name,
      type,
      args: args as string[],
      env: Object.fromEntries(env) as Record<string, string>,
      ...description,
    },
  ];
}

/** Only the method without a type goes through `authenticate` (AU-1, AU-3, AU-12). */
function readType(type: unknown): AuthMethodView['type'] {
  if (type === undefined || type === null || type === 'agent') return 'agent';
  return type === 'terminal' ? 'terminal' : 'unknown';
}
