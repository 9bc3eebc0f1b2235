import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { soon } from '../../support/pageHarness/describePage';
import { RulesHarness, type RulesPageDriver } from '../../support/pageHarness/rulesPage';
import { findChromium } from '../../vscode/setup.mjs';

const chromium = findChromium();
const why = chromium ? '' : ' (skipped: there is no Chromium here; PARLEY_CHROMIUM can name one)';

(chromium ? describe : describe.skip)(`the rules page${why}`, function () {
  this.timeout(60_000);
  let harness: RulesHarness;
  let driver: RulesPageDriver;
  const open: RulesHarness['open'] = async (...how) => (driver = await harness.open(...how));
  before(async () => {
    harness = await RulesHarness.start();
  });
  afterEach(async () => {
    await driver.page.close();
    assert.deepEqual(driver.problems, []);
  });
  after(() => harness.close());

  const scope = (name: string): Locator => driver.page.locator(`[data-scope="${name}"]`);
  const row = (name: string, index: number): Locator => scope(name).locator(`[data-rule="${index}"]`);
  const saves = (count: number): Promise<boolean> =>
    soon(`${count} changes`, async () => (await driver.saved()).length === count);
  const focused = (selector: string): Promise<void> =>
    driver.page.locator(`${selector}:focus`).waitFor({ state: 'attached' });
  const verdict = (): Locator => driver.page.locator('.outcome');

  it('PE-4 adds a rule by keyboard alone and puts the focus on it', async () => {
    const { page } = await open('rules');
    await scope('user').getByRole('button', { name: 'Add rule' }).focus();
    await page.keyboard.press('Enter');
    await focused('#rule-effect');
    for (let i = 0; i < 3; i++) await page.keyboard.press('Tab');
    await focused('#rule-command');
    await page.keyboard.type('git status');
    await page.keyboard.press('Enter');
    await saves(1);
    const before = [
      { effect: 'deny', path: '~/.ssh/**' },
      { effect: 'allow', command: 'ls', always: true },
    ];
    assert.deepEqual(await driver.saved(), [
      { scope: 'user', before, rules: [...before, { effect: 'allow', command: 'git status' }] },
    ]);
    await row('user', 2).getByText('git status').waitFor();
    await focused('[data-focus="user 2"]');
    assert.equal(await page.locator('.rule-form').count(), 0);
  });

  it('PE-4 changes a rule in place; Escape leaves it as it was', async () => {
    const { page } = await open('rules');
    await row('workspace', 0).getByRole('button', { name: 'Edit: npm test' }).click();
    await page.getByLabel('Path', { exact: true }).first().fill('x');
    await page.keyboard.press('Escape');
    await focused('[data-focus="workspace 0"]');
    assert.deepEqual(await driver.saved(), []);
    await page.keyboard.press('Enter');
    await page.locator('#rule-effect').selectOption('deny');
    await page.locator('#rule-command').fill('npm publish');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await saves(1);
    assert.deepEqual((await driver.saved())[0]?.rules[0], { effect: 'deny', command: 'npm publish' });
    assert.equal((await driver.saved())[0]?.rules.length, 2);
  });

  it('PE-4 makes a rule for a command alone', async () => {
    const { page } = await open('rules');
    await row('workspace', 0).getByRole('button', { name: 'Edit: npm test' }).click();
    await page.getByLabel('Only this command as it is').check();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await saves(1);
    assert.deepEqual((await driver.saved())[0]?.rules[0], {
      effect: 'allow',
      command: 'npm test',
      exact: true,
    });
  });

  it('PE-4 deletes a rule, and takes that back', async () => {
    await open('rules');
    await row('user', 0).getByRole('button', { name: 'Delete: ~/.ssh/**' }).click();
    await saves(1);
    assert.deepEqual((await driver.saved())[0]?.rules, [{ effect: 'allow', command: 'ls', always: true }]);
    await focused('[data-focus="undo"]');
    await driver.page.keyboard.press('Enter');
    await saves(2);
    assert.deepEqual((await driver.saved())[1]?.rules, (await driver.saved())[0]?.before);
    await focused('[data-focus="user 0"]');
  });

  it('PE-4 does not save what is no rule, and says why at the field', async () => {
    const { page } = await open('rules');
    await scope('session').getByRole('button', { name: 'Add rule' }).click();
    const save = page.getByRole('button', { name: 'Save rule' });
    await save.click();
    await page.getByText('This would allow any command.').waitFor();
    await focused('#rule-broad');
    await page.locator('#rule-command').fill('npm test && rm x');
    await save.click();
    await page.getByText('one plain command').waitFor();
    await focused('#rule-command');
    await page.locator('#rule-command').fill('');
    await page.locator('#rule-path').fill('../x');
    await save.click();
    await focused('#rule-path');
    assert.deepEqual(await driver.saved(), []);
    await page.locator('#rule-path').fill('');
    await page.getByLabel('Yes, allow any command').check();
    await save.click();
    await saves(1);
    assert.deepEqual((await driver.saved())[0]?.rules[1], { effect: 'allow' });
  });

  it('says why a change was not saved, and keeps what was written', async () => {
    const { page } = await open('rules');
    await scope('user').getByRole('button', { name: 'Add rule' }).click();
    await page.locator('#rule-command').fill('git log');
    await driver.refuseNext('The settings cannot be written.');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The settings cannot be written.').waitFor();
    assert.equal(await page.locator('#rule-command').inputValue(), 'git log');
  });

  it('PE-4 tries a command at once: npm test is allowed, npm test && rm -rf x is asked', async () => {
    const { page } = await open('rules');
    await page.locator('#try-command').fill('npm test');
    await verdict().getByText('Allowed').waitFor();
    await verdict().getByText('By npm test (This workspace)').waitFor();
    await page.locator('#try-command').fill('npm test && rm -rf x');
    await verdict().getByText('You are asked').waitFor();
    const parts = page.locator('.parts li');
    assert.deepEqual(await parts.locator('code').allTextContents(), ['npm test', 'rm -rf x']);
    assert.equal(
      await page.locator('.parts li[data-allowed="true"]').textContent(),
      'npm testnpm test (This workspace)',
    );
    assert.equal(
      await page.locator('.parts li[data-allowed="false"]').textContent(),
      'rm -rf xno rule allows it',
    );
    await page.locator('#try-command').fill('npm test > out');
    await page
      .getByText('not understood for certain')
      .or(page.getByText('Not all of this command'))
      .waitFor();
    await verdict().getByText('You are asked').waitFor();
  });

  it('PE-4 tries paths, tools and agents', async () => {
    const { page } = await open('rules');
    await page.locator('#try-kind').selectOption('edit');
    await page.locator('#try-path').fill('src/a.ts');
    await verdict().getByText('Allowed').waitFor();
    await page.locator('#try-path').fill('~/.ssh/id');
    await verdict().getByText('Denied').waitFor();
    await page.locator('#try-path').fill('');
    await page.locator('#try-kind').selectOption('fetch');
    await page.locator('#try-tool').fill('mcp__github__list');
    await verdict().getByText('No rule decides this.').waitFor();
    await page.locator('#try-agent').selectOption('Gemini');
    await verdict().getByText('mcp__github__*').waitFor();
  });

  it('PE-4 says that the rules of a workspace without trust are ignored, and ignores them', async () => {
    const { page } = await open('untrusted');
    await scope('workspace').getByText('its rules are ignored').waitFor();
    await page.locator('#try-command').fill('npm test');
    await verdict().getByText('You are asked').waitFor();
  });

  it('PE-4 shows what rules decided, newest first, as plain text', async () => {
    const { page } = await open('rules');
    const rows = page.locator('[data-parley="audit"] tbody tr');
    assert.equal(await rows.count(), 2);
    assert.match(
      (await rows.nth(0).textContent()) ?? '',
      /10:20:30.*Copilot.*npm test.*Allow.*npm test.*This workspace/,
    );
    assert.match(
      (await rows.nth(1).textContent()) ?? '',
      /Gemini.*id_\\u\{202E\}ed25519 <b>and.*Deny.*All workspaces/,
    );
  });

  it('tells what the settings have and is no rule', async () => {
    await open('rules');
    await scope('user').getByText('Entry 3').waitFor();
    await scope('user').getByText('"comand"').waitFor();
    await scope('user').getByText('Entry 4').waitFor();
  });

  it('has no rules to add to a session where there is none', async () => {
    await open('empty');
    assert.ok(await scope('session').getByRole('button', { name: 'Add rule' }).isDisabled());
    await driver.page.getByText('No rule has decided anything yet.').waitFor();
  });

  it('fits into 300 px with a form open', async () => {
    const { page } = await open('rules', { width: 300 });
    await page.locator('#try-command').fill(`npm test && ${'x'.repeat(200)}`);
    await row('workspace', 1).getByRole('button', { name: /^Edit/ }).click();
    await page.locator('.rule-form').waitFor();
    assert.equal(await driver.scrollsSideways(), false);
  });
});
