import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InstallFailure } from './installFailure';
import type { ToolContext } from './npmPackage';
import { runTool } from './runTool';

/** ms; uv may fetch a Python first. */
const LIMIT = 10 * 60_000;

/**
 * Installs a package of PyPI with a Python environment of its own into a folder, which can't be moved afterwards: its programs name it.
 *
 * @param spec `name==version` or `name@version`
 * @param cmd the command of the package, where its name is not that of the package
 * @returns the program that starts it
 * @throws InstallFailure
 */
export async function installPythonPackage(
  { spec, cmd, folder }: { spec: string; cmd: string | undefined; folder: string },
  context: ToolContext,
): Promise<string> {
  const bin = join(folder, 'bin');
  await runTool({
    ...context,
    tool: 'uv',
    args: ['tool', 'install', '--no-progress', spec.replace(/@/, '==')],
    env: { ...context.env, UV_TOOL_DIR: join(folder, 'tools'), UV_TOOL_BIN_DIR: bin },
    cwd: folder,
    limit: LIMIT,
  });
  const name = cmd ?? spec.replace(/[[@=].*$/, '');
  const programs = await readdir(bin).catch(() => []);
  const named = programs.find((program) => program.replace(/\.exe$/i, '') === name);
  const chosen = named ?? (cmd === undefined && programs.length === 1 ? programs[0] : undefined);
  if (chosen === undefined) throw new InstallFailure({ reason: 'noProgram', program: name });
  return join(bin, chosen);
}
