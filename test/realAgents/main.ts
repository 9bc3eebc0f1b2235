// Drives real agents through all scenarios in a real VS Code. Started by agents.mjs, which has the set-up.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startScriptedModel } from '../agents/scriptedModel.mjs';
import { sharedVSCode } from '../vscode/fixture';
import { repository } from '../vscode/setup.mjs';
import { recipes, type Recipe } from './recipes';
import { merged, readmeWith, resultDocument, resultTable, type AgentReport, type Reports } from './report';
import { runAgent } from './runAgent';
import { scenarioNames, type ScenarioName } from './scenarioNames';

const docs = join(repository, 'docs');
const data = join(docs, 'agents.json');
const known: Record<string, Recipe> = recipes;

interface Choice {
  agents: string[];
  chosen: readonly ScenarioName[];
  write: boolean;
}

/** What the command line asks for; scenarios are separated by commas. */
function choice(): Choice {
  const { values, positionals } = parseArgs({
    options: { scenario: { type: 'string' }, 'no-write': { type: 'boolean' } },
    allowPositionals: true,
  });
  const strange = positionals.find((name) => !(name in known));
  if (strange !== undefined)
    throw new Error(`There is no agent "${strange}". There are: ${Object.keys(known).join(', ')}`);
  const asked = values.scenario?.split(',').map((name) => name.trim());
  const unknown = asked?.find((name) => !scenarioNames.some((scenario) => scenario === name));
  if (unknown !== undefined)
    throw new Error(`There is no scenario "${unknown}". There are: ${scenarioNames.join(', ')}`);
  return {
    agents: positionals.length > 0 ? positionals : Object.keys(known),
    chosen: scenarioNames.filter((name) => asked === undefined || asked.includes(name)),
    write: values['no-write'] !== true,
  };
}

const readReports = (): Reports =>
  existsSync(data) ? (JSON.parse(readFileSync(data, 'utf8')) as Reports) : {};

/** In the order of the recipes, whatever was run last. */
function ordered(reports: Reports): Reports {
  const names = Object.keys(known).filter((name) => name in reports);
  return Object.fromEntries(names.flatMap((name) => (reports[name] ? [[name, reports[name]]] : [])));
}

function save(name: string, report: AgentReport): void {
  const before = readReports();
  const reports = ordered({ ...before, [name]: merged(before[name], report) });
  const readme = join(repository, 'README.md');
  writeFileSync(data, `${JSON.stringify(reports, null, 2)}\n`);
  writeFileSync(join(docs, 'agents.md'), resultDocument(reports));
  writeFileSync(readme, readmeWith(readFileSync(readme, 'utf8'), reports));
}

/** Runs the chosen scenarios with one agent; `keep` gets the report after each. */
async function runOne(
  name: string,
  chosen: readonly ScenarioName[],
  keep: (report: AgentReport) => void,
): Promise<AgentReport> {
  const recipe = known[name];
  if (!recipe) throw new Error('There is no such agent.');
  const { title, packages, get } = recipe;
  const date = new Date().toISOString().slice(0, 10);
  const report: AgentReport = { title, packages, get, date, cells: {} };
  const model = await startScriptedModel();
  console.log(`\n${title}: ${packages.join(' ')}`);
  try {
    const tell: Parameters<typeof runAgent>[0]['tell'] = (scenario, cell, ms) => {
      report.cells[scenario] = cell;
      keep(report);
      const time = ms > 0 ? `${(ms / 1000).toFixed(1)} s` : '';
      console.log(`  ${scenario}: ${[cell.result, time, cell.why].filter(Boolean).join('  ')}`);
    };
    await runAgent({ name, recipe, modelUrl: model.url, tell }, chosen);
  } finally {
    await model.stop();
  }
  return report;
}

/** The report of one agent; nothing where it could not be run at all, which is said. */
async function attempt(name: string, { chosen, write }: Choice): Promise<AgentReport | undefined> {
  try {
    return await runOne(name, chosen, (report) => {
      if (write) save(name, report);
    });
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

async function main(): Promise<void> {
  const chosen = choice();
  // Credentials of the person who runs this are none of the agents' business.
  for (const { secrets = [] } of Object.values(known))
    for (const secret of secrets) Reflect.deleteProperty(process.env, secret);
  const results: Reports = {};
  try {
    for (const name of chosen.agents) {
      const report = await attempt(name, chosen);
      if (report) results[name] = report;
    }
  } finally {
    await (await sharedVSCode()).stop();
  }
  console.log(`\n${resultTable(results)}`);
  const complete = chosen.agents.every((name) => name in results);
  const cells = Object.values(results).flatMap((report) => Object.values(report.cells));
  process.exitCode = complete && cells.every(({ result }) => result !== 'fail') ? 0 : 1;
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
