import assert from 'node:assert/strict';
import { useChat } from './support/chatDriver';

describe('the agent loop in the chat', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({ files: { 'README.md': '# Shop\n' } }));

  it('shows the nudges of autopilot as what they are, and that they were in vain', async () => {
    const { frame } = chat();
    await frame.locator('[data-config-id="mode"]').click();
    await frame.getByRole('option', { name: 'Autopilot' }).click();
    await frame.locator('[data-config-id="mode"]', { hasText: 'Autopilot' }).waitFor();
    assert.equal(await chat().prompt('What is the meaning of life?'), 'end_turn');
    const nudge = chat().entries('synthetic');
    assert.equal(await nudge.count(), 1);
    assert.equal(await chat().entries('user').count(), 1);
    await nudge.getByRole('button').click();
    await nudge.locator('.plain', { hasText: 'task_complete' }).waitFor();
    const end = chat().entries('end');
    await end.getByText('did not mark the task as complete, after 1 reminder.').waitFor();
    await end.getByText('2 model calls').waitFor();
    await chat().composer.click();
    await chat().page.keyboard.press('ArrowUp');
    assert.equal(await chat().composer.inputValue(), 'What is the meaning of life?');
  });

  it('shows each model call of a turn with its tools and times', async () => {
    await chat().send('/tour');
    const end = chat().entries('end');
    const allow = chat().frame.locator('[data-option-id="allow_once"]').first();
    while ((await end.count()) === 0) {
      await Promise.race([end.first().waitFor(), allow.waitFor()]);
      if ((await end.count()) === 0) await chat().choose('allow_once');
    }
    await end.getByRole('button', { name: /model calls: timeline/ }).click();
    const calls = end.locator('[data-timeline-call]');
    const count = /(\d+) model calls/.exec(await end.innerText())?.[1];
    assert.ok(Number(count) > 2);
    assert.equal(await calls.count(), Number(count));
    const tools = await chat().frame.locator('[data-tool-call-id]').count();
    assert.ok(tools > 0);
    for (const text of await calls.allInnerTexts()) assert.match(text, /Model call \d+\s+[\d.:]+/);
    await calls.locator('[data-timeline-tool]').first().waitFor();
    await chat().reload();
    await chat().waitConnection('ready');
    await chat()
      .entries('end')
      .getByRole('button', { name: /model calls: timeline/ })
      .waitFor();
  });
});
