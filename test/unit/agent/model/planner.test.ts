import assert from 'node:assert/strict';
import type { HistoryItem, Mode, ModelEvent } from '../../../../src/agent/model/model';
import { Planner } from '../../../../src/agent/model/planner';
import { tourCommand } from '../../../../src/agent/model/tour';

type Answer = Omit<Extract<HistoryItem, { role: 'tool' }>, 'role' | 'requestId' | 'name'>;

const planner = new Planner(() => Promise.resolve());
const ok = (output = ''): Answer => ({ outcome: 'completed', output });

/** The events of the model call that follows a prompt and some tool results. */
async function after(
  prompt: string,
  results: Answer[] = [],
  mode: Mode = 'interactive',
): Promise<ModelEvent[]> {
  const history: HistoryItem[] = [{ role: 'user', text: prompt }];
  for (const [index, result] of results.entries()) {
    // The names matter to the tour alone, which goes by what it asked for last.
    const asked = (await collect({ history: [...history], mode })).find(
      (event) => event.type === 'toolRequest',
    );
    const name = asked?.name ?? '';
    history.push({ role: 'assistant', text: '', toolRequests: [] });
    history.push({ role: 'tool', requestId: String(index), name, ...result });
  }
  return collect({ history, mode });
}

async function collect(input: { history: HistoryItem[]; mode: Mode }): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const whole = { ...input, instructions: '', tools: [] };
  for await (const event of planner.next(whole, new AbortController().signal)) events.push(event);
  return events;
}

const textOf = (events: ModelEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
const toolOf = (events: ModelEvent[]): string | undefined =>
  events.find((event) => event.type === 'toolRequest')?.name;
const statesOf = (events: ModelEvent[]): string[] | undefined =>
  events.find((event) => event.type === 'plan')?.entries.map(({ status }) => status);

describe('planner', () => {
  it('asks for the tool of a step and then tells what came of it', async () => {
    assert.equal(toolOf(await after('read a.js')), 'read_file');
    const answer = await after('read a.js', [ok('one\ntwo\n')]);
    assert.equal(toolOf(answer), undefined);
    assert.equal(textOf(answer), '`a.js`, 2 lines:\n\n```js\none\ntwo\n```');
  });

  it('gives the same answer to the same history', async () => {
    assert.deepEqual(await after('list then read a', [ok('a')]), await after('list then read a', [ok('a')]));
  });

  it('shows the beginning of a long result, in a fence that its text cannot close', async () => {
    const text = textOf(await after('read a.md', [ok('```js\n```\n'.repeat(30))]));
    assert.match(text, /the first 20 of 60 lines/);
    assert.match(text, /````md\n```js/);
  });

  it('PL-2 sends a plan for two steps and more, and marks where it is', async () => {
    const prompt = 'list then read a then run b';
    assert.equal(statesOf(await after('list')), undefined);
    assert.deepEqual(statesOf(await after(prompt)), ['in_progress', 'pending', 'pending']);
    assert.deepEqual(statesOf(await after(prompt, [ok('a')])), ['completed', 'in_progress', 'pending']);
    const end = await after(prompt, [ok('a'), ok('b'), ok('c')]);
    assert.deepEqual(statesOf(end), ['completed', 'completed', 'completed']);
    assert.equal(toolOf(end), 'task_complete');
  });

  it('stops after a failure and after a rejection, and says so', async () => {
    const failed = await after('list then read a', [{ outcome: 'failed', output: 'It is gone.\nmore' }]);
    assert.equal(textOf(failed), 'This step failed: List `.`. It is gone. I stop here.');
    assert.deepEqual(statesOf(failed), ['pending', 'pending']);
    const rejected = await after('run b then list', [{ outcome: 'rejected', output: '' }]);
    assert.equal(textOf(rejected), 'You rejected this step: Run `b`. I stop here.');
    assert.equal(toolOf(rejected), undefined);
  });

  it('asks for no tool in plan mode', async () => {
    for (const prompt of ['read a', 'run b then list', '/tour']) {
      const events = await after(prompt, [], 'plan');
      assert.equal(toolOf(events), undefined);
      assert.ok(statesOf(events)?.every((state) => state === 'pending'));
    }
  });

  it('answers in Chinese to Chinese', async () => {
    assert.match(textOf(await after('读取 a.js')), /读取 `a\.js`/);
    assert.match(textOf(await after('你好')), /不是语言模型/);
    assert.match(textOf(await after('/help')), /plain requests/);
    assert.match(textOf(await after('/compact')), /not a language model/);
  });

  it('names the part that it does not understand', async () => {
    assert.match(textOf(await after('list then paint it blue')), /`paint it blue`/);
  });

  it('streams as much as was asked for', async () => {
    assert.equal(textOf(await after('count slowly to 4')), '1, 2, 3, 4.');
    assert.equal((await after('lorem 50')).length, 50);
    assert.equal(
      textOf(await after('write 3 paragraphs'))
        .split('\n\n')
        .filter(Boolean).length,
      3,
    );
  });

  it('gives the tour in its order, edits its file if it is there, and goes on after a failure', async () => {
    const listing = ok('src/\nREADME.md\nparley-tour.md');
    const failed: Answer = { outcome: 'failed', output: 'No.' };
    const results = [listing, ok('# Hello'), ok('README.md:1: # Hello'), failed, failed];
    const tools: unknown[] = [];
    for (let n = 0; n <= results.length; n++) tools.push(toolOf(await after('/tour', results.slice(0, n))));
    assert.deepEqual(tools, [
      'list_directory',
      'read_file',
      'search_text',
      'edit_file',
      'run_command',
      'task_complete',
    ]);
    const first = await after('/tour');
    assert.ok(first.some(({ type }) => type === 'thought'));
    assert.equal(statesOf(first)?.length, 4);
  });

  it('stops the tour after a rejection', async () => {
    const events = await after('/tour', [ok(''), { outcome: 'rejected', output: '' }]);
    assert.equal(toolOf(events), undefined);
    assert.match(textOf(events), /You rejected this step: Write `parley-tour\.md`/);
  });

  it('has a command for each platform that prints several lines', () => {
    assert.match(tourCommand('win32'), /^echo /);
    assert.match(tourCommand('linux'), /^for /);
  });
});
