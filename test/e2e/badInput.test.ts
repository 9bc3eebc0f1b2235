import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../vscode/until';
import { agentFile } from '../support/fakeAgents';
import { ChatDriver, picture } from './support/chatDriver';

const node = (name: string, ...args: string[]): object => ({
  command: process.execPath,
  args: [agentFile(name), ...args],
});

function notExecutable(): object {
  const file = join(mkdtempSync(join(tmpdir(), 'parley-agent-')), 'agent');
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o644);
  return { command: file };
}

const broken: [title: string, agent: () => object, message: RegExp, button: string][] = [
  [
    'is missing from PATH',
    () => ({ command: 'parley-no-such-agent' }),
    /"parley-no-such-agent" was not found/,
    'Open settings',
  ],
  ['is not executable', notExecutable, /is not executable/, 'Open settings'],
  ['ends at once with 0', () => node('exitAtOnce', '0'), /ended with exit code 0/, 'Restart agent'],
  ['ends at once with 127', () => node('exitAtOnce', '127'), /ended with exit code 127/, 'Restart agent'],
  [
    'never answers initialize',
    () => ({ ...node('neverAnswers'), startTimeout: 3 }),
    /did not answer within 3 seconds/,
    'Restart agent',
  ],
  ['answers with version 2', () => node('wrongVersion', '2'), /version 2 of the protocol/, 'Select agent'],
  ['answers with garbage', () => node('garbage'), /does not understand/, 'Show log'],
];

describe('agents that do not work', () => {
  for (const [title, agent, message, button] of broken) {
    it(`TR-9 IN-12 says what happened and keeps the draft when an agent ${title}`, async function () {
      this.timeout(120_000);
      const chat = await ChatDriver.open({
        agents: { Broken: agent(), Echo: node('echo') },
        connection: 'exited',
      });
      try {
        const banner = chat.frame.locator('[data-parley="banner"][role="alert"]');
        await banner.waitFor();
        assert.match(await banner.innerText(), message);
        assert.equal(await banner.getByRole('button', { name: button }).count(), 1);

        await chat.send('keep this draft');
        await chat.frame.locator('[data-parley="banner"]').waitFor();
        await chat.waitConnection('exited');
        await until('the draft to be there', async () =>
          (await chat.composer.inputValue()) === 'keep this draft' ? true : undefined,
        );

        // The panel goes on working: another agent is two clicks away, and the draft is still there.
        await chat.frame.locator('[data-parley="agent"]').click();
        await chat.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Echo' }).click();
        await chat.waitConnection('ready');
        assert.equal(await chat.composer.inputValue(), 'keep this draft');
        await chat.composer.click();
        await chat.page.keyboard.press('Enter');
        await chat.waitText('keep this draft');
        await chat.waitTurn('idle');
        assert.match(await chat.said(), /keep this draft/);
      } catch (error) {
        await picture(chat, `bad input ${title}`);
        throw error;
      } finally {
        await chat.close();
      }
    });
  }

  it('TR-5 connects to an agent that prints a banner first', async function () {
    this.timeout(120_000);
    const chat = await ChatDriver.open({ agents: { Echo: node('echo', '--banner') } });
    assert.equal(await chat.prompt('hello there'), 'end_turn');
    assert.equal((await chat.said()).trim(), 'hello there');
    await chat.expectNoBanner();
    await chat.close();
  });
});
