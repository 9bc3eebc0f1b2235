// Makes the package: node test/vscode/package.mjs [FILE.vsix]
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runMain } from './cli.mjs';
import { run, SetupError, step } from './progress.mjs';
import { ensureDependencies, repository } from './setup.mjs';

/** Most KiB, after gzip, of what is loaded each time: by a window, and by a page of the chat. What is loaded when needed is not in it. */
const LIMITS = { 'extension.js': 150, 'webview.js': 150 };

/** Fails where a bundle has grown over its limit. */
function checkSizes() {
  for (const [bundle, limit] of Object.entries(LIMITS)) {
    const size = gzipSync(readFileSync(join(repository, 'dist', bundle))).length / 1024;
    console.log(`${bundle}: ${size.toFixed(1)} of ${limit} KiB after gzip`);
    if (size <= limit) continue;
    const next = 'Load what is not needed at once from a file of its own; see fromFile in .esbuild.mjs.';
    throw new SetupError(`${bundle} has become too large.`, `${size.toFixed(1)} KiB`, next);
  }
}

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
  checkSizes();
  console.log(file);
});
