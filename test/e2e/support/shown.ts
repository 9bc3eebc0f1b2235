import assert from 'node:assert/strict';
import type { ChatDriver } from './chatDriver';

/** Looks at the screen once; throws if it is not as it must be. */
export type Look = (chat: ChatDriver) => Promise<void>;

/** An entry of the conversation, as a person sees it. */
export interface Shown {
  /** Value of `data-entry`. */
  kind: string;
  text: string;
}

/** ms for which a part that was there a moment ago is waited for. */
const soon = { timeout: 1_000 };

/** The conversation from top to bottom. */
export async function shownIn(chat: ChatDriver): Promise<Shown[]> {
  const entries = await chat.entries().all();
  return Promise.all(
    entries.map(async (entry) => ({
      kind: (await entry.getAttribute('data-entry', soon)) ?? '',
      text: (await entry.innerText(soon)).trim(),
    })),
  );
}

/** Texts of the entries of one kind. */
export async function textsOf(chat: ChatDriver, kind: string): Promise<string[]> {
  return (await chat.entries(kind).allInnerTexts()).map((text) => text.trim());
}

/** All that the conversation says. */
export function textOf(chat: ChatDriver): Promise<string> {
  return chat.frame.locator('[data-parley="transcript"]').innerText(soon);
}

/** Asserts what the agent has said, but for space around it. */
export const says =
  (text: string): Look =>
  async (chat) =>
    assert.equal((await chat.said()).trim(), text);

/** Asserts that a part of the page is there as often as told. */
export async function expectCount(chat: ChatDriver, selector: string, count: number): Promise<void> {
  assert.equal(await chat.frame.locator(selector).count(), count, selector);
}

/** Asserts that there is one card of that id with that status, and that it says all the texts. */
export async function expectCard(
  chat: ChatDriver,
  id: string,
  status: RegExp,
  ...texts: string[]
): Promise<void> {
  const card = chat.card(id);
  assert.equal(await card.count(), 1, `cards of ${id}`);
  assert.match((await card.getAttribute('data-status', soon)) ?? '', status);
  const said = await card.innerText(soon);
  for (const text of texts) assert.ok(said.includes(text), `${id} says "${text}": ${said}`);
}

/** Asserts that the chat waits for the person, with no trace of an error. */
export const isCalm: Look = async (chat) => {
  await expectCount(chat, '[data-parley="panel"][data-turn="idle"][data-connection="ready"]', 1);
  await expectCount(chat, '[data-entry="error"]', 0);
  await chat.expectNoBanner();
  assert.equal(await chat.page.locator('.notification-toast').count(), 0, 'no message of the editor');
};

/** Asserts that nothing on the page turns as a sign of work. */
export const nothingSpins: Look = async (chat) => expectCount(chat, '.codicon-modifier-spin', 0);

/** Asserts how the turns ended, in order. */
export async function expectEnds(chat: ChatDriver, ...reasons: string[]): Promise<void> {
  const ends = await chat.entries('end').all();
  const shown = await Promise.all(ends.map((end) => end.getAttribute('data-stop-reason', soon)));
  assert.deepEqual(shown, reasons);
}

/** Asserts the current choice of a picker. */
export async function expectPicked(chat: ChatDriver, id: string, name: string): Promise<void> {
  assert.equal((await chat.frame.locator(`[data-config-id="${id}"]`).innerText(soon)).trim(), name);
}

/** Opens the list of a picker, asserts what it offers, and closes it. */
export async function expectOffered(chat: ChatDriver, id: string, values: string[]): Promise<void> {
  const picker = chat.frame.locator(`[data-config-id="${id}"]`);
  await picker.click(soon);
  const list = chat.frame.locator(`#choices-${id}`);
  await list.waitFor(soon);
  const options = await list.locator('[data-value]').all();
  const offered = await Promise.all(options.map((option) => option.getAttribute('data-value', soon)));
  await chat.page.keyboard.press('Escape');
  await list.waitFor({ ...soon, state: 'detached' });
  assert.deepEqual(offered, values);
}
