// Runs the checks and tests: npm test [-- STAGE ...] [-- OPTIONS]
//   stages: lint types unit integration duties e2e (or one half of it: e2e:newest from the package, e2e:oldest from the sources)
//   options for the tests: --grep TEXT, --invert, --bail, --timeout MS
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runMain } from './cli.mjs';
import { SetupError } from './progress.mjs';
import {
  chooseVSCode,
  ensureBuild,
  ensureDebianPackages,
  ensureDependencies,
  ensureServer,
  repository,
  versions,
} from './setup.mjs';

const stageNames = ['lint', 'types', 'unit', 'integration', 'duties', 'e2e:newest', 'e2e:oldest'];
const temporary = mkdtempSync(join(tmpdir(), 'parley-test-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));

function readArguments() {
  const known = {
    grep: { type: 'string', short: 'g' },
    invert: { type: 'boolean' },
    bail: { type: 'boolean' },
  };
  try {
    const { values, positionals } = parseArgs({
      options: { ...known, timeout: { type: 'string' } },
      allowPositionals: true,
    });
    const { timeout, ...options } = values;
    if (timeout) options.timeout = Number(timeout);
    const chosen = stageNames.filter(
      (name) => positionals.includes(name) || positionals.includes(name.split(':')[0]),
    );
    const unknown = positionals.filter(
      (name) => !stageNames.some((stage) => stage === name || stage.split(':')[0] === name),
    );
    if (unknown.length > 0) throw new Error(`There is no stage "${unknown.join('", "')}".`);
    return { stages: positionals.length > 0 ? chosen : stageNames, options };
  } catch (error) {
    const next =
      'Use: npm test -- [lint types unit integration duties e2e] [--grep TEXT] [--invert] [--bail] [--timeout MS]';
    throw new SetupError('The arguments are not understood.', error.message, next);
  }
}

/** Run a program with its output in view and give its exit code. */
function runInView(command, args, env = {}) {
  return new Promise((resolve) => {
    const shell = process.platform === 'win32' && command === 'npm';
    const child = spawn(command, args, {
      cwd: repository,
      stdio: 'inherit',
      shell,
      env: { ...process.env, ...env },
    });
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

const inCI = Boolean(process.env.CI) && process.env.CI !== 'false';
// Real processes, browsers and editors on a busy machine: CI tries up to twice more what failed, and says so.
const onceMore = { retries: inCI ? 2 : 0 };
const passed = { passed: 1, failed: 0, skipped: 0 };
const failed = { passed: 0, failed: 1, skipped: 0 };

const runScript = async (name) =>
  (await runInView('npm', ['run', '--silent', name])) === 0 ? passed : failed;

/** Set in a run that is a part of another one: the file for its results. */
const resultsOfPart = process.env.PARLEY_TEST_RESULTS;

/**
 * Run stages in a process beside this one, at the lowest priority. Its output comes with its results, and is to be shown at the end: it
 * must not mix with that of the other stages.
 */
function runAside(names) {
  const results = join(temporary, 'results.json');
  return new Promise((resolve) => {
    const output = [];
    const child = spawn(process.execPath, [import.meta.filename, ...names], {
      cwd: repository,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PARLEY_TEST_RESULTS: results },
    });
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
    child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)));
    child.on('close', () => {
      const told = existsSync(results)
        ? JSON.parse(readFileSync(results, 'utf8'))
        : names.map((name) => ({ ...failed, name }));
      resolve({ results: told, output: Buffer.concat(output).toString() });
    });
  });
}

function findTests(folder) {
  const at = join(repository, 'test', folder);
  if (!existsSync(at)) return [];
  const names = readdirSync(at, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.test\.tsx?$/.test(name))
    .sort()
    .map((name) => join(at, name));
}

/** Run test files with mocha; without a word from mocha about the counts, the stage has failed. */
async function runTests(files, options, env = {}) {
  if (files.length === 0) {
    console.log('There are no such tests.');
    return { passed: 0, failed: 0, skipped: 0 };
  }
  const counts = join(temporary, 'counts.json');
  rmSync(counts, { force: true });
  const settings = JSON.stringify({ files, forbidOnly: inCI, forbidPending: inCI, ...options });
  const code = await runInView(
    process.execPath,
    ['--import', 'tsx', join(repository, 'test', 'vscode', 'runMocha.mjs'), counts, settings],
    env,
  );
  if (!existsSync(counts)) return failed;
  const result = JSON.parse(readFileSync(counts, 'utf8'));
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result;
}

const webview = { TSX_TSCONFIG_PATH: join(repository, 'test', 'tsconfig.webview.json') };

// What the oldest VS Code may do otherwise: its API, views, editors, terminals and pickers. All else is about what agents send and what the
// page makes of it, and is played in the newest one alone.
const dependsOnVersion = [
  'commands',
  'files',
  'firstRun',
  'models',
  'pages',
  'permission',
  'review',
  'terminals',
  'window',
  'workspace',
].map((name) => `${name}.test.ts`);

function endToEnd(version, options, env = {}) {
  const files = findTests('e2e').filter(
    (file) => version === 'newest' || dependsOnVersion.includes(basename(file)),
  );
  return runTests(
    files,
    { timeout: 60_000, slow: 10_000, ...onceMore, ...options },
    { PARLEY_TEST_VERSION: version, ...env },
  );
}

/** In the newest VS Code what is shipped is tested: the package, installed as a person would. */
async function testPackage(options) {
  const file = join(temporary, 'parley.vsix');
  const code = await runInView(process.execPath, [join(repository, 'test', 'vscode', 'package.mjs'), file]);
  if (code !== 0) return failed;
  return endToEnd('newest', options, { PARLEY_TEST_EXTENSION: file });
}

const stages = {
  lint: () => runScript('lint'),
  types: () => runScript('check-types'),
  unit: (options) => runTests(findTests('unit'), { timeout: 10_000, ...options }, webview),
  integration: (options) =>
    runTests(findTests('integration'), { timeout: 30_000, slow: 2000, ...onceMore, ...options }),
  duties: () => runScript('duties'),
  'e2e:newest': (options) => testPackage(options),
  'e2e:oldest': (options) => endToEnd('oldest', options),
};

/** What the chosen stages need: the bundles, a browser for the page, and each VS Code before the clock of a test runs. */
async function prepare(names) {
  const inVSCode = names.filter((name) => name.startsWith('e2e'));
  const withPage = names.includes('integration') || names.includes('duties');
  if (withPage || inVSCode.length > 0) await ensureBuild();
  if (withPage && process.platform === 'linux') await ensureDebianPackages({ shells: true });
  if (inVSCode.length === 0 || findTests('e2e').length === 0) return;
  const { kind, why } = await chooseVSCode();
  console.log(`VS Code for the tests: ${kind} (${why})`);
  if (kind !== 'server') return;
  if (inVSCode.includes('e2e:newest')) await ensureServer(versions.newest.server);
  if (inVSCode.includes('e2e:oldest')) await ensureServer(versions.oldest.server);
}

async function runStage(name, options) {
  console.log(`\n== ${name}`);
  const since = Date.now();
  let result;
  try {
    result = await stages[name](options);
  } catch (error) {
    console.error(error);
    result = failed;
  }
  const took = ((Date.now() - since) / 1000).toFixed(1);
  console.log(`-- ${name}: ${result.failed > 0 ? 'FAILED' : 'ok'} (${took} s)`);
  return { ...result, name };
}

/** True when the work ended well; else its error is shown. */
async function succeeds(work) {
  try {
    await work();
    return true;
  } catch (error) {
    console.error(error instanceof SetupError ? `\n${error.message}` : error);
    return false;
  }
}

const needsBuild = (name) => name === 'integration' || name.startsWith('e2e');

/** Checks without a clock of their own: they take what the tests leave of the processors. */
const checks = ['lint', 'types'];

async function runStages(names, options) {
  const aside =
    resultsOfPart === undefined && names.length > 1 ? checks.filter((name) => names.includes(name)) : [];
  const checking = aside.length > 0 ? runAside(aside) : undefined;
  const results = [];
  for (const name of names) if (!aside.includes(name)) results.push(await runStage(name, options));
  if (checking) {
    const { results: more, output } = await checking;
    console.log(output.trimEnd());
    results.push(...more);
  }
  return results;
}

await runMain(async () => {
  const { stages: names, options } = readArguments();
  const results = [];
  if (await succeeds(ensureDependencies)) {
    const ready = resultsOfPart !== undefined || (await succeeds(() => prepare(names)));
    if (!ready) results.push(failed);
    results.push(...(await runStages(ready ? names : names.filter((name) => !needsBuild(name)), options)));
  } else {
    results.push(failed);
  }
  if (resultsOfPart !== undefined) {
    writeFileSync(resultsOfPart, JSON.stringify(results));
    return 0;
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  // Again at the end: of a long output only the end may be at hand.
  for (const { name = 'preparation', failed: count, broken = [] } of results) {
    if (count > 0) console.log([`\n${name}: ${count} failed`, ...broken].join('\n  '));
  }
  console.log(
    `\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  return sum('failed') > 0 ? 1 : 0;
});
