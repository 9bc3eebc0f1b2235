import { asList, asObject, asString, compact } from '../json';
import type { AuthMethodView } from '../session/state';

/** What an agent said of itself in `initialize`; everything it left out or sent as null is unsupported (IN-7). */
export interface Introduction {
  name?: string;
  title?: string;
  version?: string;
  loadSession: boolean;
  authMethods: AuthMethodView[];
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
    loadSession: asObject(agentCapabilities)['loadSession'] === true,
    authMethods: asList(authMethods).flatMap(readAuthMethod),
  };
}

function readAuthMethod(value: unknown): AuthMethodView[] {
  const method = asObject(value);
  const id = asString(method['id']);
  if (id === undefined) return [];
  const name = asString(method['name']) ?? id;
  // Only the method without a type goes through `authenticate` (AU-1, AU-3, AU-12).
  const supported = method['type'] === undefined || method['type'] === null || method['type'] === 'agent';
  return [{ id, name, supported, ...compact({ description: asString(method['description']) }) }];
}
