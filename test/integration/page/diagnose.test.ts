import assert from 'node:assert/strict';
import { runAxe } from '../../support/pageHarness/axe';
import { THEMES } from '../../support/pageHarness/chatPage';
import { soon } from '../../support/pageHarness/describePage';
import { DiagnoseHarness, type DiagnosePageDriver } from '../../support/pageHarness/diagnosePage';
import { findChromium } from '../../vscode/setup.mjs';

const chromium = findChromium();
const why = chromium ? '' : ' (skipped: there is no Chromium here; PARLEY_CHROMIUM can name one)';

(chromium ? describe : describe.skip)(`the diagnostics page${why}`, function () {
  this.timeout(60_000);
  let harness: DiagnoseHarness;
  let driver: DiagnosePageDriver;
  const open: DiagnoseHarness['open'] = async (...how) => (driver = await harness.open(...how));
  before(async () => {
    harness = await DiagnoseHarness.start();
  });
  afterEach(async () => {
    await driver.page.close();
    assert.deepEqual(driver.problems, []);
  });
  after(() => harness.close());

  const verdict = (): Promise<string> => driver.page.locator('.verdict').innerText();

  it('shows how an agent runs: command, environment, times, capabilities both ways', async () => {
    await open('running');
    assert.match(await verdict(), /The agent runs\. It answered after 1204 ms\./);
    assert.match(await driver.section('launch'), /File ~\/\.nvm\/versions\/node\/v22\.1\.0\/bin\/gemini/);
    assert.match(await driver.section('launch'), /GEMINI_API_KEY NO_COLOR/);
    assert.match(await driver.section('environment'), /the login shell \/bin\/zsh, which took 412 ms/);
    assert.match(await driver.section('process'), /Process id 4711 .*14 ms .*1204 ms .*388 ms/);
    assert.match(await driver.section('agent'), /Use a key \(key, terminal\) MCP servers given files issues/);
    const row = (name: string) => driver.page.locator('tr', { hasText: name }).innerText();
    assert.match(
      await row('promptCapabilities.image'),
      /Images in prompts\s+promptCapabilities\.image\s+yes/,
    );
    assert.match(await row('promptCapabilities.audio'), /no$/);
    assert.match(await row('sessionCapabilities.fork'), /Something else/);
    assert.match(await row('_meta.terminal_output'), /yes$/);
    const folder = driver.page.getByText('/usr/local/bin', { exact: true });
    assert.ok(!(await folder.isVisible()));
    await driver.page.getByText('5 folders').click();
    await folder.waitFor();
  });

  it('says first what is wrong; text of an agent is only text', async () => {
    await open('failed');
    assert.match(await verdict(), /the command "gemini" was not found/);
    assert.match(await driver.section('launch'), /File Not found/);
    assert.match(await driver.section('environment'), /Comes from the editor Why .*did not answer/);
    assert.match(await driver.section('printed'), /sh: gemini: command not found/);
    assert.match(await driver.section('editor'), /Workspace trusted no .*pipes Why .*pty\.node/);
    assert.equal(await driver.page.locator('h1').innerText(), 'Diagnostics: Gem\\u{202E}ini <b>*x*</b>');
    assert.equal(await driver.page.locator('main b').count(), 0);
  });

  it('is worked by keyboard, says what came of it, and keeps the focus when the report changes', async () => {
    const { page } = await open('notStarted');
    for (const _ of ['copy', 'refresh']) await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Copied.').waitFor();
    await page.getByRole('button', { name: 'Start agent' }).focus();
    await page.keyboard.press('Space');
    await soon('a start', async () => (await driver.pressed()).at(-1) === 'restart');
    await driver.show('running');
    await page.getByRole('button', { name: 'Restart agent' }).waitFor();
    assert.equal(await page.locator(':focus').innerText(), ' Restart agent');
    await driver.refuseNext('There is no log.');
    await page.getByRole('button', { name: 'Show log' }).click();
    await page.getByRole('status').getByText('There is no log.').waitFor();
    assert.deepEqual(await driver.pressed(), ['copy', 'restart', 'showLog']);
  });

  it('fits into 300 px, in English and Chinese', async () => {
    for (const [scene, lang] of [
      ['running', 'en'],
      ['running', 'zh-cn'],
      ['failed', 'en'],
      ['failed', 'zh-cn'],
    ] as const) {
      const { page } = await open(scene, { width: 300, lang });
      assert.equal(await driver.scrollsSideways(), false, `${scene} in ${lang}`);
      await page.close();
    }
  });

  for (const scene of ['running', 'failed', 'notStarted'])
    it(`has nothing that axe finds in the scene ${scene}, in each theme`, async function () {
      this.timeout(180_000);
      const { page } = await open(scene);
      for (const theme of THEMES) {
        await page.evaluate(`window.harness.setTheme('${theme}')`);
        const { violations, undecided } = await runAxe(page);
        assert.deepEqual([...violations, ...undecided], [], theme);
      }
    });
});
