import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../../core/files/containment';
import { parseMcpConfig, type McpConfig, type ServerDefinition } from '../../core/mcp/config';
import type { ServerProblem } from './serverProblem';

/** A folder of the workspace on this machine. */
export interface WorkspaceFolder {
  name: string;
  path: string;
}

/** An `mcp.json`: of a workspace folder, or of the person where there is no folder. */
export interface ConfigSource {
  file: string;
  folder?: WorkspaceFolder;
}

/** A server of a file; either a definition, or why the row can't be used. */
export interface ConfiguredServer {
  name: string;
  source: ConfigSource;
  config: McpConfig;
  definition?: ServerDefinition;
  problem?: ServerProblem;
}

/** The servers of a file, and what is wrong with the file as a whole. */
export interface SourceContent {
  servers: ConfiguredServer[];
  problem?: ServerProblem;
}

/** The text of a file; undefined where there is none. Rejects where it can't be read. */
export type ReadText = (path: string) => Promise<string | undefined>;

/**
 * The person's `mcp.json` next to the storage that VS Code gives to extensions: `…/User/globalStorage/<extension>`, or
 * `…/User/profiles/<id>/globalStorage/<extension>`. Undefined where the storage lies elsewhere.
 */
export function userConfigFile(globalStorage: string): string | undefined {
  const parent = dirname(globalStorage);
  return basename(parent) === 'globalStorage' ? join(dirname(parent), 'mcp.json') : undefined;
}

/** The `mcp.json` of a workspace folder. */
export function folderSource(folder: WorkspaceFolder): ConfigSource {
  return { file: join(folder.path, '.vscode', 'mcp.json'), folder };
}

/** The innermost workspace folder that holds a path. */
export function folderOf(
  path: string,
  folders: readonly WorkspaceFolder[],
  windows: boolean,
): WorkspaceFolder | undefined {
  return folders
    .filter((folder) => isInside(path, folder.path, { windows, ignoreCase: windows }))
    .sort((a, b) => b.path.length - a.path.length)[0];
}

/** Reads and parses a file. A missing one has no servers. */
export async function readSource(source: ConfigSource, readText: ReadText): Promise<SourceContent> {
  let text: string | undefined;
  try {
    text = await readText(source.file);
  } catch {
    return { servers: [], problem: { cause: 'unreadable' } };
  }
  const config = parseMcpConfig(text ?? '');
  if (config.syntaxError !== undefined)
    return { servers: [], problem: { cause: 'syntaxError', line: config.syntaxError } };
  const good = config.servers.map((definition) => ({ name: definition.name, source, config, definition }));
  const bad = config.problems.flatMap(({ row, name, problem }): ConfiguredServer[] =>
    row === 'server' && problem !== 'badInput' && problem !== 'commandInput'
      ? [{ name, source, config, problem: { cause: problem } }]
      : [],
  );
  return { servers: [...good, ...bad] };
}

/** The text of a file; undefined where there is none. Rejects where it can't be read. */
export async function readTextFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
