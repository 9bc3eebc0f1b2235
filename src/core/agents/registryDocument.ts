import { asList, asObject, asString, compact, isObject } from '../json';

/** What is common to the ways in which an agent is handed out. */
interface Source {
  args: string[];
  env: Record<string, string>;
}

/** A program in an archive, or a program as it is. */
export interface ArchiveSource extends Source {
  /** Address; https, or http of this machine. */
  archive: string;
  /** The program in the archive, with `/`, never outside of it. */
  cmd: string;
  /** Hex digits in lower case. */
  sha256?: string;
}

/** A package of npm or PyPI, pinned to a version. */
export interface PackageSource extends Source {
  package: string;
  /** The command of the package to run, where its name is not that of the package. */
  cmd?: string;
}

/** An agent of the public registry. */
export interface RegistryAgent {
  /** A safe folder name. */
  id: string;
  name: string;
  /** A safe folder name. */
  version: string;
  description: string;
  license?: string;
  /** Programs by platform, such as `linux-x86_64`. */
  binary: Record<string, ArchiveSource>;
  npx?: PackageSource;
  uvx?: PackageSource;
}

/** The agents of a registry that can be used; the others are counted. */
export interface RegistryDocument {
  agents: RegistryAgent[];
  leftOut: number;
}

/** Entries that are read; more is no list for a person. */
const MAX_AGENTS = 2_000;
const MAX_NAME = 100;
const MAX_DESCRIPTION = 500;
const MAX_ITEMS = 100;
const MAX_ITEM = 2_000;

const ID = /^[a-z][a-z0-9-]{0,63}$/;
/** Begins with a digit and ends with a letter or digit: a name that every file system takes. */
const VERSION = /^\d+\.\d+\.\d+(?:[0-9A-Za-z.+-]{0,48}[0-9A-Za-z])?$/;
/** Windows takes these for devices, whatever folder they are in. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const NPM_PACKAGE =
  /^(?:@[a-z0-9~_-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*@\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/i;
const PYTHON_PACKAGE =
  /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?:\[[a-z0-9._,-]+\])?(?:==|@)\d[0-9a-z]*(?:[.+!-][0-9a-z]+)*$/i;
const COMMAND = /^[0-9A-Za-z_][0-9A-Za-z._-]*$/;
const PATH_SEGMENT = /^[0-9A-Za-z_.+@() -]*[0-9A-Za-z_+@()-]$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SHA256 = /^[0-9a-f]{64}$/i;
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Whether something may be fetched from there: by https, or by http from this machine. */
export function isFetchable(address: string): boolean {
  return (
    /^https:\/\/[^\s/?#@\\]+(?:[/?][^\s\\]*)?$/i.test(address) ||
    /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?][^\s\\]*)?$/i.test(address)
  );
}

/** Reads a registry. Entries that are wrong are left out and counted; undefined where it is no registry at all. */
export function parseRegistry(value: unknown): RegistryDocument | undefined {
  if (!isObject(value) || !Array.isArray(value['agents'])) return undefined;
  const rows: readonly unknown[] = value['agents'];
  const agents = new Map<string, RegistryAgent>();
  for (const row of rows.slice(0, MAX_AGENTS)) {
    const agent = parseAgent(asObject(row));
    if (agent && !agents.has(agent.id)) agents.set(agent.id, agent);
  }
  return { agents: [...agents.values()], leftOut: rows.length - agents.size };
}

function parseAgent(row: Readonly<Record<string, unknown>>): RegistryAgent | undefined {
  const id = asString(row['id']) ?? '';
  const version = asString(row['version']) ?? '';
  const name = asString(row['name'])?.trim() ?? '';
  if (!isFolderName(id, version) || !isName(name)) return undefined;
  const sources = parseDistribution(asObject(row['distribution']));
  if (Object.keys(sources.binary).length === 0 && !sources.npx && !sources.uvx) return undefined;
  const description = plain(row['description'], MAX_DESCRIPTION) ?? '';
  const license = plain(row['license'], MAX_NAME);
  return { id, name, version, description, ...compact({ license }), ...sources };
}

const isFolderName = (id: string, version: string): boolean =>
  ID.test(id) && !DEVICE.test(id) && VERSION.test(version);

const isName = (name: string): boolean => name !== '' && name.length <= MAX_NAME && !CONTROL.test(name);

function parseDistribution(
  distribution: Readonly<Record<string, unknown>>,
): Pick<RegistryAgent, 'binary' | 'npx' | 'uvx'> {
  const binary = Object.entries(asObject(distribution['binary'])).flatMap(([platform, target]) => {
    const source = parseArchive(asObject(target));
    return source ? [[platform, source] as const] : [];
  });
  return {
    binary: Object.fromEntries(binary),
    ...compact({
      npx: parsePackage(asObject(distribution['npx']), NPM_PACKAGE),
      uvx: parsePackage(asObject(distribution['uvx']), PYTHON_PACKAGE),
    }),
  };
}

function parseArchive(row: Readonly<Record<string, unknown>>): ArchiveSource | undefined {
  const archive = asString(row['archive']) ?? '';
  const cmd = pathInside(asString(row['cmd']) ?? '');
  const { sha256 } = row;
  const source = parseSource(row);
  if (!source || cmd === undefined || archive.length > MAX_ITEM || !isFetchable(archive)) return undefined;
  if (sha256 === undefined || sha256 === null) return { archive, cmd, ...source };
  // One that can't be checked must not be taken for one that needs no check.
  if (typeof sha256 !== 'string' || !SHA256.test(sha256)) return undefined;
  return { archive, cmd, sha256: sha256.toLowerCase(), ...source };
}

function parsePackage(row: Readonly<Record<string, unknown>>, pattern: RegExp): PackageSource | undefined {
  const name = asString(row['package']) ?? '';
  const source = parseSource(row);
  const { cmd } = row;
  if (!source || name.length > MAX_ITEM || !pattern.test(name)) return undefined;
  if (cmd === undefined || cmd === null) return { package: name, ...source };
  return typeof cmd === 'string' && COMMAND.test(cmd) ? { package: name, cmd, ...source } : undefined;
}

function parseSource({ args, env }: Readonly<Record<string, unknown>>): Source | undefined {
  const list = asList(args ?? []);
  const variables = Object.entries(asObject(env ?? {}));
  const isGood =
    (args === undefined || args === null || Array.isArray(args)) &&
    list.length <= MAX_ITEMS &&
    list.every(isItem) &&
    variables.length <= MAX_ITEMS &&
    variables.every(([name, value]) => VARIABLE.test(name) && isItem(value));
  return isGood ? { args: list as string[], env: Object.fromEntries(variables) as Source['env'] } : undefined;
}

const isItem = (item: unknown): boolean =>
  typeof item === 'string' && item.length <= MAX_ITEM && !CONTROL.test(item);

/** A path below a folder, with `/`; undefined for one that leaves it, or that a shell or a file system would take for more. */
function pathInside(path: string): string | undefined {
  const segments = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment, index) => !(segment === '.' && index === 0));
  const isGood =
    segments.length > 0 &&
    path.length <= MAX_ITEM &&
    segments.every((segment) => segment !== '..' && PATH_SEGMENT.test(segment));
  return isGood ? segments.join('/') : undefined;
}

/** A text in one line, cut; undefined where there is none. */
function plain(value: unknown, longest: number): string | undefined {
  const text = asString(value)
    ?.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .trim();
  if (text === undefined || text === '') return undefined;
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
