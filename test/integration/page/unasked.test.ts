import assert from 'node:assert/strict';
import type { ConfigView } from '../../../src/core/session/state';
import { describePage, soon } from '../../support/pageHarness/describePage';

const allowAll = (value: string): ConfigView => ({
  id: 'allow_all',
  name: 'Allow All',
  category: 'permissions',
  type: 'select',
  value,
  legacyMode: false,
  choices: [
    { value: 'on', name: 'On', description: 'Approves all' },
    { value: 'off', name: 'Off', description: 'Asks' },
  ],
});
const mode = (value: string): ConfigView => ({
  id: 'mode',
  name: 'Mode',
  category: 'mode',
  type: 'select',
  value: `https://agent.example/modes#${value}`,
  legacyMode: false,
  choices: [
    { value: 'https://agent.example/modes#agent', name: 'Agent' },
    { value: 'https://agent.example/modes#free', name: 'Free', description: 'Enables allow-all' },
  ],
});

describePage('an agent that does not ask', ({ open, expectIntents }) => {
  it('is told of for as long as it lasts, with the way to end it', async () => {
    const chat = await open('ready');
    const line = chat.page.locator('[data-parley="unasked"]');
    const picker = chat.page.locator('[data-config-id="allow_all"]');
    await chat.play({ type: 'configChanged', config: [mode('agent'), allowAll('off')] });
    await picker.getByText('Allow All: Off').waitFor();
    assert.equal(await line.count(), 0);
    await chat.play({ type: 'configChanged', config: [mode('agent'), allowAll('on')] });
    await line.getByText('Allow All is on: Copilot acts without asking you.').waitFor();
    await soon('the picker to be marked', async () =>
      /unasked/.test((await picker.getAttribute('class')) ?? ''),
    );
    await line.getByRole('button', { name: 'Turn off' }).click();
    await expectIntents({ type: 'setConfig', id: 'allow_all', value: 'off' });
    await line.waitFor({ state: 'detached' });
  });

  it('is told of by its mode as well, whose names stand for its ids', async () => {
    const chat = await open('ready');
    await chat.play({ type: 'configChanged', config: [mode('free')] });
    const line = chat.page.locator('[data-parley="unasked"]');
    await line.getByText('Free is on: Copilot acts without asking you.').waitFor();
    assert.equal(await line.getByRole('button').count(), 0);
    const picker = chat.page.locator('[data-config-id="mode"]');
    assert.equal((await picker.innerText()).trim(), 'Free');
    await chat.play({ type: 'configChanged', config: [mode('agent')] });
    await line.waitFor({ state: 'detached' });
    assert.equal((await picker.innerText()).trim(), 'Agent');
  });
});
