import assert from 'node:assert/strict';
import { describePage, soon } from '../../support/pageHarness/describePage';

describePage('what real agents send, in the chat page', ({ open, expectIntents }) => {
  it('TE-10 shows the terminals that an agent runs itself, and does not say that one was silent', async () => {
    const chat = await open('agentHabits');
    const text = (id: string) => chat.page.locator(`[data-terminal-id="${id}"]`).innerText();
    assert.match(await text('shown'), /tick 2\s+tick 3\s+Exit code 0/);
    assert.match(await text('silent'), /The agent told no output/);
    assert.doesNotMatch(await text('open'), /Stop|Exit code/);
    const card = chat.page.locator('[data-tool-call-id="open"]');
    assert.equal(await card.getAttribute('data-status'), 'interrupted');
  });

  it('SE-8 folds what an agent wrote in the name of the person, and makes no title of it', async () => {
    const chat = await open('agentHabits');
    const first = chat.page.locator('[data-entry="user"]').first();
    assert.doesNotMatch(await first.innerText(), /session_context/);
    await first.getByRole('button', { name: 'For the agent only' }).click();
    await first.getByText('<session_context>').waitFor();
    assert.equal(await chat.page.locator('h1').first().innerText(), 'What does the test say?');
  });

  it('US-1 RP-9 tells the tokens of a turn, and the reason in an error with its details', async () => {
    const chat = await open('agentHabits');
    const tokens = chat.page.locator('[data-parley="turn-tokens"]');
    assert.match(await tokens.innerText(), /^48.?213 tokens in, 1.?204 out$/);
    const error = await chat.page.locator('[data-entry="error"]').innerText();
    assert.match(error, /Model: 400 The quota of this month is used up\s+Code -32603\s+request 41/);
    assert.doesNotMatch(error, /[{}]/);
  });

  it('CF-1 filters 391 values by name, value and group, and chooses by keyboard', async () => {
    const chat = await open('agentHabits');
    await chat.page.locator('[data-config-id="model"]').click();
    const options = chat.page.getByRole('option');
    assert.equal(await options.count(), 391);
    await chat.page.keyboard.type('provider-22');
    await soon('the group alone', async () => (await options.count()) === 17);
    assert.ok(await chat.page.getByText('provider-22', { exact: true }).isVisible());
    const [first, box] = await Promise.all([
      chat.page.locator('.list-group').first().boundingBox(),
      chat.page.getByRole('listbox').boundingBox(),
    ]);
    assert.ok(first && box && first.y >= box.y, 'the name of the group is in sight');
    await chat.page.keyboard.press('ArrowDown');
    await chat.page.keyboard.press('Enter');
    await expectIntents({ type: 'setConfig', id: 'model', value: 'provider-22/model-1' });
  });
});
