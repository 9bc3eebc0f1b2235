import { variableOf } from '../launch/programPath';
import type { ServerDefinition } from './config';

/** What the variables of a server stand for. */
export interface VariableValues {
  /** Path of the workspace folder that the session works in; absent outside of one. */
  folder?: string;
  /** All folders of the workspace, for `${workspaceFolder:name}`. */
  folders: readonly { name: string; path: string }[];
  userHome: string;
  windows: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** Answers by the id of the input. */
  inputs: ReadonlyMap<string, string>;
}

/** A server with every variable replaced, or the first variable that has no value. */
export type Resolved<T extends ServerDefinition> = { server: T } | { unknown: string };

/** Anything up to the next brace, so that a variable within a variable counts as one that is not known. */
const VARIABLE = /\$\{([^}]*)\}/g;

/** The ids of the inputs that a server names, each once, in order. */
export function inputsOf(server: ServerDefinition): string[] {
  const ids = new Set<string>();
  mapTexts(server, (text) => {
    for (const [, body = ''] of text.matchAll(VARIABLE)) {
      if (body.startsWith('input:')) ids.add(body.slice('input:'.length));
    }
    return text;
  });
  return [...ids];
}

/**
 * Replaces the variables of a server in one pass: what a value holds is never read as a variable again. A server with a variable that
 * has no value is given back as a problem, so that nothing goes out half resolved (MC-6).
 */
export function resolveServer<T extends ServerDefinition>(server: T, values: VariableValues): Resolved<T> {
  const unknown: string[] = [];
  const resolved = mapTexts(server, (text) => replaceVariables(text, values, (one) => unknown.push(one)));
  const [first] = unknown;
  return first === undefined ? { server: resolved } : { unknown: first };
}

/** Replaces the variables of a text in one pass; one without a value stays as it is, and `missed` is told. */
export function replaceVariables(
  text: string,
  values: VariableValues,
  missed: (variable: string) => void = () => undefined,
): string {
  return text.replace(VARIABLE, (match, body: string) => {
    const value = valueOf(body, values);
    if (value === undefined) missed(match);
    return value ?? match;
  });
}

function mapTexts<T extends ServerDefinition>(server: T, change: (text: string) => string): T;
function mapTexts(server: ServerDefinition, change: (text: string) => string): ServerDefinition {
  const values = <V extends string | null>(record: Record<string, V>): Record<string, V> =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, value === null ? value : (change(value) as V)]),
    );
  if (server.transport !== 'stdio')
    return { ...server, url: change(server.url), headers: values(server.headers) };
  const { command, args, env, envFile, cwd } = server;
  return {
    ...server,
    command: change(command),
    args: args.map(change),
    env: values(env),
    ...(envFile === undefined ? {} : { envFile: change(envFile) }),
    ...(cwd === undefined ? {} : { cwd: change(cwd) }),
  };
}

function valueOf(body: string, values: VariableValues): string | undefined {
  const colon = body.indexOf(':');
  const name = colon < 0 ? body : body.slice(0, colon);
  const argument = colon < 0 ? undefined : body.slice(colon + 1);
  if (argument?.includes('${')) return undefined;
  if (name === 'workspaceFolder') return folderOf(argument, values);
  if (name === 'workspaceFolderBasename') return basename(folderOf(argument, values), values.windows);
  if (argument !== undefined) return ofArgument(name, argument, values);
  if (name === 'userHome') return values.userHome;
  if (name === 'pathSeparator' || name === '/') return values.windows ? '\\' : '/';
  return undefined;
}

function ofArgument(name: string, argument: string, values: VariableValues): string | undefined {
  if (name === 'input') return values.inputs.get(argument);
  // A variable that is not set is empty, as in a shell and in VS Code.
  if (name === 'env' && argument !== '') return variableOf(values.env, argument, values.windows) ?? '';
  return undefined;
}

function folderOf(name: string | undefined, { folder, folders }: VariableValues): string | undefined {
  return name === undefined ? folder : folders.find((candidate) => candidate.name === name)?.path;
}

function basename(path: string | undefined, windows: boolean): string | undefined {
  return path
    ?.split(windows ? /[\\/]/ : '/')
    .filter((part) => part !== '')
    .at(-1);
}
