import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { asList, asObject, asString } from '../../src/core/json';
import { until } from '../vscode/until';
import type { AgentChat } from './agentChat';

const values = (found: Locator, key: string): Promise<string[]> =>
  found.evaluateAll(
    (items, name) =>
      items.map((item) => (item as unknown as { dataset: Record<string, string> }).dataset[name] ?? ''),
    key,
  );

/** Values of one option that are tried until the agent takes one. */
const tries = 3;

/** Changes each of the session's options, and back. */
export async function choosesOptions(it: AgentChat): Promise<void> {
  const controls = it.chat.frame.locator('[data-parley="config"] [data-config-id]');
  await controls.first().waitFor();
  for (const id of await values(controls, 'configId')) {
    const control = it.picker(id);
    if ((await control.count()) === 0) continue; // another choice took it away
    if ((await control.getAttribute('role')) === 'switch') await flips(control, id);
    else await changes(it, id);
  }
}

async function flips(control: Locator, id: string): Promise<void> {
  for (let count = 0; count < 2; count++) {
    const before = await control.getAttribute('aria-checked');
    await control.click();
    await until(
      `the switch ${id} to change`,
      async () => (await control.getAttribute('aria-checked')) !== before || undefined,
    );
  }
}

async function changes(it: AgentChat, id: string): Promise<void> {
  const control = it.picker(id);
  const before = (await control.getAttribute('data-config-value')) ?? '';
  await control.click();
  const rows = it.chat.frame.locator('[role="option"][data-value]');
  await rows.first().waitFor();
  const others = (await values(rows, 'value')).filter((value) => value !== before).slice(0, tries);
  await it.chat.page.keyboard.press('Escape');
  if (others.length === 0) return;
  await until(`a value of ${id} to be taken`, async () => {
    const value = others.shift();
    assert.ok(value !== undefined, `no other value of ${id} was taken`);
    return it.choose(id, value).then(
      () => true,
      () => undefined,
    );
  });
  if ((await control.count()) > 0) await it.choose(id, before);
}

const harmless = /^(help|about|status|stats|context|usage|cost|session|version|doctor)$/;

/** Shows all commands that the agent offered, and runs a harmless one; false where there are none. */
export async function offersCommands(it: AgentChat): Promise<boolean> {
  const { chat } = it;
  const latest = (): string[] =>
    asList(it.updates('available_commands_update').at(-1)?.['availableCommands']).map(
      (command) => asString(asObject(command)['name']) ?? '',
    );
  const any = await until('the commands', () => (latest().length > 0 ? true : undefined), 15_000).catch(
    () => false,
  );
  if (!any) return false;
  await chat.composer.click();
  await chat.page.keyboard.type('/');
  const rows = chat.frame.locator('.popup [role="option"][data-value]');
  await until('all commands to be shown', async () => {
    const shown = new Set(await values(rows, 'value'));
    return latest().every((name) => shown.has(name)) || undefined;
  });
  await chat.page.keyboard.press('Escape');
  await chat.composer.fill('');
  const pick = latest().find((name) => harmless.test(name));
  if (pick !== undefined) {
    const { stop } = await it.turn(`/${pick}`);
    assert.match(stop, /^(end_turn|cancelled)$/, `the command /${pick}`);
  }
  await it.worksOn();
  return true;
}

/** Sends a pasted image. */
export async function takesImages(it: AgentChat): Promise<void> {
  const { chat } = it;
  await chat.frame.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(64, 32);
    canvas.getContext('2d').fillRect(0, 0, 32, 32);
    const blob = await canvas.convertToBlob({ type: 'image/png' });
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([blob], 'shot.png', { type: 'image/png' }));
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('[data-parley="composer"]').dispatchEvent(event);
  })()`);
  await chat.frame.locator('[data-parley="attachments"]').getByText('shot.png').waitFor();
  assert.equal((await it.turn('Look at it. [[text:IMAGE-SEEN]]')).stop, 'end_turn');
  await chat.waitSaid(/IMAGE-SEEN/);
  const prompts = it.messages('client').filter(({ method }) => method === 'session/prompt');
  const blocks = asList(asObject(prompts.at(-1)?.['params'])['prompt']).map(
    (block) => asObject(block)['type'],
  );
  assert.ok(blocks.includes('image'), `the image was sent: ${blocks.join(', ')}`);
  await it.worksOn();
}
