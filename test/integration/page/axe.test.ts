import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { THEMES, type ChatPage, type PageLook } from '../../support/pageHarness/chatPage';
import { describePage } from '../../support/pageHarness/describePage';
import { runAxe } from '../../support/pageHarness/axe';
import { RulesHarness } from '../../support/pageHarness/rulesPage';

/** High enough for all of a conversation to be in view, so that nothing is left out of layout. */
const WHOLE: PageLook = { width: 620, height: 9000 };

interface State {
  what: string;
  scene: string;
  look?: PageLook;
  /** Brings the page into the state. */
  prepare?: (chat: ChatPage) => Promise<void>;
}

/** Each is named in the title of the suite. */
const EXCEPTIONS: readonly RegExp[] = [
  /scrollable-region-focusable \| #(mentions|commands|choices-\w+) \|/,
  /color-contrast .* could not be determined because it is overlapped by another element/,
  /label-content-name-mismatch .* class="change-main"/,
  /color-contrast .* class="code-color-\d+"/,
  /color-contrast .* (too short to determine|contains only non-text characters)/,
];

const press = (chat: ChatPage, name: string): Promise<void> =>
  chat.page.getByRole('button', { name, exact: true }).first().click();

const type = async (chat: ChatPage, text: string): Promise<void> => {
  await chat.composer.focus();
  await chat.page.keyboard.type(text);
  await chat.page.locator('.popup [role="option"]').first().waitFor();
};

/** Opens all that is folded, what is inside of it too. */
async function unfold(chat: ChatPage): Promise<void> {
  const folded = chat.page.locator(
    '[data-parley="transcript"] [aria-expanded="false"], [data-parley="changes"] [aria-expanded="false"]',
  );
  for (let count = await folded.count(); count > 0; count = await folded.count())
    await folded.first().click();
}

const STATES: readonly State[] = [
  { what: 'every kind of entry, and all the docks', scene: 'gallery', look: WHOLE },
  { what: 'every kind of entry, unfolded', scene: 'gallery', look: WHOLE, prepare: unfold },
  {
    what: 'the list of sessions',
    scene: 'manySessions',
    prepare: (chat) => press(chat, 'Sessions'),
  },
  {
    what: 'the find bar with matches',
    scene: 'past',
    prepare: async (chat) => {
      await chat.transcript.focus();
      await chat.page.keyboard.press('Control+f');
      await chat.page.keyboard.type('date');
      await chat.page.locator('.find-count', { hasText: ' of ' }).waitFor();
    },
  },
  { what: 'the list of mentions', scene: 'ready', prepare: (chat) => type(chat, '@') },
  { what: 'the list of commands', scene: 'ready', prepare: (chat) => type(chat, '/') },
  {
    what: 'a list of choices with a filter',
    scene: 'ready',
    prepare: (chat) => chat.page.locator('[data-config-id="model"]').click(),
  },
  {
    what: 'a list of choices',
    scene: 'ready',
    prepare: (chat) => chat.page.locator('[data-config-id="mode"]').click(),
  },
  {
    what: 'a rule being made from a question',
    scene: 'always',
    prepare: (chat) => press(chat, 'Always…'),
  },
  {
    what: 'a reason being written',
    scene: 'always',
    prepare: (chat) => press(chat, 'Reject with a reason…'),
  },
  { what: 'a paused queue', scene: 'queuePaused' },
  { what: 'a form that was filled in wrongly', scene: 'form', prepare: (chat) => press(chat, 'Submit') },
  { what: 'ways to sign in', scene: 'signIn' },
  { what: 'an agent that stopped', scene: 'exited' },
  { what: 'the first view', scene: 'empty' },
  { what: 'an agent that starts', scene: 'connecting' },
  { what: 'a turn that was undone', scene: 'changesUndone' },
  { what: 'other languages', scene: 'languages' },
];

/** What axe says of the page as it is, in each theme. */
async function inEachTheme(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const theme of THEMES) {
    await page.evaluate(`window.harness.setTheme('${theme}')`);
    const { violations, undecided, rules } = await runAxe(page);
    assert.ok(rules > 25, `axe tried ${rules} rules`);
    found.push(...[...violations, ...undecided].map((line) => `${theme}: ${line}`));
  }
  return found.filter((line) => !EXCEPTIONS.some((exception) => exception.test(line)));
}

describePage(
  'axe, but for lists that the field beside them scrolls, what a popup covers, colours of a theme for code, single signs, and signs that are named in words,',
  ({ open }) => {
    for (const { what, scene, look, prepare } of STATES)
      it(`finds nothing in ${what}, in each theme`, async function () {
        this.timeout(180_000);
        const chat = await open(scene, '', look);
        await prepare?.(chat);
        await chat.drawn();
        assert.deepEqual(await inEachTheme(chat.page), []);
      });

    it('sees a fault that is made on purpose, so that it does look', async () => {
      const chat = await open('past');
      await chat.page
        .evaluate(`document.querySelector('[data-parley="composer"]').removeAttribute('aria-label');
      document.querySelector('.session h1').style.color = '#333';`);
      const { violations } = await runAxe(chat.page);
      assert.ok(violations.some((line) => line.startsWith('color-contrast')));
    });
  },
);

describePage('axe on the page of rules', () => {
  let harness: RulesHarness;
  before(async () => {
    harness = await RulesHarness.start();
  });
  after(() => harness.close());

  for (const scene of ['rules', 'untrusted', 'empty'])
    it(`finds nothing in the scene ${scene}, with a form open, in each theme`, async function () {
      this.timeout(180_000);
      const { page } = await harness.open(scene);
      await page.getByRole('button', { name: 'Add rule' }).last().click();
      await page.locator('#rule-effect').waitFor();
      assert.deepEqual(await inEachTheme(page), []);
      await page.close();
    });
});
