import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { until } from '../vscode/until';
import { useChat } from './support/chatDriver';
import { pickRow } from './support/workbench';

const windows = process.platform === 'win32';

describe('the diagnostics of an agent', function () {
  this.timeout(120_000);
  let home = '';
  const chat = useChat(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'parley-home-')));
    return {
      agents: {
        Lost: {
          command: 'no-such-agent',
          args: ['--data', join(home, 'data')],
          env: { LOST_KEY: 'value-of-lost' },
        },
      },
      bare: ['Lost'],
      connection: 'any',
      env: windows ? { USERPROFILE: home } : { HOME: home, SHELL: '/bin/sh' },
    };
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  /** The page of that agent, in its tab. */
  const pageOf = (agent: string): Promise<Frame> =>
    until(`the diagnostics of ${agent}`, async () => {
      for (const frame of chat().page.frames()) {
        const title = frame.locator('.diagnose-page h1', { hasText: `Diagnostics: ${agent}` });
        if ((await title.count().catch(() => 0)) > 0) return frame;
      }
      return undefined;
    });

  /** What the page copies. */
  const copied = async (frame: Frame, agent: string): Promise<string> => {
    await frame.getByRole('button', { name: 'Copy as Markdown' }).click();
    await frame.getByText('Copied.').waitFor();
    return until('the copy', async () => {
      const text = await chat().page.evaluate<string>('navigator.clipboard.readText()');
      return text.startsWith(`# Diagnostics: ${agent}\n`) ? text : undefined;
    });
  };

  it('tells from the banner why one can not start, and of the built-in one how it runs; a copy names no home folder', async () => {
    const { frame, page, window } = chat();
    await frame.locator('[data-parley="banner"]').getByRole('button', { name: 'Diagnose' }).click();
    const lost = await pageOf('Lost');
    await lost.locator('.verdict', { hasText: '"no-such-agent"' }).waitFor();
    await lost.locator('[data-section="launch"]', { hasText: 'Not found' }).waitFor();
    const failed = await copied(lost, 'Lost');
    assert.match(failed, /- Command: `no-such-agent`\n- File: Not found\n/);
    assert.match(failed, /- `LOST_KEY`\n/);
    assert.match(failed, /- State: failed\n/);
    assert.ok(failed.includes(`\`${join('~', 'data')}\``), failed);

    await window.runCommand('Parley: Diagnose Agent');
    await pickRow(chat(), 'Built-in');
    const builtIn = await pageOf('Built-in');
    await builtIn.getByText('was not started in this window yet').first().waitFor();
    await builtIn.getByRole('button', { name: 'Start agent' }).click();
    await builtIn.locator('.verdict', { hasText: 'The agent runs.' }).waitFor();
    await builtIn.locator('[data-section="process"]', { hasText: 'First session opened in' }).waitFor();
    const running = await copied(builtIn, 'Built-in');
    assert.match(running, /- State: running\n- Process id: `\d+`\n/);
    assert.match(running, /\| Read files, also unsaved ones \| `fs\.readTextFile` \| yes \|/);
    assert.match(running, /\| Open earlier sessions with their messages \| `loadSession` \| yes \|/);
    assert.match(running, /- Terminals: (node-pty is loaded|pipes)\n/);
    for (const text of [failed, running]) {
      assert.ok(!text.includes(home), text);
      assert.ok(!text.includes('value-of-lost'), text);
    }

    // There is one tab for each agent.
    await window.runCommand('Parley: Diagnose Agent');
    await pickRow(chat(), 'Lost');
    await page.locator('.tab.active', { hasText: 'Diagnostics: Lost' }).waitFor();
    assert.equal(await page.locator('.tab', { hasText: 'Diagnostics: ' }).count(), 2);
  });
});
