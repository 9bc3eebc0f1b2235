import { scenarioNames, type ScenarioName } from './scenarioNames';

/** How a scenario ended: `agent` means that it failed, and that a message of the agent shows why it must. */
export interface Cell {
  result: 'pass' | 'fail' | 'agent' | 'n/a';
  why?: string;
}

/** What is known of one agent. */
export interface AgentReport {
  title: string;
  /** npm packages with their versions. */
  packages: readonly string[];
  /** How a person gets it. */
  get: string;
  /** Day of the last run, YYYY-MM-DD. */
  date: string;
  cells: Partial<Record<ScenarioName, Cell>>;
}

/** What is known of all agents, by name. */
export type Reports = Record<string, AgentReport>;

/** Keeps the cells of earlier runs of the same version, and takes those of this one. */
export function merged(before: AgentReport | undefined, now: AgentReport): AgentReport {
  const same = before?.packages.join() === now.packages.join();
  return same ? { ...now, cells: { ...before?.cells, ...now.cells } } : now;
}

/** Text that is safe in a cell of a Markdown table. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();

class Notes {
  private readonly texts: string[] = [];

  /** The number of a note; the same text gets the same number. */
  number(text: string): number {
    const at = this.texts.indexOf(text);
    return at < 0 ? this.texts.push(text) : at + 1;
  }

  toString(): string {
    return this.texts.map((text, index) => `${index + 1}. ${plain(text)}`).join('\n');
  }
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const rule = (count: number): string => row(Array.from({ length: count }, () => '---'));

/** The table of scenarios and agents, with notes below it. */
export function resultTable(reports: Reports): string {
  const notes = new Notes();
  const all = Object.entries(reports);
  const cell = ({ title, cells }: AgentReport, scenario: ScenarioName): string => {
    const found = cells[scenario];
    if (!found) return '–';
    if (found.why === undefined) return found.result;
    return `${found.result} (${notes.number(`${found.result === 'n/a' ? '' : `${title}, ${scenario}: `}${found.why}`)})`;
  };
  const rows = scenarioNames.map((scenario) =>
    row([scenario, ...all.map(([, report]) => cell(report, scenario))]),
  );
  const head = [row(['Scenario', ...all.map(([name]) => name)]), rule(all.length + 1)];
  return [...head, ...rows, '', notes.toString(), ''].join('\n').replace(/\n+$/, '\n');
}

/** The document of the last results. */
export function resultDocument(reports: Reports): string {
  const versions = Object.entries(reports).map(([name, { title, packages, date, get }]) =>
    row([name, plain(title), packages.map((one) => `\`${one}\``).join(' '), date, get]),
  );
  return `# Agents

Written by \`npm run agents\`, never by hand. Each agent is installed as it is published and used in a real VS Code as a person uses it, with a
scripted language model in the place of its own. *pass*: the chat showed what it should, the files are as they should be, the next prompt
works, each line that Parley wrote is as the protocol's schema wants it, and Parley's log has no error. *agent*: it can't end well with any
client; the note has the message that shows it. *n/a*: the scenario says nothing about the agent.

${resultTable(reports)}
## Versions

${row(['Name', 'Agent', 'Packages', 'Last run', 'How to get it'])}
${rule(5)}
${versions.join('\n')}
`;
}

function summary({ cells }: AgentReport): string {
  const of = (result: Cell['result']): ScenarioName[] =>
    scenarioNames.filter((name) => cells[name]?.result === result);
  const [passed, own, failed] = [of('pass'), of('agent'), of('fail')];
  const total = passed.length + own.length + failed.length;
  const parts = [passed.length === total ? `all ${total}` : `${passed.length} of ${total}`];
  if (own.length > 0) parts.push(`fault of the agent: ${own.join(', ')}`);
  if (failed.length > 0) parts.push(`fails: ${failed.join(', ')}`);
  return parts.join('; ');
}

const begin = '<!-- agents: begin -->';
const end = '<!-- agents: end -->';

/** The README with the short table in its place. */
export function readmeWith(readme: string, reports: Reports): string {
  const from = readme.indexOf(begin);
  const to = readme.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The README has no place for the table: ${begin} … ${end}`);
  const rows = Object.values(reports).map((report) =>
    row([plain(report.title), summary(report), report.get]),
  );
  const table = [row(['Agent', 'Scenarios that work', 'How to get it']), rule(3), ...rows].join('\n');
  return `${readme.slice(0, from)}${begin}\n\n${table}\n\n${readme.slice(to)}`;
}
