import assert from 'node:assert/strict';
import type { Intent } from '../../../src/core/chat/protocol';
import type { SessionAction } from '../../../src/core/session/actions';
import { PageHarness, type ChatPage } from '../../support/pageHarness/chatPage';
import { findChromium } from '../../vscode/setup.mjs';
import { until } from '../../vscode/until';

const soon = (what: string, probe: () => Promise<boolean>): Promise<boolean> =>
  until(what, async () => (await probe()) || undefined, 15_000);

/** A text of the agent that is higher than the view, with its last line. */
const longText = (lastLine: string): SessionAction => ({
  type: 'update',
  at: 1,
  update: {
    kind: 'chunk',
    role: 'agent',
    block: { type: 'text', text: `\n\n${'a\n\n'.repeat(40)}${lastLine}` },
  },
});

/** Presses "Allow once" each time it comes up that it is not yet meant to count. */
const pressEarly = `
  window.earlyPresses = 0;
  new MutationObserver(() => {
    const button = document.querySelector('[data-option-id="once"]:not([data-ready])');
    if (!button) return;
    window.earlyPresses++;
    button.click();
  }).observe(document, { childList: true, subtree: true });
`;

const chromium = findChromium();
const why = chromium ? '' : ' (skipped: there is no Chromium here; PARLEY_CHROMIUM can name one)';

