import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { asObject, type JsonObject } from '../../src/core/json';
import { expectCall, refuse, Replay, update } from '../support/replayScript';
import { text } from '../support/session';
import { until } from '../vscode/until';
import { useChat } from './support/chatDriver';
import { pickRow } from './support/workbench';

describe('the traffic between Parley and an agent', function () {
  this.timeout(120_000);
  const chat = useChat(() => {
    const { command, args } = new Replay(
      expectCall('session/prompt', 'p'),
      update(text('FIRST')),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 'lost', status: 'completed' }),
      refuse('p', -32603, 'the model is gone'),
    ).plan;
    return {
      agents: { Faulty: { command, args } },
      // The dialog of the operating system can't be driven.
      settings: { 'parley.defaultAgent': 'Faulty', 'files.simpleDialog.enable': true },
    };
  });

  /** The page in its tab. */
  const trafficPage = (): Promise<Frame> =>
    until('the traffic page', async () => {
      for (const frame of chat().page.frames()) {
        const found = await frame
          .locator('.traffic-page')
          .count()
          .catch(() => 0);
        if (found > 0) return frame;
      }
      return undefined;
    });

  /** Saves a report and gives its lines. */
  const saved = async (name: string): Promise<JsonObject[]> => {
    const { page, folder, window } = chat();
    const file = join(folder, name);
    await window.runCommand('Parley: Save Bug Report');
    await pickRow(chat(), 'With texts');
    const path = page.locator('.quick-input-widget:visible input[type="text"]');
    await until('the save dialog', async () => (await path.inputValue()).includes(folder) || undefined);
    assert.match(await path.inputValue(), /parley-report-faulty\.ndjson$/);
    await path.fill(file);
    await until('the saved report', async () => {
      if (existsSync(file)) return true;
      await page.keyboard.press('Enter');
      return undefined;
    });
    const written = await until('its text', () => readFileSync(file, 'utf8') || undefined);
    return written
      .trim()
      .split('\n')
      .map((line) => asObject(JSON.parse(line)));
  };

  it('is recorded from the moment it is turned on, shown and filtered, and saved as a report that is opened', async () => {
    const { page, window } = chat();
    await window.runCommand('Parley: Save Bug Report');
    await page.locator('.notification-list-item', { hasText: 'Recording was off' }).waitFor();
    await window.runCommand('Parley: Show Traffic');
    const traffic = await trafficPage();
    await traffic.getByRole('button', { name: 'Turn on recording' }).click();
    await traffic.getByText('Recording is off').waitFor({ state: 'detached' });
    // The agent has been running since before.
    await chat().send('please fail');
    await chat().waitTurn('failed');

    const row = (words: string) => traffic.locator('.traffic-row', { hasText: words });
    await row('Recording began while the agent was running').waitFor();
    await row('session/update agent_message_chunk').waitFor();
    await row('error to session/prompt -32603 the model is gone').click();
    await traffic.locator('.traffic-detail pre', { hasText: '"message": "the model is gone"' }).waitFor();
    await traffic.getByRole('searchbox', { name: 'Text' }).fill('FIRST');
    await traffic.getByText(/^1 of \d+$/).waitFor();
    await traffic.getByRole('searchbox', { name: 'Text' }).fill('');
    await traffic.getByRole('combobox', { name: 'Direction' }).selectOption('out');
    await traffic.getByText(/^1 of \d+$/).waitFor();
    assert.equal(await row('session/prompt').count(), 1);

    const [header, ...lines] = await saved('report.ndjson');
    assert.deepEqual(header?.['agent'], {
      id: 'Faulty',
      name: 'replay-agent',
      title: 'Replay Agent',
      version: '1.0.0',
    });
    // The agent may print something at any moment.
    const marks = lines.map(({ dir }) => dir).filter((dir) => dir !== 'err');
    assert.deepEqual(marks, ['start', '>', '<', '<', '<']);
    assert.match(JSON.stringify(lines), /please fail/);
    await page.locator('.tab.active', { hasText: 'report.ndjson' }).waitFor();
    await page.locator('.notification-list-item', { hasText: 'was sent nowhere' }).waitFor();
  });
});
