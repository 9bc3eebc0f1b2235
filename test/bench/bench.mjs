// Measures Parley in a real VS Code, always against a control in the same run. Times decide nothing: it fails only where
// something does not work.
//   npm run bench [-- [--windows N] [--messages N] [--chunks N] [--every MS] [--replay N] [--tracker N] [--rewrite N]
//                     [--terminals N] [--agent N] [--page] [--json FILE]]
//   --windows N   windows of each extension for the activation (5); 0 leaves it out
//   --messages N  messages that Parley streams (3); 0 leaves it out
//   --chunks N    chunks of 40 bytes in a message (2000)
//   --every MS    pause of the agent between two chunks (0)
//   --replay N    rounds of replayed conversations (3); 0 leaves them out
//   --tracker N   rounds of turns whose changes are tracked (2); 0 leaves them out
//   --rewrite N   rounds of comparisons of a rewritten file (3); 0 leaves them out
//   --terminals N rounds of a command that prints 100 MB, and once 1,000 short ones (3); 0 leaves them out
//   --agent N     rounds of the built-in agent's loop (3), beside 15 or more starts of it; 0 leaves it out
//   --page        also the page alone, in a browser without VS Code: its renderer, a long conversation, and typing meanwhile
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runMain } from '../vscode/cli.mjs';
import { run, SetupError, step } from '../vscode/progress.mjs';
import { ensureBuild, ensureDependencies, repository } from '../vscode/setup.mjs';
import {
  markdownTable,
  replayTable,
  rewriteTable,
  summarise,
  terminalsTable,
  trackerTable,
} from './report.mjs';
import { agentLoopTable, agentServiceTable, agentStartTable } from './agentReport.mjs';

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
        tracker: number(2),
        rewrite: number(3),
        terminals: number(3),
        agent: number(3),
        page: { type: 'boolean', default: false },
        json: { type: 'string' },
      },
    });
    const { page, json, ...rest } = values;
    const numbers = Object.entries(rest).map(([name, text]) => [name, Number(text)]);
    const wrong = numbers.find(([, value]) => !Number.isInteger(value) || value < 0);
    if (wrong) throw new Error(`--${wrong[0]} takes a whole number.`);
    const { every, replay, tracker, rewrite, terminals, agent, ...counts } = Object.fromEntries(numbers);
    if (counts.chunks < 10) throw new Error('--chunks takes 10 or more.');
    const rounds = { replay, tracker, rewrite, terminals, agent };
    return { page, json, rounds, measured: { ...counts, pause: every, limit } };
  } catch (error) {
    const names = ['windows N', 'messages N', 'chunks N', 'every MS', 'replay N', 'tracker N', 'rewrite N'];
    const all = [...names, 'terminals N', 'agent N', 'page', 'json FILE'].map((name) => `[--${name}]`);
    const usage = `npm run bench -- ${all.join(' ')}`;
    throw new SetupError('The options are not understood.', error.message, `Use: ${usage}`);
  }
}

/** One script of the page alone, without VS Code around it: what it printed, and the figures of its last line. */
async function runInPage(name, ...args) {
  const script = join(repository, 'test', 'bench', 'page', `${name}.mjs`);
  const output = await run(process.execPath, [script, ...args], { cwd: repository, timeout: 1_800_000 });
  const lines = output.trim().split('\n');
  return { figures: JSON.parse(lines.pop()), table: lines.join('\n') };
}

/** The page alone; fails where a ratio to the control is not as it should be. */
async function measurePage(chunks) {
  const { figures } = await step('measuring the page alone', () => runInPage('streaming', String(chunks)));
  const transcript = await step('measuring a long conversation', () => runInPage('transcript'));
  const typing = await step('measuring typing while an agent streams', () => runInPage('typing'));
  const tables = [transcript.table, typing.table];
  return { ...figures, transcript: transcript.figures, typing: typing.figures, tables };
}

/** The parts of the extension host, each in a process of its own. */
async function measureHost(require, rounds) {
  const { measureReplay, withReplayProcess } = require('./replay.ts');
  const { measureTracker } = require('./tracker.ts');
  const { measureRewrite } = require('./rewrite.ts');
  const { measureTerminals } = require('./terminals.ts');
  const { measureAgentStart } = require('./agentStart.ts');
  const { measureAgentLoop } = require('./agentLoop.ts');
  const { measureAgentService } = require('./agentService.ts');
  const load = { files: 2_000, changed: 200, chunks: 5_000, pause: 5 };
  const parts = {
    replay: ['replayed conversations', (n) => withReplayProcess((one) => measureReplay(one, 30_000, n))],
    tracker: ['turns whose changes are tracked', (n) => measureTracker(load, n)],
    rewrite: ['comparisons of a rewritten file', (n) => measureRewrite(20_000, n)],
    terminals: ['commands', (n) => measureTerminals({ bytes: 100_000_000, commands: 1_000 }, n)],
    agent: [
      'the built-in agent',
      async (n) => ({
        start: await measureAgentStart(5 * n),
        loop: await measureAgentLoop(1_000, n),
        service: await measureAgentService(100, n),
      }),
    ],
  };
  const results = {};
  for (const [name, [title, measurePart]] of Object.entries(parts)) {
    if (rounds[name] > 0) results[name] = await step(`measuring ${title}`, () => measurePart(rounds[name]));
  }
  return results;
}

function hostTables(require, { replay, tracker, rewrite, terminals, agent }) {
  const tables = [];
  if (replay) tables.push(replayTable(replay, require('./replay.ts').replayBounds));
  if (tracker) tables.push(trackerTable(tracker, require('./tracker.ts').trackerBound));
  if (rewrite) tables.push(rewriteTable(rewrite));
  if (terminals) tables.push(terminalsTable(terminals, require('./terminals.ts').terminalBounds));
  if (agent) {
    tables.push(agentStartTable(agent.start, require('./agentStart.ts').agentStartBound));
    tables.push(agentLoopTable(agent.loop, require('./agentLoop.ts').agentLoopBounds));
    tables.push(agentServiceTable(agent.service, require('./agentService.ts').agentServiceBound));
  }
  return tables;
}

await runMain(async () => {
  const { page, json, rounds, measured } = readOptions();
  await ensureDependencies();
  await ensureBuild({ production: true });
  const { register } = await import('tsx/cjs/api');
  register();
  const require = createRequire(import.meta.url);
  const { measure } = require('./measure.ts');
  const load = [loadavg()[0]];
  const results = await measure(measured);
  Object.assign(results, await measureHost(require, rounds));
  if (page) results.page = await measurePage(measured.chunks);
  load.push(loadavg()[0]);
  const summary = summarise(results);
  const table = summary.length > 0 ? `\n${markdownTable(summary)}\n` : '';
  console.log(`${table}\nLoad of the machine: ${load.map((value) => value.toFixed(1)).join(' → ')}`);
  for (const text of [...hostTables(require, results), ...(results.page?.tables ?? [])])
    console.log(`\n${text}`);
  if (json) {
    const report = { options: measured, load, summary, results };
    writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
    console.log(`Figures: ${json}`);
  }
});