(chromium ? describe : describe.skip)(`the chat page in a browser${why}`, () => {
  let harness: PageHarness | undefined;
  /** The page of the test that runs. */
  let chat: ChatPage;

  const open = async (scene: string, script?: string): Promise<ChatPage> => {
    assert.ok(harness);
    return (chat = await harness.open(scene, script));
  };

  const expectIntents = async (...expected: Intent[]): Promise<void> => {
    const sent = async (): Promise<boolean> => (await chat.intents()).length >= expected.length;
    await soon(`${expected.length} wishes of the page`, sent);
    assert.deepEqual(await chat.intents(), expected);
  };

  before(async () => {
    harness = await PageHarness.start();
  });

  afterEach(async () => {
    await chat?.page.close();
    assert.deepEqual(chat?.problems, []);
  });

  after(() => harness?.close());

  it('takes an answer to a permission only after the card has been seen for a while, and from the card alone', async () => {
    const { page, composer } = await open('turn', pressEarly);
    const once = page.locator('[data-permission="p1"] [data-option-id="once"]');
    await page.locator('[data-option-id="once"][data-ready]').waitFor();
    assert.ok((await page.evaluate<number>('window.earlyPresses')) > 0);
    assert.deepEqual(await chat.intents(), []);
    assert.equal(await once.textContent(), 'Allow once');
    await composer.fill('and then');
    await composer.press('1');
    await soon('the number in the draft', async () => (await composer.inputValue()) === 'and then1');
    await composer.press('Escape');
    await chat.drawn();
    assert.deepEqual(await chat.intents(), []);
    await once.click();
    await expectIntents({ type: 'answerPermission', requestId: 'p1', optionId: 'once' });
    await page.getByText('Allowed: Allow once').waitFor();
    assert.equal(await page.locator('[data-permission]').count(), 0);
    assert.equal(await composer.inputValue(), 'and then1');
  });

  it('takes the number of an answer while the card has the focus', async () => {
    const { page } = await open('turn');
    await page.locator('[data-option-id="reject"][data-ready]').waitFor();
    await page.locator('[data-option-id="once"]').focus();
    await page.keyboard.press('3');
    await expectIntents({ type: 'answerPermission', requestId: 'p1', optionId: 'reject' });
  });

  it('docks a form that is out of view, and leads back to it', async () => {
    const { page } = await open('calm');
    const url = 'https://example.com';
    await chat.play({ type: 'elicitationRequested', requestId: 'e1', message: 'Which branch?', url });
    await page.locator('[data-elicitation] [data-ready]').waitFor();
    await chat.scrollToTop();
    const dock = page.getByRole('button', { name: 'Waiting for you: Which branch?' });
    await dock.click();
    await page.locator('[data-elicitation]:focus').waitFor();
    await dock.waitFor({ state: 'detached' });
  });

  it('clears the draft when the prompt is taken, and keeps it when not, even over a reload', async () => {
    const { page, composer } = await open('ready');
    const draftIs = (draft: string): Promise<boolean> =>
      soon(`the draft ${JSON.stringify(draft)}`, async () => (await composer.inputValue()) === draft);
    await chat.refuseNext('No folder is open.');
    await composer.fill('hello');
    await composer.press('Shift+Enter');
    await composer.pressSequentially('there');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('No folder is open.').waitFor();
    assert.equal(await composer.inputValue(), 'hello\nthere');
    await composer.press('Enter');
    await page.locator('[data-entry="user"]').waitFor();
    await draftIs('');
    const prompt: Intent = { type: 'prompt', text: 'hello\nthere', attachments: [] };
    await expectIntents(prompt, prompt);
    await composer.fill('more');
    await page.reload();
    await draftIs('more');
  });

  it('stops a turn with Escape, and by force when that takes too long', async () => {
    const { page, composer } = await open('ready');
    await page.clock.install();
    await composer.fill('go');
    await composer.press('Enter');
    await page.locator('[data-turn="running"]').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await composer.press('Escape');
    await page.locator('[data-turn="cancelling"]').waitFor();
    const force = page.getByRole('button', { name: 'Force stop' });
    await soon('the way to stop by force', async () => {
      await page.clock.fastForward(1000);
      return (await force.count()) > 0;
    });
    await force.click();
    await expectIntents(
      { type: 'prompt', text: 'go', attachments: [] },
      { type: 'cancelTurn' },
      { type: 'forceStop' },
    );
  });

  it('completes a command, and sends one that is typed in full', async () => {
    const { page, composer } = await open('ready');
    await composer.pressSequentially('/t');
    await page.getByRole('option', { name: '/tour', selected: true }).waitFor();
    await composer.press('ArrowDown');
    await page.getByRole('option', { name: '/test', selected: true }).waitFor();
    await composer.press('Tab');
    await soon('the command in the draft', async () => (await composer.inputValue()) === '/test ');
    await composer.fill('/to');
    await page.getByRole('listbox').waitFor();
    await composer.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await composer.fill('/tour');
    await page.getByRole('option', { name: '/tour', selected: true }).waitFor();
    await composer.press('Enter');
    await expectIntents({ type: 'prompt', text: '/tour', attachments: [] });
  });

  it('chooses options with mouse and keyboard', async () => {
    const { page } = await open('ready');
    const [mode, model] = ['mode', 'model'].map((id) => page.locator(`[data-config-id="${id}"]`));
    assert.ok(mode && model);
    await mode.click();
    await page.locator('[data-value="plan"]').click();
    await mode.getByText('Plan').waitFor();
    await model.press('ArrowDown');
    await page.getByRole('textbox', { name: 'Filter' }).pressSequentially('model 9');
    await page.locator('[data-value="model-9"][data-active]').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[data-config-id="model"]:focus').getByText('Model 9').waitFor();
    await page.locator('[data-config-id="web"]').click();
    await page.locator('[data-config-id="web"][aria-checked="false"]').waitFor();
    await mode.click();
    await page.locator('[role="listbox"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await expectIntents(
      { type: 'setConfig', id: 'mode', value: 'plan' },
      { type: 'setConfig', id: 'model', value: 'model-9' },
      { type: 'setConfig', id: 'web', value: false },
    );
  });

  it('follows the end until the reader scrolls up, and again from the end on', async () => {
    const { page, transcript } = await open('failures');
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    const atEnd = (): Promise<boolean> => soon('the end in view', async () => (await chat.belowView()) < 2);
    await page.getByText('All tests pass.').waitFor();
    await atEnd();
    await chat.play(longText('first end'));
    await chat.transcript.getByText('first end').waitFor();
    await chat.drawn();
    await atEnd();
    await transcript.hover();
    // A busy browser may lose a turn of the wheel; one that scrolled must be noticed by the page.
    await soon('the wheel to scroll', async () => {
      await page.mouse.wheel(0, -300);
      await chat.drawn();
      return (await chat.belowView()) > 100;
    });
    await jump.waitFor();
    await soon('the end of the scrolling', () => chat.restsAbove());
    const top = await chat.scrollTop();
    await chat.play(longText('second end'));
    await chat.transcript.getByText('second end').waitFor({ state: 'attached' });
    await chat.drawn();
    assert.equal(await chat.scrollTop(), top);
    await jump.click();
    await atEnd();
    await jump.waitFor({ state: 'detached' });
  });

  it('opens links and files, and copies code, through the extension', async () => {
    const { page } = await open('failures');
    await page.getByRole('link', { name: 'the build file' }).click();
    await page.getByRole('link', { name: 'https://example.com/docs' }).press('Enter');
    await page.getByRole('button', { name: 'Copy code' }).first().click();
    await soon('three wishes of the page', async () => (await chat.intents()).length >= 3);
    const [file, link, copy] = await chat.intents();
    assert.deepEqual(file, { type: 'openFile', path: '.esbuild.mjs', line: 12 });
    assert.deepEqual(link, { type: 'openLink', href: 'https://example.com/docs' });
    assert.ok(copy?.type === 'copy');
    assert.match(copy.text, /^export function build/);
  });

  it('folds calls that only looked, and keeps each of them findable', async () => {
    const { page } = await open('turn');
    const calls = page.locator('[data-tool-call-id^="read-"]');
    const unfolded = page.locator('.fold-body [data-tool-call-id]');
    const run = page.getByRole('button', { name: 'Read 4 files date.ts' });
    await run.waitFor();
    assert.equal(await calls.count(), 4);
    await run.click();
    await unfolded.nth(3).waitFor();
    assert.equal(await unfolded.count(), 4);
    await page.getByRole('button', { name: 'Read tz.ts' }).press('Enter');
    await page.getByText('export const x = 1').waitFor();
    const patch = { toolCallId: 'read-tz.ts', status: 'failed' } as const;
    await chat.play({ type: 'update', at: 1, update: { kind: 'toolCallUpdate', patch } });
    await page.locator('[data-tool-call-id="read-tz.ts"][data-status="failed"]').waitFor();
    await chat.drawn();
    assert.equal(await calls.count(), 4);
  });

  it('draws only the end of a long conversation, and the beginning when the reader comes to the top', async () => {
    const { page } = await open('long');
    const entries = page.locator('[data-entry]');
    await entries.last().waitFor();
    const drawn = await entries.count();
    assert.ok(drawn > 0 && drawn <= 250, `${drawn} entries are drawn`);
    await chat.play({ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'last' }], at: 1 });
    await chat.transcript.getByText('last', { exact: true }).waitFor();
    await chat.scrollToTop();
    await page.getByText('Answer 0 with code').waitFor();
    assert.ok((await entries.count()) <= 250);
  });
});
