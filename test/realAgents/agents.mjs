// Installs real agents and drives them through all scenarios in a real VS Code, against a scripted model.
//   npm run agents [-- [NAME...] [--scenario a,b] [--no-write]]     without names: all of them, see recipes.ts
//   --scenario  only these; the other cells of the table stay
//   --no-write  print the table, but do not write docs/agents.md, docs/agents.json and the table of the README
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runMain } from '../vscode/cli.mjs';
import { ensureBuild, ensureDependencies, ensureServer, repository, versions } from '../vscode/setup.mjs';

await runMain(async () => {
  await ensureDependencies();
  await ensureBuild();
  await ensureServer(versions.newest.server);
  const main = join(repository, 'test', 'realAgents', 'main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...process.argv.slice(2)], {
    cwd: repository,
    stdio: 'inherit',
    env: { ...process.env, PARLEY_VSCODE: 'server', PARLEY_TEST_VERSION: 'newest' },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
});
