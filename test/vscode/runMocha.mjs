// Runs test files and writes the counts: node --import tsx runMocha.mjs COUNTS.json 'JSON of { files, ...options of mocha }'
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

const [countsFile, json] = process.argv.slice(2);
const { files, ...options } = JSON.parse(json);
const mocha = new Mocha({ reporter: 'spec', ui: 'bdd', ...options });
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();
const broken = [];
const runner = mocha.run((failures) => {
  const { passes, pending } = runner.stats;
  writeFileSync(countsFile, JSON.stringify({ passed: passes, failed: failures, skipped: pending, broken }));
  // A process that a test forgot must not keep the run from ending, nor hide: give the others a moment, then say so.
  process.exitCode = failures > 0 ? 1 : 0;
  const late = setTimeout(() => {
    console.error(`Still open after the last test: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit();
  }, 5000);
  late.unref();
});
runner.on('fail', (test, error) => broken.push(`${test.fullTitle()}: ${error.message.split('\n', 1)[0]}`));
runner.on('retry', (test, error) => {
  console.error(`    Once more, since it failed: ${test.fullTitle()}\n      ${error.message}`);
});
