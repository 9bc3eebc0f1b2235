import { open, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { asObject, asString } from '../../core/json';
import { interpreterOf } from '../../core/launch/missingProgram';
import { InstallFailure } from './installFailure';
import { runTool, type ToolRun } from './runTool';

/** What installs a package: how its tool is run, but for the arguments. */
export type ToolContext = Pick<ToolRun, 'env' | 'except' | 'signal' | 'onLine'>;

/** ms; some packages fetch a program of 200 MB in their scripts. */
const LIMIT = 10 * 60_000;
/** Bytes at the start of a program that tell what runs it. */
const START = 256;

/**
 * Installs a package of npm into an empty folder.
 *
 * @param spec `name@version`
 * @param cmd the command of the package, where its name is not that of the package
 * @returns what starts it, with paths in the folder
 * @throws InstallFailure
 */
export async function installNpmPackage(
  { spec, cmd, folder }: { spec: string; cmd: string | undefined; folder: string },
  context: ToolContext,
): Promise<{ command: string; args: string[] }> {
  // So that npm takes this folder for the project, and not one above.
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await runTool({
    ...context,
    tool: 'npm',
    // The scripts of packages run: agents fetch the program of the platform in theirs, and the person has agreed to run the agent.
    args: ['install', spec, '--save-exact', '--no-audit', '--no-fund', '--no-progress', '--prefix', folder],
    cwd: folder,
    limit: LIMIT,
  });
  const name = spec.replace(/(.)@[^@]*$/, '$1');
  const program = await binOf(join(folder, 'node_modules', ...name.split('/')), name, cmd);
  return (await runsOnNode(program)) ? { command: 'node', args: [program] } : { command: program, args: [] };
}

/** The file behind a command of an installed package. */
async function binOf(root: string, name: string, cmd: string | undefined): Promise<string> {
  const missing = new InstallFailure({ reason: 'noProgram', program: cmd ?? name });
  let bin: unknown;
  try {
    bin = asObject(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))['bin'];
  } catch (error) {
    throw new InstallFailure({ reason: 'storage', message: String(error) });
  }
  const own = name.split('/').at(-1) ?? name;
  const bins = typeof bin === 'string' ? { [own]: bin } : asObject(bin);
  const [only, ...others] = Object.values(bins);
  // As npx chooses: the command of the package's name, or the only one.
  const chosen = bins[cmd ?? own] ?? (cmd === undefined && others.length === 0 ? only : undefined);
  const path = asString(chosen);
  if (path === undefined) throw missing;
  const file = join(root, path);
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined || !real.startsWith((await realpath(root)) + sep)) throw missing;
  return file;
}

async function runsOnNode(program: string): Promise<boolean> {
  const file = await open(program);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START), 0, START, 0);
    const interpreter = interpreterOf(buffer.subarray(0, bytesRead).toString('latin1'));
    if (interpreter === undefined) return /\.[cm]?js$/.test(program);
    return /(^|\/)node$/.test(interpreter);
  } finally {
    await file.close();
  }
}
