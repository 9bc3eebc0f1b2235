import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureAgent, ensureNode24 } from '../vscode/setup.mjs';
import { agentFile } from '../support/fakeAgents';
import type { Places, Recipe } from './recipes';

/** An entry for the `parley.agents` setting. */
export interface RealAgent {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Seconds. */
  startTimeout: number;
}

/** A real agent that asks the model at `modelUrl` and sees nothing of the person's own home folder. */
export interface PreparedAgent {
  /** Its home folder, to be removed in the end. */
  home: string;
  agent: RealAgent;
}

/** How an agent is started: as it is, without credentials, or by a client that can do nothing beyond the protocol's minimum. */
export type Variant = 'plain' | 'unauthenticated' | 'no capabilities';

const newEnough = (): boolean => Number(process.versions.node.split('.')[0]) >= 22;

async function nodeFor({ newNode }: Recipe): Promise<string> {
  return newNode && !newEnough() ? join(await ensureNode24(), 'bin', 'node') : process.execPath;
}

function writeFiles(home: string, files: Record<string, object | string>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    writeFileSync(join(home, file), text);
  }
}

/** What it gets of its environment and of its home folder, with or without credentials. */
function setUp(recipe: Recipe, at: Places, credentials: boolean): Record<string, string> {
  const hidden = credentials ? [] : (recipe.secrets ?? []);
  writeFiles(at.home, (credentials ? undefined : recipe.filesWithoutSecrets) ?? recipe.files?.(at) ?? {});
  const own = Object.entries(recipe.env(at)).filter(([name]) => !hidden.includes(name));
  return { HOME: at.home, USERPROFILE: at.home, ...Object.fromEntries(own) };
}

/** Installs an agent where it is missing, and makes a home folder for it. */
export async function prepareAgent(
  name: string,
  recipe: Recipe,
  modelUrl: string,
  variant: Variant = 'plain',
): Promise<PreparedAgent> {
  const node = await nodeFor(recipe);
  const suffix = process.platform === 'win32' && recipe.program.startsWith('.bin/') ? '.cmd' : '';
  const program = recipe.program + suffix;
  const modules = join(await ensureAgent(name, recipe.packages, program), 'node_modules');
  const home = mkdtempSync(join(tmpdir(), `parley-${name}-`));
  const at: Places = { model: modelUrl, home, programs: join(modules, '.bin'), node: dirname(node) };
  const env = setUp(recipe, at, variant !== 'unauthenticated');
  const file = join(modules, program);
  const line = [...(file.endsWith('.js') ? [node, file] : [file]), ...(recipe.args ?? [])];
  if (variant === 'no capabilities') line.unshift(process.execPath, agentFile('withoutCapabilities'), '--');
  const [command = file, ...args] = line;
  return { home, agent: { command, args, env, startTimeout: 180 } };
}
