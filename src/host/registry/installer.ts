import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Distribution } from '../../core/agents/registryChoice';
import type { InstalledVersion } from '../../core/agents/registryInstalls';
import { download } from './download';
import { InstallFailure, messageOf } from './installFailure';
import { installNpmPackage, type ToolContext } from './npmPackage';
import { installPythonPackage } from './pythonPackage';
import type { Unpack } from './unpack';

/** What an install is doing. */
export type Phase =
  | { phase: 'download'; bytes: number; total: number | undefined }
  | { phase: 'unpack' }
  /** A tool fetches the package: the warm-up of `npx` and `uvx`. */
  | { phase: 'package'; tool: 'npm' | 'uv' };

export interface InstallRun {
  signal: AbortSignal;
  onPhase: (phase: Phase) => void;
}

export interface InstallerOptions {
  /** Holds a folder for each version of each agent, and the files in the making. */
  folder: string;
  /** Environment of the agents. */
  environment: () => Promise<NodeJS.ProcessEnv>;
  /** Folders from which no program is taken. */
  except: () => readonly string[];
  unpack: Unpack;
  /** Takes what the tools print. */
  onLine: (line: string) => void;
}

/** The name of the folder for what is in the making; no id of an agent begins with a dot. */
const STAGING = '.staging';

/** Puts versions of agents into the extension's storage: complete, or not at all. */
export class Installer {
  constructor(private readonly options: InstallerOptions) {}

  /**
   * Installs a version, in the place of the same version if that is there.
   *
   * @throws InstallFailure; nothing is left then of what was new
   */
  async install(
    agent: { id: string; version: string },
    distribution: Distribution,
    run: InstallRun,
  ): Promise<InstalledVersion> {
    const { folder } = this.options;
    const target = this.versionFolder(agent);
    const staging = join(folder, STAGING, randomUUID());
    try {
      await mkdir(staging, { recursive: true });
      const { args, env, kind } = distribution;
      const started = await this.make(distribution, { staging, target }, run);
      return {
        version: agent.version,
        kind,
        command: started.command,
        args: [...started.args, ...args],
        env,
      };
    } catch (error) {
      if (run.signal.aborted) throw new InstallFailure({ reason: 'cancelled' });
      if (error instanceof InstallFailure) throw error;
      throw new InstallFailure({ reason: 'storage', message: messageOf(error) });
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  /** Deletes the files of a version, or of all versions. A program that runs may hold its files; then they stay until the next time. */
  async remove(agent: { id: string; version?: string }): Promise<void> {
    const { id, version } = agent;
    const folder =
      version === undefined ? join(this.options.folder, id) : this.versionFolder({ id, version });
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private versionFolder({ id, version }: { id: string; version: string }): string {
    return join(this.options.folder, id, version);
  }

  private async make(
    distribution: Distribution,
    folders: { staging: string; target: string },
    run: InstallRun,
  ): Promise<{ command: string; args: string[] }> {
    const { staging, target } = folders;
    if (distribution.kind === 'uvx') return this.makePython(distribution, target, run);
    const content = join(staging, 'content');
    await mkdir(content);
    const started =
      distribution.kind === 'binary'
        ? await this.unpack(distribution, { staging, content }, run)
        : await this.npm(distribution, content, run);
    await replace(content, target, join(staging, 'before'));
    const moved = (path: string): string =>
      path.startsWith(content) ? target + path.slice(content.length) : path;
    return { command: moved(started.command), args: started.args.map(moved) };
  }

  private async unpack(
    { archive, sha256, format, cmd }: Extract<Distribution, { kind: 'binary' }>,
    { staging, content }: { staging: string; content: string },
    { signal, onPhase }: InstallRun,
  ): Promise<{ command: string; args: string[] }> {
    const file = join(staging, 'download');
    const onProgress = (bytes: number, total: number | undefined): void =>
      onPhase({ phase: 'download', bytes, total });
    await download(archive, file, { signal, onProgress, ...(sha256 === undefined ? {} : { sha256 }) });
    onPhase({ phase: 'unpack' });
    await this.options.unpack({ archive: file, format, into: content, program: cmd }, signal);
    return { command: join(content, cmd), args: [] };
  }

  private async npm(
    { package: spec, cmd }: Extract<Distribution, { kind: 'npx' }>,
    folder: string,
    run: InstallRun,
  ): Promise<{ command: string; args: string[] }> {
    run.onPhase({ phase: 'package', tool: 'npm' });
    return installNpmPackage({ spec, cmd, folder }, await this.tools(run));
  }

  /** Made where it stays; the entry of the list, which is written last, tells a complete one. */
  private async makePython(
    { package: spec, cmd }: Extract<Distribution, { kind: 'uvx' }>,
    folder: string,
    run: InstallRun,
  ): Promise<{ command: string; args: string[] }> {
    run.onPhase({ phase: 'package', tool: 'uv' });
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    try {
      return {
        command: await installPythonPackage({ spec, cmd, folder }, await this.tools(run)),
        args: [],
      };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private async tools({ signal }: InstallRun): Promise<ToolContext> {
    const { environment, except, onLine } = this.options;
    return { env: await environment(), except: except(), signal, onLine };
  }
}

/** Moves a folder to its place; what was there is moved away first, and back where that fails. */
async function replace(content: string, target: string, before: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const wasThere = existsSync(target);
  if (wasThere) await rename(target, before);
  try {
    await rename(content, target);
  } catch (error) {
    if (wasThere) await rename(before, target);
    throw error;
  }
}
