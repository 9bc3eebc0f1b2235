import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../vscode/until';
import { answered, end, expectCall, Replay, request } from '../support/replayScript';
import { useChat } from './support/chatDriver';
import { moveToRow, permissionPick } from './support/workbench';

describe('rules for permissions', function () {
  this.timeout(120_000);
  let direct: Replay;
  const chat = useChat(() => {
    direct = new Replay(
      expectCall('session/prompt', 'p'),
      request('t', 'terminal/create', { sessionId: '$SESSION', command: 'touch refused.txt' }),
      answered('t', { 'error.code': -32603 }),
      end('p'),
    );
    const { command, args } = direct.plan;
    return {
      agents: { Direct: { command, args } },
      settings: {
        'parley.defaultAgent': 'Built-in',
        'parley.permission.rules': [
          { effect: 'allow', command: 'echo done' },
          { effect: 'deny', command: 'touch' },
        ],
      },
    };
  });
  const settings = (): string => join(chat().folder, '.vscode', 'settings.json');
  const row = (name: string): Locator =>
    chat()
      .page.locator('.quick-input-widget:visible .monaco-list-row')
      .filter({ has: chat().page.locator('.label-name').getByText(name, { exact: true }) });

  it('PE-4 allow a command without a question, but nothing that is added to it, and deny what an agent does unasked', async () => {
    const pick = permissionPick(chat());
    assert.equal(await chat().prompt('run echo done'), 'end_turn');
    await chat().frame.getByText('Allowed by your rule: echo done').waitFor();

    writeFileSync(join(chat().folder, 'x'), 'kept');
    await chat().send('run echo done && rm -rf x');
    await pick.waitFor();
    assert.match(await pick.locator('.quick-input-title').innerText(), /^echo done && rm -rf x — /);
    await chat().choose('reject_once');
    await chat().nextEnd(1);
    assert.ok(existsSync(join(chat().folder, 'x')));

    await chat().prompt('run touch new.txt');
    await chat().frame.getByText('Rejected by your rule: touch').waitFor();
    assert.ok(!existsSync(join(chat().folder, 'new.txt')));

    await chat().window.runCommand('Parley: Select Agent');
    await row('Direct').click();
    await chat().frame.locator('[data-entry]').first().waitFor({ state: 'detached' });
    await chat().waitConnection('ready');
    assert.equal(await chat().prompt('go'), 'end_turn');
    await chat().waitText('Refused by your rule (touch): touch refused.txt');
    assert.ok(!existsSync(join(chat().folder, 'refused.txt')));
    assert.deepEqual(direct.failures, []);
  });

  it('PE-4 are made from the question, after the rule and its scope were shown', async () => {
    const { page } = chat();
    const pick = permissionPick(chat());
    await chat().send('run npm --version');
    await pick.waitFor();
    await pick.getByRole('button', { name: 'Always…' }).click();
    const scopes = page.locator('.quick-input-widget:visible', {
      has: page.locator('input[placeholder="Keep this rule for"]'),
    });
    await scopes.waitFor();
    assert.deepEqual(await scopes.locator('.quick-input-list-row:first-child .label-name').allInnerTexts(), [
      '= npm --version',
      'This session',
      'This workspace',
      'All workspaces',
    ]);
    for (let i = 0; i < 5; i++) await page.keyboard.press('Enter', { delay: 80 });
    assert.ok(await scopes.isVisible());
    assert.ok(!existsSync(settings()));
    await moveToRow(chat(), row('This workspace'));
    await until('the choice to count', async () => {
      await page.keyboard.press('Enter');
      return (await scopes.isVisible()) ? undefined : true;
    });
    assert.equal(await chat().nextEnd(0), 'end_turn');
    const saved = JSON.parse(readFileSync(settings(), 'utf8')) as Record<string, unknown>;
    assert.deepEqual(saved['parley.permission.rules'], [
      { effect: 'allow', command: 'npm --version', exact: true },
    ]);

    assert.equal(await chat().prompt('run npm --version'), 'end_turn');
    await chat().frame.getByText('Allowed by your rule: = npm --version').waitFor();

    await chat().window.runCommand('Parley: Permission Rules');
    await page.locator('.tab.active', { hasText: 'Permission Rules' }).waitFor();
  });
});

describe('a folder outside of the session', function () {
  this.timeout(120_000);
  let outside: string;
  let run: Replay;
  const chat = useChat(() => {
    outside = realpathSync(mkdtempSync(join(tmpdir(), 'parley-outside-')));
    writeFileSync(join(outside, 'a.txt'), 'outside\n');
    const read = (id: string) =>
      request(id, 'fs/read_text_file', { sessionId: '$SESSION', path: join(outside, 'a.txt') });
    run = new Replay(
      expectCall('session/prompt', 'p'),
      read('a'),
      answered('a', { 'error.code': -32002 }),
      end('p'),
      expectCall('session/prompt', 'q'),
      read('b'),
      answered('b', { 'result.content': 'outside\n' }),
      end('q'),
    );
    const { command, args } = run.plan;
    return { agents: { Replay: { command, args } } };
  });
  afterEach(() => rmSync(outside, { recursive: true, force: true }));

  it('FS-11 is refused with one line, and served after the person allowed it for the session', async () => {
    await chat().prompt('go');
    const allow = chat().button('Allow this folder for this session');
    await until('the folder to be allowed', async () => {
      if ((await allow.count()) === 0) return true;
      await allow.click({ timeout: 1_000 }).catch(() => undefined);
      return undefined;
    });
    await chat().waitText('Allowed for this session');
    await chat().prompt('again');
    assert.deepEqual(run.failures, []);
  });
});

describe('rules in a workspace that is not trusted', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    files: {
      '.vscode/settings.json': JSON.stringify({
        'parley.permission.rules': [{ effect: 'allow', command: 'echo' }],
      }),
    },
    settings: {
      'parley.permission.rules': [{ effect: 'allow', command: 'echo mine' }, { effect: 'maybe' }],
    },
    workspaceTrust: true,
  }));

  it('PE-4 CC-8 are those of the person alone; what is no rule is told', async () => {
    const { page } = chat();
    const toast = page.locator('.notification-toast', { hasText: 'Some permission rules' });
    await toast.getByRole('button', { name: 'Open Rules' }).click();
    await page.locator('.tab.active', { hasText: 'Permission Rules' }).waitFor();
    await chat().send('run echo theirs');
    await permissionPick(chat()).waitFor();
    await chat().choose('reject_once');
    await chat().nextEnd(0);
    assert.equal(await chat().prompt('run echo mine'), 'end_turn');
    await chat().frame.getByText('Allowed by your rule: echo mine').waitFor();
  });
});
