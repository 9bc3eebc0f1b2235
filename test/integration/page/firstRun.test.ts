import assert from 'node:assert/strict';
import type { PageToHost } from '../../../src/core/chat/protocol';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';

/** How often the page asked what there is; true for anew. */
async function looked({ page }: ChatPage): Promise<boolean[]> {
  const sent = await page.evaluate<PageToHost[]>('window.harness.sent');
  return sent.flatMap((message) => (message.type === 'lookAround' ? [message.anew] : []));
}

describePage('the start of a conversation', ({ open, expectIntents, expectFocus }) => {
  it('says what Parley and its own agent are, and fills the composer without sending', async () => {
    const chat = await open('empty');
    const welcome = chat.page.locator('[data-parley="welcome"]');
    await welcome.getByRole('heading', { name: 'Welcome to Parley' }).waitFor();
    await welcome.getByText('It is no language model').waitFor();
    await welcome.getByRole('button', { name: '/tour' }).click();
    await expectFocus('[data-parley="composer"]');
    assert.equal(await chat.composer.inputValue(), '/tour ');
    assert.equal(await chat.page.getByRole('listbox').count(), 0, 'Enter would send it');
    assert.deepEqual(await chat.intents(), []);
  });

  it('keeps what was written when an example is pressed, and puts a command before it', async () => {
    const chat = await open('empty');
    const press = (name: string): Promise<void> =>
      chat.page.locator('.examples').getByRole('button', { name }).click();
    const holds = (text: string): Promise<boolean> =>
      soon(`"${text}"`, async () => (await chat.composer.inputValue()) === text);
    await press('run npm test');
    await press('/tour');
    await holds('/tour ');
    await chat.composer.fill('mine');
    await press('run npm test');
    await holds('mine\n\nrun npm test');
    await chat.composer.fill('mine');
    await press('/tour');
    await holds('/tour mine');
  });

  it('lists the agents that were found, with what Use will write', async () => {
    const chat = await open('empty');
    const rows = chat.page.locator('[data-found-agent]');
    await soon('three agents', async () => (await rows.count()) === 3);
    assert.deepEqual(await looked(chat), [false]);
    await rows.first().getByText('in your settings as Copilot').waitFor();
    const copilot = rows.first().getByRole('button', { name: 'Use GitHub Copilot' });
    assert.equal(await copilot.getAttribute('title'), 'Opens a session with Copilot');
    const gemini = chat.page.locator('[data-found-agent="gemini"]');
    await gemini.getByText('gemini --acp').waitFor();
    const use = gemini.getByRole('button', { name: 'Use Gemini CLI' });
    assert.equal(
      await use.getAttribute('title'),
      'Adds to parley.agents in your user settings: {"Gemini CLI 2":{"command":"gemini","args":["--acp"]}}',
    );
    await use.click();
    await expectIntents({ type: 'useAgent', id: 'gemini' });
  });

  it('looks for agents once, and anew when asked to', async () => {
    const chat = await open('empty');
    await chat.show('k2', 'ready');
    await chat.show('k1', 'empty');
    await chat.page.getByRole('button', { name: 'Look again' }).click();
    await soon('a second look', async () => (await looked(chat)).length > 1);
    assert.deepEqual(await looked(chat), [false, true]);
  });

  it('says that it looks, and that it found none', async () => {
    const looking = await open('emptyLooking');
    await looking.page.locator('[aria-busy="true"]').getByText('Looking for agents…').waitFor();
    assert.ok(await looking.page.getByRole('button', { name: 'Look again' }).isDisabled());
    await looking.post({ type: 'start', view: { found: [], models: null, folder: true, trusted: true } });
    await looking.page.getByText('No other agent was found').waitFor();
    assert.equal(await looking.page.getByText('Looking for agents…').count(), 0);
    assert.equal(await looking.page.getByText('adds the agent to your user settings').count(), 0);
  });

  it('offers models for the built-in agent, and asks for one only when its button is pressed', async () => {
    const { page } = await open('emptyModels');
    const ollama = page.locator('[data-model-offer="ollama"]');
    await ollama.getByText('Ollama is running here with llama3.2:3b').waitFor();
    assert.equal(await page.locator('[data-model-offer]').count(), 2);
    await ollama.getByRole('button', { name: 'Use llama3.2:3b of Ollama' }).click();
    await page.getByRole('button', { name: 'Use a model of VS Code' }).click();
    await page.getByRole('button', { name: 'Set up a model…' }).click();
    await expectIntents(
      { type: 'useModel', from: 'ollama' },
      { type: 'useModel', from: 'editor' },
      { type: 'setUpModel' },
    );
  });

  it('looks for models where the built-in agent is shown with none, and only there', async () => {
    const lookedForModels = async ({ page }: ChatPage): Promise<number> => {
      const sent = await page.evaluate<PageToHost[]>('window.harness.sent');
      return sent.filter(({ type }) => type === 'lookForModels').length;
    };
    const chat = await open('empty');
    await chat.page.locator('[data-found-agent]').first().waitFor();
    assert.equal(await lookedForModels(chat), 1);
    assert.equal(await chat.page.locator('[data-model-offer]').count(), 0);
    const other = await open('ready');
    await other.page.getByText('It can read and change files').waitFor();
    assert.equal(await lookedForModels(other), 0);
  });

  it('speaks of the built-in agent with a model as of any other', async () => {
    const { page } = await open('emptyChosen');
    await page.getByText('It can read and change files').waitFor();
    await page.getByRole('button', { name: 'Explain how this project is built' }).waitFor();
    assert.equal(await page.getByText('It is no language model').count(), 0);
    assert.equal(await page.locator('[data-model-offer]').count(), 0);
  });

  it('leads to the other ways to an agent, and to the walkthrough', async () => {
    const { page } = await open('emptyNone');
    await page.getByRole('button', { name: 'Add an agent…' }).click();
    await page.getByRole('button', { name: 'Get started' }).click();
    await expectIntents({ type: 'addAgent' }, { type: 'openWalkthrough' });
  });

  for (const [scene, text, button, intent] of [
    ['emptyNone', 'No folder is open', 'Open folder', 'openFolder'],
    ['emptyUntrusted', 'no access to files or terminals', 'Manage trust', 'manageTrust'],
    ['stopped', 'Copilot has stopped.', 'Restart agent', 'restartAgent'],
  ] as const)
    it(`says what limits the agent and what to do: ${button}`, async () => {
      const { page } = await open(scene);
      const note = page.locator(`[data-start-note="${intent}"]`);
      await note.getByText(text).waitFor();
      assert.equal(await page.locator('[data-start-note]').count(), 1);
      await note.getByRole('button', { name: button }).click();
      await expectIntents({ type: intent });
    });

  it('makes no promise about files in a workspace that is not trusted', async () => {
    const chat = await open('ready');
    const promise = chat.page.getByText('It can read and change files');
    await promise.waitFor();
    await chat.post({ type: 'start', view: { found: [], models: null, folder: true, trusted: false } });
    await promise.waitFor({ state: 'detached' });
  });

  it('goes away with the first prompt', async () => {
    const chat = await open('empty');
    const welcome = chat.page.locator('[data-parley="welcome"]');
    await welcome.waitFor();
    await chat.play({ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'go' }], at: 1 });
    await welcome.waitFor({ state: 'detached' });
  });

  for (const [scene, shown] of [
    ['empty', '[data-found-agent="droid"]'],
    ['emptyModelsLong', '[data-model-offer="ollama"]'],
  ] as const)
    it(`fits into 300 px: ${scene}`, async () => {
      const chat = await open(scene);
      await chat.page.setViewportSize({ width: 300, height: 700 });
      await chat.page.locator(shown).waitFor();
      await chat.drawn();
      const wide = await chat.page.evaluate<boolean>(
        `[document.documentElement, ...document.querySelectorAll('.transcript')].some((box) => box.scrollWidth > box.clientWidth)`,
      );
      assert.equal(wide, false);
      const box = await chat.page.getByRole('button', { name: /^Use / }).last().boundingBox();
      assert.ok(box && box.x + box.width <= 300);
    });
});
