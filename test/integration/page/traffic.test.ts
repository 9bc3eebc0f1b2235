import assert from 'node:assert/strict';
import { soon } from '../../support/pageHarness/describePage';
import { runAxe } from '../../support/pageHarness/axe';
import { TrafficHarness, type TrafficPageDriver } from '../../support/pageHarness/trafficPage';
import { findChromium } from '../../vscode/setup.mjs';

const chromium = findChromium();
const why = chromium ? '' : ' (skipped: there is no Chromium here; PARLEY_CHROMIUM can name one)';

(chromium ? describe : describe.skip)(`the traffic page${why}`, function () {
  this.timeout(60_000);
  let harness: TrafficHarness;
  let driver: TrafficPageDriver;
  const open: TrafficHarness['open'] = async (...how) => (driver = await harness.open(...how));
  before(async () => {
    harness = await TrafficHarness.start();
  });
  afterEach(async () => {
    await driver.page.close();
    assert.deepEqual(driver.problems, []);
  });
  after(() => harness.close());

  const drawn = (count: number): Promise<boolean> =>
    soon(`${count} rows`, async () => (await driver.rows()).length === count);
  const scrolled = (): Promise<number> =>
    driver.page.evaluate<number>(`document.querySelector('.traffic-list').scrollTop`);
  const list = () => driver.page.getByRole('listbox', { name: 'Messages' });

  it('shows what passed, with methods, times, printed lines, the end and the faults', async () => {
    await open('turn');
    await drawn(14);
    const rows = await driver.rows();
    assert.match(rows[1] ?? '', /^10:20:\d\d\.\d{3} initialize Gemini \d+ B$/);
    assert.match(rows[2] ?? '', /answer to initialize Gemini \d+ ms/);
    assert.match(rows.find((row) => row.includes('stderr')) ?? '', /a warning of the agent <b>not bold<\/b>/);
    assert.ok(rows.some((row) => row.includes('TR-5 Agent wrote a line on stdout that is no message')));
    assert.ok(rows.some((row) => row.includes('TC-6 Agent sent tool_call_update for the unknown id lost')));
    assert.match(rows.at(-2) ?? '', /error to session\/prompt -32603 Internal error Gemini sess-1/);
    assert.match(rows.at(-1) ?? '', /The agent ended: 3/);
    await driver.page.getByText('14 of 14').waitFor();
  });

  it('is filtered by text, direction, method and session', async () => {
    const { page } = await open('turn');
    await page.getByRole('searchbox', { name: 'Text' }).fill('TC-6');
    await drawn(1);
    await page.getByRole('searchbox', { name: 'Text' }).fill('');
    await page.getByRole('combobox', { name: 'Direction' }).selectOption('fault');
    await drawn(2);
    await page.getByRole('combobox', { name: 'Direction' }).selectOption('out');
    await page.getByRole('combobox', { name: 'Session' }).selectOption('sess-1');
    await drawn(1);
    await page.getByRole('combobox', { name: 'Method' }).selectOption('session/new');
    await page.getByText('Nothing matches the filter.').waitFor();
  });

  it('is read by keyboard alone: the message of the row is shown as plain text, and copied', async () => {
    const { page } = await open('turn');
    await list().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    const active = await list().getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    await page
      .getByRole('region', { name: /Details of message/ })
      .getByText('"protocolVersion": 1')
      .waitFor();
    await page.getByRole('button', { name: 'Copy message' }).click();
    assert.deepEqual((await driver.sent()).at(-1), { type: 'copy', seq: 2 });
    await list().focus();
    for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowDown');
    await page.getByText('Hello \\u{202E}<img src=x onerror=alert(1)>').waitFor();
    assert.equal(await page.locator('img').count(), 0);
    await page.getByRole('button', { name: 'Close details' }).click();
    assert.equal(await page.locator('.traffic-detail').count(), 0);
  });

  it('draws only what is in view of thousands of messages, and stays at the end or where it is read', async () => {
    const { page } = await open('many');
    await soon('the last one', async () => (await driver.rows()).length > 10);
    assert.ok((await driver.rows()).length < 100);
    const selected = page.locator('.traffic-row[aria-selected="true"]');
    await list().focus();
    await page.keyboard.press('End');
    assert.equal(await selected.getAttribute('aria-posinset'), await selected.getAttribute('aria-setsize'));
    await page.evaluate(`window.harness.more('the newest')`);
    await page
      .getByRole('combobox', { name: 'Agent' })
      .getByRole('option', { name: 'Copilot' })
      .waitFor({ state: 'attached' });
    await page.locator('.traffic-row', { hasText: 'Copilot' }).waitFor();
    await page.keyboard.press('Home');
    await soon('the first one', async () => (await scrolled()) === 0);
    assert.equal(await page.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed'), 'false');
    await page.evaluate(`window.harness.more('one more')`);
    await page.getByText('2000 of 2000').waitFor();
    assert.equal(await scrolled(), 0);
  });

  it('says that recording is off, and turns it on; pauses, clears and saves', async () => {
    const { page } = await open('off');
    await page.getByText('Recording is off').waitFor();
    await page.getByText('Nothing was recorded yet.').waitFor();
    await page.getByRole('button', { name: 'Turn on recording' }).click();
    await page.getByText('Recording is off').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Save bug report' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    const sent = (await driver.sent()).map(({ type }) => type);
    assert.deepEqual(sent, ['ready', 'enable', 'pause', 'save', 'clear']);
  });

  it('fits into 300 px with a message open', async () => {
    const { page } = await open('turn', { width: 300 });
    await list().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.getByText('"code": -32603').waitFor();
    assert.equal(await driver.scrollsSideways(), false);
  });

  for (const scene of ['turn', 'off', 'many'])
    it(`has nothing that axe finds in the scene ${scene}, in each theme`, async function () {
      this.timeout(180_000);
      const { page } = await open(scene);
      if (scene === 'turn') {
        await list().focus();
        await page.keyboard.press('End');
        await page.locator('.traffic-detail pre').waitFor();
      }
      for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light']) {
        await page.evaluate(`window.harness.setTheme('${theme}')`);
        const { violations, rules } = await runAxe(page);
        assert.ok(rules > 20, `axe tried ${rules} rules`);
        assert.deepEqual(violations, [], theme);
      }
    });
});
