import { asObject, isObject } from '../json';

/** A capability by its name in the protocol. */
export interface CapabilityRow {
  name: string;
  supported: boolean;
}

/** What a client can announce in protocol version 1. */
const CLIENT = [
  'fs.readTextFile',
  'fs.writeTextFile',
  'terminal',
  'auth.terminal',
  'session.configOptions.boolean',
  'session.notices',
  'session.compaction',
  'elicitation.form',
  'elicitation.url',
] as const;

/** What an agent can announce, of which Parley makes use. */
const AGENT = [
  'loadSession',
  'promptCapabilities.image',
  'promptCapabilities.audio',
  'promptCapabilities.embeddedContext',
  'mcpCapabilities.http',
  'mcpCapabilities.sse',
  'sessionCapabilities.list',
  'sessionCapabilities.resume',
  'sessionCapabilities.close',
  'sessionCapabilities.delete',
  'sessionCapabilities.additionalDirectories',
  'auth.logout',
] as const;

/** A capability that has words for people. */
export type KnownCapability = (typeof CLIENT)[number] | (typeof AGENT)[number];

/** Most capabilities that are listed beside the known ones, and how deep they are looked for. */
const MOST_OTHERS = 30;
const DEPTH = 4;

export const clientCapabilityRows = (capabilities: unknown): CapabilityRow[] => rowsOf(capabilities, CLIENT);

export const agentCapabilityRows = (capabilities: unknown): CapabilityRow[] => rowsOf(capabilities, AGENT);

/** The known ones, supported or not, and then what else is announced. */
function rowsOf(capabilities: unknown, known: readonly string[]): CapabilityRow[] {
  const rows = known.map((name) => ({ name, supported: isOn(valueAt(capabilities, name.split('.'))) }));
  const others = announcedIn(capabilities, [])
    .filter((name) => !known.some((one) => name === one || name.startsWith(`${one}.`)))
    .filter((name) => !known.some((one) => one.startsWith(`${name}.`)))
    .slice(0, MOST_OTHERS)
    .map((name) => ({ name, supported: true }));
  return [...rows, ...others];
}

/** Markers are objects, also empty ones; all else counts as true only (IN-9). */
const isOn = (value: unknown): boolean => value === true || isObject(value);

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => {
    const object = asObject(at);
    return Object.hasOwn(object, name) ? object[name] : undefined;
  }, value);
}

/** Names of all leaves that are on; the keys of `_meta` are leaves. */
function announcedIn(value: unknown, path: readonly string[]): string[] {
  if (value === true) return [path.join('.')];
  if (!isObject(value))
    return path.at(-2) === '_meta' && value !== false && value !== null ? [path.join('.')] : [];
  const fields = Object.keys(value);
  const isLeaf = fields.length === 0 || path.length >= DEPTH || path.at(-2) === '_meta';
  if (isLeaf) return path.length === 0 || path.at(-1) === '_meta' ? [] : [path.join('.')];
  return fields.flatMap((name) => announcedIn(value[name], [...path, name]));
}
