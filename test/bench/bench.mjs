// Measures Parley in a real VS Code, always against a control in the same run. Times decide nothing: it fails only where
// something does not work.
//   npm run bench [-- [--windows N] [--messages N] [--chunks N] [--every MS] [--replay N] [--page] [--json FILE]]
//   --windows N   windows of each extension for the activation (5); 0 leaves it out
//   --messages N  messages that Parley streams (3); 0 leaves it out
//   --chunks N    chunks of 40 bytes in a message (2000)
//   --every MS    pause of the agent between two chunks (0)
//   --replay N    rounds of replayed conversations (3); 0 leaves them out
//   --page        also the page's renderer alone, in a browser without VS Code
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runMain } from '../vscode/cli.mjs';
import { run, SetupError, step } from '../vscode/progress.mjs';
import { ensureBuild, ensureDependencies, repository } from '../vscode/setup.mjs';
import { markdownTable, replayTable, summarise } from './report.mjs';

/** Longest time for the control to show its message, ms. */
const limit = 240_000;

function readOptions() {
  const number = (fallback) => ({ type: 'string', default: String(fallback) });
  try {
    const { values } = parseArgs({
      options: {
        windows: number(5),
        messages: number(3),
        chunks: number(2000),
        every: number(0),
        replay: number(3),
        page: { type: 'boolean', default: false },
        json: { type: 'string' },
      },
    });
    const { page, json, ...rest } = values;
    const numbers = Object.entries(rest).map(([name, text]) => [name, Number(text)]);
    const wrong = numbers.find(([, value]) => !Number.isInteger(value) || value < 0);
    if (wrong) throw new Error(`--${wrong[0]} takes a whole number.`);
    const { every, replay, ...counts } = Object.fromEntries(numbers);
    if (counts.chunks < 10) throw new Error('--chunks takes 10 or more.');
    return { page, json, replay, measured: { ...counts, pause: every, limit } };
  } catch (error) {
    const usage =
      'npm run bench -- [--windows N] [--messages N] [--chunks N] [--every MS] [--replay N] [--page] [--json FILE]';
    throw new SetupError('The options are not understood.', error.message, `Use: ${usage}`);
  }
}

/** The renderer alone, without VS Code around it. */
async function measurePage(chunks) {
  const script = join(repository, 'test', 'bench', 'page', 'streaming.mjs');
  const output = await step('measuring the page alone', () =>
    run(process.execPath, [script, String(chunks)], { cwd: repository, timeout: 1_800_000 }),
  );
  return JSON.parse(output.trim().split('\n').at(-1));
}

await runMain(async () => {
  const { page, json, replay, measured } = readOptions();
  await ensureDependencies();
  await ensureBuild({ production: true });
  const { register } = await import('tsx/cjs/api');
  register();
  const require = createRequire(import.meta.url);
  const { measure } = require('./measure.ts');
  const { measureReplay, replayBounds, withReplayProcess } = require('./replay.ts');
  const load = [loadavg()[0]];
  const results = await measure(measured);
  if (replay > 0) {
    results.replay = await step('measuring replayed conversations', () =>
      withReplayProcess((one) => measureReplay(one, 30_000, replay)),
    );
  }
  if (page) results.page = await measurePage(measured.chunks);
  load.push(loadavg()[0]);
  const summary = summarise(results);
  const table = summary.length > 0 ? `\n${markdownTable(summary)}\n` : '';
  console.log(`${table}\nLoad of the machine: ${load.map((value) => value.toFixed(1)).join(' → ')}`);
  if (results.replay) console.log(`\n${replayTable(results.replay, replayBounds)}`);
  if (json) {
    const report = { options: measured, load, summary, results };
    writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
    console.log(`Figures: ${json}`);
  }
});
