import { asList, asObject, isObject } from '../json';
import { parseAgents, type AgentDefinition } from './definition';
import type { FoundAgent } from './knownAgents';
import type { DistributionKind } from './registryChoice';

/** A version of an agent that lies in the extension's storage. */
export interface InstalledVersion {
  version: string;
  kind: DistributionKind;
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** An agent that was installed from the registry. */
export interface InstalledAgent {
  /** Its id in the registry. */
  id: string;
  /** The name by which it is picked; no two have the same. */
  name: string;
  current: InstalledVersion;
  /** True once the current version has started and introduced itself. */
  proven: boolean;
  /** The last good version before, to go back to. */
  previous?: InstalledVersion;
}

/** Reads what was written about installed agents; entries that are wrong are left out. */
export function parseInstalled(value: unknown): InstalledAgent[] {
  return asList(value).filter(isInstalled);
}

function isInstalled(value: unknown): value is InstalledAgent {
  const { id, name, current, previous } = asObject(value);
  const isGood = (version: unknown): boolean => isObject(version) && typeof version['version'] === 'string';
  return typeof id === 'string' && typeof name === 'string' && isGood(current) && isGood(previous ?? current);
}

/** True for a new version that has not started yet, where the one before worked. */
export const needsProof = ({ proven, previous }: InstalledAgent): boolean =>
  !proven && previous !== undefined;

/** The installed agents as a person finds them; those whose names the settings have for themselves are not shown twice. */
export function installedAsFound(
  installed: readonly InstalledAgent[],
  rows: readonly Pick<AgentDefinition, 'id'>[],
): FoundAgent[] {
  const free = installed.filter(({ name }) => !rows.some((row) => row.id === name));
  return free.map(({ id, name, current: { version, command, args } }) => ({
    // The ids of known agents have no colon.
    id: `installed:${id}`,
    title: name,
    path: command,
    row: { command, args },
    configured: name,
    installed: version,
    name,
  }));
}

/** The agents of the settings, and the installed ones whose names those leave free. */
export function withInstalled(
  rows: readonly AgentDefinition[],
  installed: readonly InstalledAgent[],
): AgentDefinition[] {
  const taken = new Set(rows.map(({ id }) => id));
  const free = installed.filter(({ name }) => !taken.has(name));
  const own = free.map(
    ({ name, current: { command, args, env } }) => [name, { command, args, env }] as const,
  );
  return [...rows, ...parseAgents(Object.fromEntries(own)).agents];
}
