import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recipes } from '../../realAgents/recipes';
import {
  merged,
  readmeWith,
  resultDocument,
  resultTable,
  type AgentReport,
  type Reports,
} from '../../realAgents/report';
import { scenarioNames } from '../../realAgents/scenarioNames';
import { repository } from '../../vscode/setup.mjs';

const report = (cells: AgentReport['cells'], version = '1.0.0'): AgentReport => ({
  title: 'One',
  packages: [`one@${version}`],
  get: '`npm i -g one`',
  date: '2026-12-01',
  cells,
});

const file = (...path: string[]): string => readFileSync(join(repository, ...path), 'utf8');

describe('the table of real agents', () => {
  it('has a row per scenario, and says below it why one does not pass', () => {
    const table = resultTable({
      one: report({
        text: { result: 'pass' },
        read: { result: 'fail', why: 'a | b\nc' },
        image: { result: 'n/a', why: 'No images.' },
        options: { result: 'n/a', why: 'No images.' },
      }),
    }).split('\n');
    assert.equal(table.filter((line) => line.startsWith('|')).length, scenarioNames.length + 2);
    for (const line of [
      '| text | pass |',
      '| read | fail (1) |',
      '| edit | – |',
      '| image | n/a (2) |',
      '| options | n/a (2) |',
      '1. One, read: a \\| b c',
      '2. No images.',
    ])
      assert.ok(table.includes(line), line);
  });

  it('keeps what is known of a version where only some scenarios were run again', () => {
    const before = report({ text: { result: 'fail', why: 'x' }, read: { result: 'pass' } });
    const now = report({ text: { result: 'pass' } });
    assert.deepEqual(merged(before, now).cells, { text: { result: 'pass' }, read: { result: 'pass' } });
    assert.deepEqual(merged(report({ read: { result: 'pass' } }, '0.9.0'), now).cells, now.cells);
  });

  it('tells in the README what works, and whose fault it is where something does not', () => {
    const text = 'before <!-- agents: begin --> old <!-- agents: end --> after';
    const cells = {
      text: { result: 'pass' },
      shell: { result: 'agent', why: 'x' },
      read: { result: 'n/a', why: 'y' },
    } as const;
    const readme = readmeWith(text, { one: report(cells) });
    assert.match(readme, /^before <!-- agents: begin -->\n\n\| Agent/);
    assert.match(readme, /\| One \| 1 of 2; fault of the agent: shell \| `npm i -g one` \|/);
    assert.match(readme, /\n\n<!-- agents: end --> after$/);
    assert.throws(() => readmeWith('', {}), /no place for the table/);
  });

  it('is in the documents as the last run wrote it, and has no failure of Parley', () => {
    const reports = JSON.parse(file('docs', 'agents.json')) as Reports;
    assert.equal(file('docs', 'agents.md'), resultDocument(reports));
    assert.equal(file('README.md'), readmeWith(file('README.md'), reports));
    for (const [name, { packages, cells }] of Object.entries(reports)) {
      assert.deepEqual(packages, recipes[name as keyof typeof recipes].packages, name);
      const failed = Object.entries(cells).filter(([, { result }]) => result === 'fail');
      assert.deepEqual(failed, [], name);
    }
  });
});
