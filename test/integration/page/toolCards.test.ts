import assert from 'node:assert/strict';
import { describePage, soon } from '../../support/pageHarness/describePage';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { part, text, tool } from '../../support/pageHarness/sceneParts';

describePage('cards of tools in the chat page', ({ open, expectIntents }) => {
  const card = (chat: ChatPage, id: string) =>
    chat.page.locator(`[data-entry="tool"][data-tool-call-id="${id}"]`).first();
  const press = (chat: ChatPage, id: string, name: string | RegExp) =>
    card(chat, id).getByRole('button', { name, exact: true }).first().click();

  it('TC-2 TC-3 show an icon for their kind and each of the eight statuses by name', async () => {
    const chat = await open('cards');
    await card(chat, 'asked').waitFor();
    for (const [id, status, label, icon] of [
      ['later', 'pending', 'Pending', 'terminal'],
      ['asked', 'waiting', 'Waiting for you', 'terminal'],
      ['running', 'in_progress', 'In progress', 'tools'],
      ['delete', 'completed', 'Completed', 'trash'],
      ['failed', 'failed', 'Failed', 'file'],
      ['no', 'rejected', 'Rejected', 'terminal'],
      ['stopped', 'cancelled', 'Cancelled', 'terminal'],
      ['lost', 'interrupted', 'Interrupted', 'terminal'],
    ] as const) {
      const entry = card(chat, id);
      assert.equal(await entry.getAttribute('data-status'), status);
      assert.equal(await entry.locator('.tool-head .status').getAttribute('aria-label'), label);
      assert.equal(await entry.locator(`.tool-head .codicon-${icon}`).count(), 1, id);
    }
  });

  it('tell how long a call took or has been running, not how long the person took', async () => {
    const chat = await open('cards');
    await card(chat, 'edit').locator('.time').getByText('3.4 s').waitFor();
    await card(chat, 'shot').locator('.time').getByText('1:12').waitFor();
    assert.match(await card(chat, 'running').locator('.time').innerText(), /^\d+ s$/);
    for (const id of ['delete', 'no', 'later', 'asked'])
      assert.equal(await card(chat, id).locator('.time').count(), 0, id);
  });

  it('DI-2 show hunks with three lines around, and open the diff', async () => {
    const chat = await open('cards');
    const edit = card(chat, 'edit');
    assert.equal(await edit.locator('.hunk').count(), 2);
    assert.deepEqual(
      (await edit.locator('.hunk').last().locator('.number').allInnerTexts()).map(Number),
      [28, 29, 30, 30, 31, 32, 33],
    );
    await edit.locator('.tool-head').getByText('+2').waitFor();
    await edit.locator('.tool-head').getByText('−2').waitFor();
    await press(chat, 'edit', 'Open diff');
    await expectIntents({ type: 'openDiff', ref: '/home/ada/shop/src/date.ts' });
  });

  it('DI-2 show the beginning of a long diff, and all of it that is here on demand', async () => {
    const chat = await open('cards');
    const create = card(chat, 'create');
    const shown = create.locator('.diff-line');
    await create.getByText('new file').waitFor();
    assert.equal(await shown.count(), 20);
    assert.equal(await create.getByText('The rest is in the full diff.').count(), 0);
    await press(chat, 'create', 'Show all 200 lines');
    await soon('200 lines', async () => (await shown.count()) === 200);
    await create.getByText('The rest is in the full diff.').waitFor();
    await press(chat, 'create', 'Show fewer lines');
    await soon('20 lines', async () => (await shown.count()) === 20);
    assert.equal(await card(chat, 'edit').getByRole('button', { name: 'Show all' }).count(), 0);
  });

  it('show a match of the find bar in the part of a diff that was left out', async () => {
    const chat = await open('cards');
    await card(chat, 'create').waitFor();
    await chat.transcript.focus();
    await chat.page.keyboard.press('Control+f');
    await chat.page.keyboard.insertText('day150 =');
    await card(chat, 'create').locator('.diff-line', { hasText: 'day150 =' }).waitFor();
  });

  it('TC-7 keep the order of the agent, with small things side by side', async () => {
    const chat = await open('cards');
    const create = await card(chat, 'create').locator('.tool-body').innerText();
    const places = ['First the data', 'src/data.ts', 'src/same.ts', 'No changes', 'Both are there.'];
    const order = places.map((text) => create.indexOf(text));
    assert.ok(!order.includes(-1), create);
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
    const shot = card(chat, 'shot').locator('.tool-body > .chips');
    assert.equal(await shot.count(), 1);
    assert.deepEqual(await shot.locator('.chip').allInnerTexts(), [
      'Image (image/svg+xml)',
      'summary.json',
      'log.txt',
      'movie',
      'Run 7',
      'Audio (audio/wav)',
      'Content of a kind that Parley can’t show (hologram)',
    ]);
  });

  it('TC-8 open images, texts that came along, files, links and places', async () => {
    const chat = await open('cards');
    const shot = card(chat, 'shot');
    const image = await shot.locator('img').getAttribute('src');
    await shot.locator('.picture-button').click();
    await press(chat, 'shot', 'summary.json');
    await press(chat, 'shot', 'log.txt');
    await press(chat, 'shot', 'Run 7');
    await press(chat, 'move', 'Open b.ts:12');
    await expectIntents(
      { type: 'openImage', data: image?.split(',')[1] ?? '' },
      { type: 'openText', text: '{"ok":true}', language: 'json' },
      { type: 'openFile', path: '/home/ada/shop/log.txt' },
      { type: 'openLink', href: 'https://example.com/run/7' },
      { type: 'openFile', path: '/home/ada/shop/src/b.ts', line: 12 },
    );
    assert.equal(await shot.getByRole('button', { name: 'movie' }).count(), 0, 'there is nothing to open');
  });

  it('fold large successes and runs of reads, and leave failures open', async () => {
    const chat = await open('cards');
    await card(chat, 'big').waitFor();
    const isOpen = (id: string) => card(chat, id).locator('.tool-body').count();
    assert.deepEqual(
      await Promise.all(['big', 'fetch', 'failed', 'edit', 'move'].map(isOpen)),
      [0, 0, 1, 1, 1],
    );
    await card(chat, 'failed').getByText('ENOENT: no such file or directory').waitFor();
    const run = chat.page.getByRole('button', { name: 'Read 3 files date.ts, tz.ts, index.ts' });
    await run.click();
    await soon('three lines', async () => (await chat.page.locator('.run .tool.quiet').count()) === 3);
    await press(chat, 'big', /Query the database/);
    await card(chat, 'big').getByText('row 119').waitFor({ state: 'attached' });
  });

  it('show a command whose title says something else, what it printed as a terminal would, and how it ended', async () => {
    const chat = await open('ready');
    const printed = (value: string): Promise<void> =>
      chat.play(tool('run', { status: 'in_progress', content: [part(text(value))] }, 2));
    const call = { title: 'Run the tests', toolKind: 'execute', command: 'npm test' };
    await chat.play({ type: 'promptSubmitted', blocks: [text('go')], at: 1 }, tool('run', call, 1));
    const run = card(chat, 'run');
    await run.locator('.term-command').getByText('$ npm test').waitFor();
    await printed('\u001b[32mone\u001b[0m\n10 %\r20 %');
    await run.getByText('20 %').waitFor();
    assert.equal(await run.locator('pre.raw').innerText(), 'one\n20 %');
    await printed('\u001b[32mone\u001b[0m\n100 %\n<shell 3 completed with exit code 2>');
    await run.locator('.foot .bad').getByText('Exit code 2').waitFor();
    assert.equal((await run.locator('pre.raw').innerText()).trim(), 'one\n100 %');
    await chat.page.keyboard.press('Control+f');
    await chat.page.keyboard.insertText('npm test');
    await chat.page.getByText('1 of 1').waitFor();
    await chat.play(tool('said', { ...call, title: 'npm test -- all' }, 3));
    await card(chat, 'said').waitFor();
    assert.equal(await card(chat, 'said').locator('.term-command').count(), 0);
  });

  it('show the end of what a command printed, and all of it on demand or for a match of the find bar', async () => {
    const chat = await open('cards');
    const printed = card(chat, 'print').locator('pre.raw');
    assert.match(await printed.innerText(), /^printed 28\n[^]*printed 39\s*$/);
    await press(chat, 'print', 'Show all 40 lines');
    await printed.getByText('printed 27').waitFor();
    await press(chat, 'print', 'Show fewer lines');
    await printed.getByText('printed 27').waitFor({ state: 'detached' });
    await chat.transcript.focus();
    await chat.page.keyboard.press('Control+f');
    await chat.page.keyboard.insertText('printed 12');
    await printed.getByText('printed 12').waitFor();
  });

  it('TC-9 show what went in and out on demand', async () => {
    const chat = await open('cards');
    const edit = card(chat, 'edit');
    assert.equal(await edit.locator('.details pre').count(), 0);
    await press(chat, 'edit', 'Details');
    assert.deepEqual(await edit.locator('.details pre').allInnerTexts(), [
      '{"path":"src/date.ts","old":"line 4","new":"line four"}',
      '"ok"',
    ]);
  });

  it('PL-2 have the plan pinned below them with its progress', async () => {
    const { page } = await open('cards');
    const plan = page.locator('.dock [data-parley="plan"]');
    await plan.getByText('1 of 3').waitFor();
    const bar = plan.getByRole('progressbar');
    assert.deepEqual(
      [await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuemax')],
      ['1', '3'],
    );
  });
});
