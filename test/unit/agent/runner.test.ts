import assert from 'node:assert/strict';
import type { Mode } from '../../../src/agent/model/model';
import { SessionReport } from '../../../src/agent/report';
import { PermissionDesk } from '../../../src/agent/tools/permissions';
import { askPerson } from '../../../src/agent/tools/askPerson';
import { TOOLS } from '../../../src/agent/tools/registry';
import { ToolRunner, type ToolResult } from '../../../src/agent/tools/runner';
import { ownFiles } from '../../../src/agent/access/files';
import { ownCommands } from '../../../src/agent/access/ownCommands';
import type { Tool } from '../../../src/agent/tools/tool';
import { asObject, type JsonObject } from '../../../src/core/json';

interface Ran {
  result: ToolResult;
  states: unknown[];
  asked: number;
  /** Of the card, then of the question. */
  titles: unknown[];
}

async function run(
  name: string,
  input: JsonObject,
  mode: Mode = 'interactive',
  more: readonly Tool[] = [],
): Promise<Ran> {
  const states: unknown[] = [];
  const titles: unknown[] = [];
  const report = new SessionReport({
    sessionId: 's',
    turnEvents: false,
    record: () => undefined,
    notify: (_method, params) => {
      const { status, title } = asObject(asObject(params)['update']);
      states.push(status);
      if (title !== undefined) titles.push(title);
    },
  });
  let asked = 0;
  const permissions = new PermissionDesk('s', (_method, params) => {
    asked++;
    titles.push(asObject(asObject(params)['toolCall'])['title']);
    return Promise.resolve({ outcome: { outcome: 'selected', optionId: 'allow_once' } });
  });
  const cwd = process.cwd();
  const workspace = { cwd, additionalDirectories: [] };
  const environment = { ...workspace, files: ownFiles(workspace), commands: ownCommands() };
  const tools = new Map([...TOOLS, ...more.map((tool) => [tool.name, tool] as const)]);
  const runner = new ToolRunner({ tools, environment, permissions, mode: () => mode });
  const call = report.beginTurn().beginModelCall(1);
  const result = await runner.run({ id: 'c', name, input }, call, new AbortController().signal);
  return { result, states, asked, titles };
}

describe('tool runner', () => {
  it('fails a tool that does not exist, with a card of its own', async () => {
    const { result, states } = await run('fly', {});
    assert.deepEqual(result, { outcome: 'failed', output: 'There is no tool "fly".' });
    assert.deepEqual(states, ['pending', 'in_progress', 'failed']);
  });

  for (const [name, input] of [
    ['read_file', {}],
    ['read_file', { path: '../x' }],
    ['read_file', { path: 'no such file' }],
    ['read_file', { path: 'src' }],
    ['read_file', { path: 'package.json', line: 99_999 }],
    ['list_directory', { path: 'package.json' }],
    ['search_text', { text: '' }],
    ['edit_file', { path: 'package.json', oldText: 'no such text \u0000', newText: '' }],
    ['write_file', { path: 'package.json', text: '' }],
    ['run_command', { command: ' ' }],
  ] as const) {
    it(`fails ${name} ${JSON.stringify(input)} in one sentence, without a question`, async () => {
      const { result, asked } = await run(name, input);
      assert.equal(result.outcome, 'failed');
      assert.match(result.output, /^[^\n]+$/);
      assert.equal(asked, 0);
    });
  }

  it('changes nothing in plan mode, whatever the model asks for', async () => {
    for (const [name, input] of [
      ['edit_file', { path: 'package.json', oldText: 'parley', newText: 'x' }],
      ['write_file', { path: 'x.txt', text: '' }],
      ['run_command', { command: 'exit 0' }],
    ] as const) {
      const { result, asked } = await run(name, input, 'plan');
      assert.deepEqual(result, { outcome: 'failed', output: 'Plan mode changes nothing.' });
      assert.equal(asked, 0);
    }
  });

  it('MO-2 asks nobody in autopilot, though the model may have been offered that before', async () => {
    const answer = { action: 'accept', content: { answer: 'yes' } };
    const ask = askPerson('s', () => Promise.resolve(answer));
    const { result } = await run('ask_person', { question: 'Go on?' }, 'autopilot', [ask]);
    assert.equal(result.outcome, 'failed');
    assert.match(result.output, /^Autopilot asks nothing/);
    assert.equal(
      (await run('ask_person', { question: 'Go on?' }, 'interactive', [ask])).result.output,
      'yes',
    );
  });

  it('PE-1 shows in titles what could hide or reorder a command', async () => {
    const { titles } = await run('run_command', { command: 'true \u{202E}x\u001B[2K' });
    assert.deepEqual(titles, ['Run true \\u{202E}x\\u{1B}[2K', 'Run true \\u{202E}x\\u{1B}[2K']);
  });

  it('reads some lines of a file', async () => {
    const { result } = await run('read_file', { path: 'package.json', line: 2, limit: 1 });
    assert.equal(result.output, '  "name": "parley",\n');
  });
});
