import type { ArchiveSource, PackageSource, RegistryAgent } from './registryDocument';

export type DistributionKind = 'binary' | 'npx' | 'uvx';

/** How an archive is packed; `raw` is a program as it is. */
export type ArchiveFormat = 'zip' | 'tar' | 'tar.gz' | 'tar.bz2' | 'raw';

/** The way in which an agent is installed here. */
export type Distribution =
  | ({ kind: 'binary'; format: ArchiveFormat } & ArchiveSource)
  | ({ kind: 'npx' } & PackageSource)
  | ({ kind: 'uvx' } & PackageSource);

const SYSTEMS: Readonly<Record<string, string>> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };
const MACHINES: Readonly<Record<string, string>> = { arm64: 'aarch64', x64: 'x86_64' };

/** The registry's name of a platform, given in the names of Node.js; undefined for one that it does not know. */
export function platformKey(platform: string, arch: string): string | undefined {
  const system = SYSTEMS[platform];
  const machine = MACHINES[arch];
  return system !== undefined && machine !== undefined ? `${system}-${machine}` : undefined;
}

/** A program of the platform before a package of npm, and that before one of PyPI; undefined where there is none. */
export function chooseDistribution(
  { binary, npx, uvx }: RegistryAgent,
  platform: string | undefined,
): Distribution | undefined {
  const archive = platform === undefined ? undefined : binary[platform];
  const format = archive && archiveFormat(archive.archive);
  if (archive && format) return { kind: 'binary', format, ...archive };
  if (npx) return { kind: 'npx', ...npx };
  return uvx && { kind: 'uvx', ...uvx };
}

const FORMATS: readonly [ending: RegExp, format: ArchiveFormat | undefined][] = [
  [/\.zip$/, 'zip'],
  [/\.(?:tar\.gz|tgz)$/, 'tar.gz'],
  [/\.(?:tar\.bz2|tbz2)$/, 'tar.bz2'],
  [/\.tar$/, 'tar'],
  // Installers, and packings that the registry does not have.
  [/\.(?:dmg|pkg|deb|rpm|msi|appimage|7z|gz|xz|zst|bz2|jar)$/, undefined],
];

/** How the file at an address is packed, by its name; undefined for one that can't be unpacked. */
export function archiveFormat(address: string): ArchiveFormat | undefined {
  const path = address.replace(/[?#].*$/s, '').toLowerCase();
  const known = FORMATS.find(([ending]) => ending.test(path));
  return known ? known[1] : 'raw';
}
