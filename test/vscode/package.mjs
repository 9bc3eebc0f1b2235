// Makes the package: node test/vscode/package.mjs [FILE.vsix]
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runMain } from './cli.mjs';
import { run, SetupError, step } from './progress.mjs';
import { ensureDependencies, repository } from './setup.mjs';

await runMain(async () => {
  await ensureDependencies();
  const { name, version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const file = resolve(process.argv[2] ?? join(repository, `${name}-${version}.vsix`));
  mkdirSync(dirname(file), { recursive: true });
  const vsce = join(repository, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--out', file];
  try {
    await step('packaging Parley', () => run(process.execPath, args, { cwd: repository }));
  } catch (error) {
    throw new SetupError(
      'Parley could not be packaged.',
      error.message,
      'Correct the error above, then start again.',
    );
  }
  console.log(file);
});
