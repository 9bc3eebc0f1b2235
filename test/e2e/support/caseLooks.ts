import assert from 'node:assert/strict';
import type { ChatDriver } from './chatDriver';
import {
  expectCard,
  expectCount,
  expectOffered,
  expectPicked,
  isCalm,
  nothingSpins,
  says,
  shownIn,
  textOf,
  textsOf,
  type Look,
} from './shown';

/** What must be on screen where a script says so. */
export interface CaseLook {
  look: Look;
  /** ms within which it must be so, where the script sets a limit. */
  withinMs?: number;
}

const noBannerOfTheShell: Look = async (chat) => {
  await says('NOISE-OK')(chat);
  assert.doesNotMatch(await textOf(chat), /Welcome|WARN|Warning|experimental/);
  await isCalm(chat);
};

const earlyUpdates: Look = async (chat) => {
  await expectPicked(chat, 'model', 'Model B');
  const usage = await chat.frame.locator('[data-parley="usage"]').getAttribute('title', { timeout: 1_000 });
  assert.match(usage ?? '', /\b10\b.*1,000/);
  await chat.composer.click();
  await chat.page.keyboard.insertText('/');
  const offered = chat.frame.locator('#commands [data-value="early-cmd"]');
  const isOffered = await offered.waitFor({ timeout: 1_000 }).then(
    () => true,
    () => false,
  );
  await chat.page.keyboard.press('Control+a');
  await chat.page.keyboard.press('Delete');
  assert.ok(isOffered, 'the command is offered');
};

const oneCard =
  (id: string, ...texts: string[]): Look =>
  async (chat) => {
    await expectCount(chat, '[data-entry="tool"]', 1);
    await expectCard(chat, id, /^completed$/, ...texts);
  };

const announcedCard: Look = async (chat) => {
  await expectCount(chat, '[data-entry="tool"]', 1);
  await expectCard(chat, 't1', /^(pending|in_progress)$/, 'Terminal');
  assert.ok(await chat.card('t1').isVisible());
};

const unannouncedRequest: Look = async (chat) => {
  await expectCard(chat, 'late-1', /^waiting$/, 'Remove build folder');
  assert.ok(await chat.card('late-1').isVisible());
  const question = await chat.questions('late-1').innerText();
  for (const text of ['Remove build folder', 'rm -r build', 'Allow', 'Reject'])
    assert.ok(question.includes(text), `the question says ${text}`);
};

const unannouncedCards: Look = async (chat) => {
  await expectCount(chat, '[data-entry="tool"]', 2);
  await expectCard(chat, 'late-1', /^completed$/, 'Remove build folder', 'removed');
  await expectCard(chat, 'ghost-1', /^completed$/, 'ghost result');
};

const twoRequests: Look = async (chat) => {
  await expectCount(chat, '[data-permission]', 2);
  for (const [id, title] of [
    ['a', 'Edit alpha'],
    ['b', 'Edit beta'],
  ] as const) {
    await expectCard(chat, id, /^waiting$/, title);
    await chat.questions(id).getByText(title).first().waitFor({ timeout: 1_000 });
    const options = chat.questions(id).locator('[data-option-id]');
    await options.first().scrollIntoViewIfNeeded();
    assert.deepEqual(await options.allInnerTexts(), ['Allow', 'Always allow', 'Reject']);
    await chat.questions(id).locator('[data-ready]').nth(2).waitFor({ timeout: 2_000 });
  }
};

const stopped: Look = async (chat) => {
  await expectCount(chat, '[data-option-id]', 0);
  for (const id of ['a', 'b']) await expectCard(chat, id, /^cancelled$/);
  assert.ok(await chat.composer.isEditable());
  assert.ok(!(await chat.button('Stop').isVisible()), 'there is nothing to stop');
  await isCalm(chat);
};

/** What the agent said in each turn; a turn begins with a message of the person. */
async function saidByTurn(chat: ChatDriver): Promise<string[]> {
  const turns: string[][] = [];
  for (const { kind, text } of await shownIn(chat)) {
    if (kind === 'user') turns.push([]);
    else if (kind === 'agent') turns.at(-1)?.push(text);
  }
  return turns.map((texts) => texts.join(' '));
}

const turnsApart: Look = async (chat) => {
  assert.deepEqual(await textsOf(chat, 'user'), ['first', 'second']);
  assert.deepEqual(await saidByTurn(chat), ['FIRST LATE-TEXT', 'SECOND-ANSWER']);
  await isCalm(chat);
};

const heavyTurnIsOver: Look = async (chat) => {
  await isCalm(chat);
  await nothingSpins(chat);
  await expectCard(chat, 'open-1', /^(cancelled|interrupted)$/, 'Left open');
};

const oldTalk: Look = async (chat) => {
  const shown = (await shownIn(chat)).map(({ kind, text }) => `${kind}: ${text}`);
  assert.equal(shown.length, 5, shown.join('\n'));
  const wanted = [/^user: Q-ONE$/, /^agent: A-ONE$/, /^tool: Old step/, /^user: Q-TWO$/, /^agent: A-TWO$/];
  for (const [index, pattern] of wanted.entries()) assert.match(shown[index] ?? '', pattern);
  await expectCard(chat, 'o1', /^completed$/);
  await isCalm(chat);
  await nothingSpins(chat);
};

