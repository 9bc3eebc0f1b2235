// Uses the page as a person would, in Chromium, and checks what it does.
//   node test/support/pageHarness/check.mjs
import assert from 'node:assert/strict';
import { chromium as browserType } from 'playwright-core';
import { chromium, pageEntries, serve } from './serve.mjs';

const server = await serve(pageEntries);
const browser = await browserType.launch(chromium);

async function open(scene, script) {
  const page = await browser.newPage({ viewport: { width: 380, height: 800 } });
  page.on('pageerror', (error) => console.error(`${scene}: ${error.message}`));
  page.on(
    'console',
    (message) => message.text().includes('Content Security') && console.error(message.text()),
  );
  if (script) await page.addInitScript(script);
  await page.goto(`${server.url}/test/support/pageHarness/page.html?scene=${scene}`);
  await page.locator('[data-parley="panel"]:not([data-connection="none"])').waitFor();
  const composer = page.locator('[data-parley="composer"]');
  const sent = () =>
    page.evaluate(() => window.harness.sent.flatMap((m) => (m.type === 'intent' ? [m.intent] : [])));
  const play = (...actions) => page.evaluate((list) => window.harness.play(list), actions);
  return { page, composer, sent, play };
}

const checks = {
  async 'answers a permission only after the card has been seen'() {
    const { page, composer, sent } = await open('turn', () => {
      const press = () => document.querySelector('[data-option-id="once"]:not([data-ready])')?.click();
      new MutationObserver(press).observe(document, { childList: true, subtree: true });
    });
    const once = page.locator('[data-permission="p1"] [data-option-id="once"]');
    await once.waitFor();
    assert.deepEqual(await sent(), []);
    assert.equal(await once.textContent(), 'Allow once');
    await page.locator('[data-option-id="once"][data-ready]').waitFor();
    await composer.fill('and then');
    await composer.press('Enter');
    await composer.press('1');
    assert.deepEqual(await sent(), []);
    await composer.press('Escape');
    assert.deepEqual(await sent(), []);
    await once.click();
    assert.deepEqual(await sent(), [{ type: 'answerPermission', requestId: 'p1', optionId: 'once' }]);
    await page.getByText('Allowed: Allow once').waitFor();
    assert.equal(await page.locator('[data-permission]').count(), 0);
    assert.equal(await composer.inputValue(), 'and then1');
  },

  async 'answers a permission by its number when the card has the focus'() {
    const { page, sent } = await open('turn');
    await page.locator('[data-option-id="reject"][data-ready]').waitFor();
    await page.locator('[data-option-id="once"]').focus();
    await page.keyboard.press('3');
    assert.deepEqual(await sent(), [{ type: 'answerPermission', requestId: 'p1', optionId: 'reject' }]);
  },

  async 'docks a question that is out of view'() {
    const { page } = await open('turn');
    await page.setViewportSize({ width: 380, height: 560 });
    await page.locator('[data-parley="transcript"]').evaluate((log) => (log.scrollTop = 0));
    const dock = page.getByRole('button', { name: 'Waiting for you: git commit' });
    await dock.click();
    await page.locator('[data-permission]:focus').waitFor();
    await dock.waitFor({ state: 'detached' });
  },

  async 'clears the draft when the prompt is taken, keeps it when not'() {
    const { page, composer, sent } = await open('ready');
    await page.evaluate(() => (window.harness.refuse = 'No folder is open.'));
    await composer.fill('hello');
    await composer.press('Shift+Enter');
    await composer.pressSequentially('there');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('No folder is open.').waitFor();
    assert.equal(await composer.inputValue(), 'hello\nthere');
    await composer.press('Enter');
    await page.locator('[data-entry="user"]').waitFor();
    assert.equal(await composer.inputValue(), '');
    assert.equal((await sent()).length, 2);
    await composer.fill('more');
    await composer.press('Enter');
    assert.equal((await sent()).length, 2);
    await page.reload();
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'more');
  },

  async 'stops a turn with Escape, then by force'() {
    const { page, composer, sent } = await open('ready');
    await composer.fill('go');
    await composer.press('Enter');
    await page.locator('[data-turn="running"]').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await composer.press('Escape');
    await page.locator('[data-turn="cancelling"]').waitFor();
    await page.getByRole('button', { name: 'Force stop' }).click({ timeout: 8000 });
    assert.deepEqual((await sent()).slice(1), [{ type: 'cancelTurn' }, { type: 'forceStop' }]);
  },

  async 'completes a command'() {
    const { page, composer, sent } = await open('ready');
    await composer.pressSequentially('/t');
    await page.getByRole('option', { name: '/test' }).waitFor();
    await composer.press('ArrowDown');
    await composer.press('Tab');
    assert.equal(await composer.inputValue(), '/test ');
    await composer.fill('/to');
    await composer.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await composer.fill('/tour');
    await composer.press('Enter');
    assert.deepEqual(await sent(), [{ type: 'prompt', text: '/tour' }]);
  },

  async 'chooses options with mouse and keyboard'() {
    const { page, sent } = await open('ready');
    await page.locator('[data-config-id="mode"]').click();
    await page.locator('[data-value="plan"]').click();
    await page.locator('[data-config-id="mode"]').getByText('Plan').waitFor();
    await page.locator('[data-config-id="model"]').press('ArrowDown');
    await page.getByRole('textbox', { name: 'Filter' }).pressSequentially('model 9');
    await page.keyboard.press('Enter');
    await page.locator('[data-config-id="model"]:focus').getByText('Model 9').waitFor();
    await page.locator('[data-config-id="web"]').click();
    await page.locator('[data-config-id="web"][aria-checked="false"]').waitFor();
    await page.locator('[data-config-id="mode"]').click();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('listbox').count(), 0);
    assert.deepEqual(await sent(), [
      { type: 'setConfig', id: 'mode', value: 'plan' },
      { type: 'setConfig', id: 'model', value: 'model-9' },
      { type: 'setConfig', id: 'web', value: false },
    ]);
  },

  async 'follows the end until the reader scrolls up'() {
    const { page, play } = await open('failures');
    const log = page.locator('[data-parley="transcript"]');
    const gap = () => log.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    const more = {
      type: 'update',
      at: 1,
      update: { kind: 'chunk', role: 'agent', block: { type: 'text', text: 'a\n\n'.repeat(40) } },
    };
    await page.waitForTimeout(200);
    await play(more);
    await page.waitForTimeout(200);
    assert.ok((await gap()) < 2, `follows: ${await gap()}`);
    await log.hover();
    await page.mouse.wheel(0, -300);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const top = await log.evaluate((box) => box.scrollTop);
    await play(more);
    await page.waitForTimeout(200);
    assert.equal(await log.evaluate((box) => box.scrollTop), top);
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await page.waitForTimeout(100);
    assert.ok((await gap()) < 2);
  },

  async 'opens links and files through the extension'() {
    const { page, sent } = await open('failures');
    await page.getByRole('link', { name: 'the build file' }).click();
    await page.getByRole('link', { name: 'https://example.com/docs' }).press('Enter');
    await page.getByRole('button', { name: 'Copy code' }).first().click();
    const [file, link, copy] = await sent();
    assert.deepEqual(file, { type: 'openFile', path: '.esbuild.mjs', line: 12 });
    assert.deepEqual(link, { type: 'openLink', href: 'https://example.com/docs' });
    assert.match(copy.text, /^export function build/);
  },

  async 'folds calls that only looked, and keeps each of them findable'() {
    const { page, play } = await open('turn');
    const calls = page.locator('[data-tool-call-id^="read-"]');
    assert.equal(await calls.count(), 4);
    const run = page.getByRole('button', { name: 'Read 4 files date.ts' });
    await run.click();
    assert.equal(await page.locator('.fold-body [data-tool-call-id]').count(), 4);
    await page.getByRole('button', { name: 'Read tz.ts' }).press('Enter');
    await page.getByText('export const x = 1').waitFor();
    const patch = { toolCallId: 'read-tz.ts', status: 'failed' };
    await play({ type: 'update', at: 1, update: { kind: 'toolCallUpdate', patch } });
    await page.waitForTimeout(100);
    assert.equal(await calls.count(), 4);
  },

  async 'draws only what changed in a long conversation'() {
    const { page, play } = await open('long');
    const drawn = await page.locator('[data-entry]').count();
    assert.ok(drawn > 0 && drawn <= 250, `${drawn} entries drawn`);
    const before = await page.evaluate(() => performance.now());
    await play({ type: 'promptSubmitted', blocks: [{ type: 'text', text: 'last' }], at: 1 });
    await page.getByText('last', { exact: true }).waitFor();
    await page.locator('[data-parley="transcript"]').evaluate((log) => (log.scrollTop = 0));
    await page.waitForFunction(
      (count) => document.querySelectorAll('[data-entry]').length > count + 100,
      drawn,
    );
    console.log(`  long: ${Math.round((await page.evaluate(() => performance.now())) - before)} ms`);
  },
};

let failed = 0;
try {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      console.log(`✔ ${name}`);
    } catch (error) {
      failed++;
      console.log(`✘ ${name}\n${error.stack}`);
    }
    for (const page of browser.contexts().flatMap((context) => context.pages())) await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
process.exitCode = failed > 0 ? 1 : 0;
