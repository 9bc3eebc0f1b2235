import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agentFile } from '../support/fakeAgents';
import { until } from '../vscode/until';
import { asObject } from '../../src/core/json';
import { Caller } from './support/caller';
import { useChat } from './support/chatDriver';
import { chooseInMenu, lastSent, openFile, pickRow, sent } from './support/workbench';

const agent = (name: string, ...args: string[]): object => ({
  command: process.execPath,
  args: [agentFile(name), ...args],
});

describe('parley.sendPrompt for another extension', function () {
  this.timeout(120_000);
  let caller: Caller;
  const chat = useChat(() => {
    caller = new Caller();
    return {
      files: { 'a.txt': 'one\n' },
      agents: { Forgetful: agent('sessions'), Dying: agent('crashOnPrompt') },
      settings: { 'parley.defaultAgent': 'Built-in' },
      calls: caller.folder,
    };
  });
  afterEach(() => caller.dispose());
  const send = (text: string) => caller.begin('parley.sendPrompt', text);
  const failure = (answer: unknown): string => String(asObject(answer)['error']);

  it('PT-7 PT-8 resolves when the turn is over and on screen, waits its turn in the queue, rejects with the failure', async () => {
    const counted = await send('count to 3')();
    const shown = await chat().entries('end').count();
    assert.deepEqual(counted, { value: { stopReason: 'end_turn', text: '1, 2, 3.', modelCalls: 1 } });
    assert.equal(shown, 1, 'the last update is on screen');
    const done = asObject(asObject(await send('list . and then read a.txt')())['value']);
    assert.equal(done['stopReason'], 'end_turn');
    assert.equal(done['modelCalls'], 3);
    assert.match(String(done['taskComplete']), /\w/);
    assert.deepEqual(await send(' ')(), {});

    const first = send('count slowly to 20');
    await chat().waitTurn('running');
    const second = send('read a.txt');
    await chat().frame.locator('[data-queue-id]').getByText('read a.txt').waitFor();
    const [one, two] = (await Promise.all([first(), second()])).map((answer) =>
      asObject(answer['value' as never]),
    );
    assert.match(String(one?.['text']), /\b20\.$/);
    assert.doesNotMatch(String(two?.['text']), /\b20\b/);
    assert.match(String(two?.['text']), /a\.txt/);

    await caller.call('parley.selectAgent', 'Forgetful');
    assert.deepEqual(await send('hello')(), {
      value: { stopReason: 'end_turn', text: 'hello, the 1. prompt' },
    });
    assert.match(failure(await send('gone')()), /Session not found/);
    await caller.call('parley.selectAgent', 'Dying');
    assert.match(failure(await send('exit 3')()), /Dying.*\b3\b/s);
    await chat().waitConnection('exited');
  });
});

describe('commands of the palette and the menus', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    files: { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'other\n' },
    agents: { Reference: agent('reference') },
  }));
  const run = (title: string) => chat().window.runCommand(`Parley: ${title}`);
  const uri = (name: string): string => pathToFileURL(join(chat().folder, name)).href;

  it('PT-5 adds files and a selection to the composer, and the prompt carries them', async () => {
    const { page, frame } = chat();
    const chips = frame.locator('[data-parley="attachments"] [data-attachment]');
    const editor = await openFile(chat(), 'a.txt');
    await run('Add File to Chat');
    await chips.filter({ hasText: 'a.txt' }).waitFor();
    await editor.locator('.view-line').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await chooseInMenu(chat(), editor.locator('.view-line', { hasText: 'one' }), 'Add Selection to Chat');
    await chips.filter({ hasText: 'a.txt:1-2' }).waitFor();
    await chooseInMenu(chat(), page.locator('.explorer-folders-view').getByText('b.txt'), 'Add File to Chat');
    await chips.filter({ hasText: 'b.txt' }).waitFor();
    assert.equal(await chips.count(), 3);

    assert.equal(await chat().prompt('capabilities'), 'end_turn');
    const { prompt } = await lastSent(chat(), 'session/prompt');
    assert.deepEqual(prompt, [
      { type: 'text', text: 'capabilities' },
      { type: 'resource_link', uri: uri('a.txt'), name: 'a.txt' },
      {
        type: 'resource',
        resource: { uri: `${uri('a.txt')}#L1-L2`, text: 'one\ntwo\n', mimeType: 'text/plain' },
      },
      { type: 'resource_link', uri: uri('b.txt'), name: 'b.txt' },
    ]);
    assert.equal(await chips.count(), 0, 'they went with the prompt');
  });

  it('CF-8 SE-12 sends a prompt, sets an option, closes the session, and shows the list of sessions', async () => {
    const { page, frame } = chat();
    const rows = frame.locator('[data-parley="sessions"] [data-session-id]');
    await run('Send Prompt');
    await page.locator('.quick-input-widget:visible', { hasText: 'What should the agent do?' }).waitFor();
    await page.keyboard.insertText('capabilities');
    await page.keyboard.press('Enter');
    assert.equal(await chat().nextEnd(0), 'end_turn');
    await run('Set Option');
    await pickRow(chat(), 'Model');
    await pickRow(chat(), 'Large');
    const { sessionId, ...set } = await lastSent(chat(), 'session/set_config_option');
    assert.deepEqual(set, { configId: 'model', value: 'large' });
    await frame.locator('[data-config-id="model"]', { hasText: 'Large' }).waitFor();

    await run('Close Session');
    assert.deepEqual(await lastSent(chat(), 'session/close'), { sessionId });
    await until('an empty session', async () => (await chat().entries().count()) === 0 || undefined);
    await run('Show Sessions');
    await rows.filter({ hasText: 'capabilities' }).click();
    await chat().entries('user').getByText('capabilities').waitFor();
    await chat().waitConnection('ready');
    assert.equal(sent(chat(), 'session/close').length, 1);
  });
});