const echoOnce: Look = async (chat) => {
  assert.deepEqual(await textsOf(chat, 'user'), ['say hello twice']);
  assert.equal((await textOf(chat)).split('say hello twice').length - 1, 1);
  await says('ECHO-REPLY')(chat);
};

const waysToSignIn: Look = async (chat) => {
  const methods = chat.frame.locator('[data-auth-method]');
  assert.deepEqual(await methods.allInnerTexts(), ['Sign in A', 'Sign in B']);
  for (const method of await methods.all()) assert.ok(await method.isEnabled());
  const section = await chat.frame.locator('[data-parley="sign-in"]').innerText({ timeout: 1_000 });
  assert.match(section, /With a browser/);
  assert.doesNotMatch(section, /null|undefined/);
};

const newValues: Look = async (chat) => {
  await expectPicked(chat, 'model', 'Model m2');
  await expectPicked(chat, 'effort', 'high');
  await expectOffered(chat, 'effort', ['low', 'high', 'max']);
};

const newValuesInTurn: Look = async (chat) => {
  assert.equal(await chat.panel.getAttribute('data-turn'), 'running');
  await expectPicked(chat, 'model', 'Model m1');
  await expectPicked(chat, 'effort', 'low');
  await expectOffered(chat, 'effort', ['low']);
  await expectCount(chat, '[data-config-id]', 2);
  assert.doesNotMatch(await chat.panel.innerText(), /Odd/);
};

const harmless: Look = async (chat) => {
  await chat.entries('agent').getByText('SAFE-TAIL').first().waitFor({ timeout: 1_000 });
  for (const frame of chat.page.frames()) {
    assert.equal(await frame.locator('#pwn').count(), 0);
    assert.doesNotMatch(await frame.title(), /^1$|PWNED/);
  }
  await expectCount(chat, '[data-entry="agent"] :is(script, style, iframe, form, input, img)', 0);
  await expectCount(chat, '[data-entry="agent"] :is([href], [onerror])', 0);
  const links = await chat.entries('agent').locator('a, [data-href]').all();
  const targets = await Promise.all(links.map((link) => link.getAttribute('data-href')));
  assert.ok(targets.includes('https://example.com/ok'));
  for (const target of targets) assert.match(target ?? '', /^https:/);
  // A target that is alive would close the window or change the title.
  for (const name of ['one', 'two', 'three', 'five', 'six'])
    await chat.entries('agent').getByText(name).first().click({ timeout: 1_000 });
  assert.ok(await chat.panel.isVisible());
};

/** The last error says it, in words for a person. */
const failsWith =
  (count: number, pattern: RegExp): Look =>
  async (chat) => {
    const errors = await textsOf(chat, 'error');
    assert.equal(errors.length, count);
    assert.match(errors.at(-1) ?? '', pattern);
    assert.doesNotMatch(errors.at(-1) ?? '', /\[object Object\]|undefined/);
    assert.equal(await chat.entries('error').last().getByRole('button', { name: 'Show log' }).count(), 1);
    assert.ok(!(await chat.button('Stop').isVisible()), 'the turn is over');
  };

const looks: Readonly<Record<string, Look | CaseLook>> = {
  'the answer is exactly "NOISE-OK"; no banner text in the chat': noBannerOfTheShell,
  'the answer shows: naïve — 日本語 🎉 Ω': says('naïve — 日本語 🎉 Ω'),
  'typing "/" offers early-cmd; the model picker shows Model B': earlyUpdates,
  'one card "Look around", completed, body "found it"': oneCard('t1', 'Look around', 'found it'),
  'a card "Terminal" is there already': announcedCard,
  'exactly one card: "list files", completed': oneCard('t1', 'list files'),
  'the request shows the title and the command': unannouncedRequest,
  'two cards, both completed: "Remove build folder" with "removed", and one with "ghost result"':
    unannouncedCards,
  'both requests can be answered, each beside its own card': twoRequests,
  'no option buttons; both cards cancelled; input free; no error': stopped,
  '"FIRST LATE-TEXT" stands in the first turn, "SECOND-ANSWER" alone in the second': turnsApart,
  'turn over within a second; no spinner; "Left open" not running': {
    look: heavyTurnIsOver,
    withinMs: 1_500,
  },
  'Q-ONE, A-ONE, card "Old step", Q-TWO, A-TWO; each once': oldTalk,
  '"say hello twice" stands there once': echoOnce,
  'two ways to sign in are offered': waysToSignIn,
  'model Model m2; effort high; its list offers max': newValues,
  'while the turn runs: model Model m1; effort offers low only; no control for "Odd"': newValuesInTurn,
  'SAFE-TAIL is visible; nothing with id pwn; title unchanged': harmless,
  'shows "quota for model-x is used up"': failsWith(1, /quota for model-x is used up/),
  'shows "plain reason"': failsWith(2, /plain reason/),
  'an error with code -32603 and a way to the log': failsWith(3, /-32603/),
};

/** The texts that have an entry in the table. */
export const knownTexts: readonly string[] = Object.keys(looks);

/** What must be on screen by a text of a script; fails for a text that has no entry in the table. */
export function lookOf(text: string): CaseLook {
  const found = looks[text] ?? assert.fail(`it is not known how to see on the page: ${text}`);
  return typeof found === 'function' ? { look: found } : found;
}
