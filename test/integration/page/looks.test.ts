import assert from 'node:assert/strict';
import { THEMES, type ChatPage } from '../../support/pageHarness/chatPage';
import { describePage } from '../../support/pageHarness/describePage';

/** What moves by itself. */
const MOVES = `document.getAnimations().filter((a) => a.playState === 'running').length`;

/** Controls that show no sign of the focus when they have it by the keyboard. */
const UNSEEN_FOCUS = `(async () => {
  const found = [];
  const shown = (e) => e.checkVisibility({ opacityProperty: false }) && !e.disabled;
  for (const e of [...document.querySelectorAll('button, a, textarea, input, select, [tabindex]')].filter(shown)) {
    e.focus({ focusVisible: true });
    if (document.activeElement !== e) continue;
    const own = getComputedStyle(e);
    const box = e.closest('.box, .find-field');
    const sees = (own.outlineStyle !== 'none' && parseFloat(own.outlineWidth) > 0 && own.outlineColor !== 'rgba(0, 0, 0, 0)') ||
      (e.matches('input, textarea, select') && getComputedStyle(box ?? e).borderTopColor === focusColour());
    if (!sees) found.push(e.outerHTML.slice(0, 120));
  }
  return found;
  function focusColour() {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--vscode-focusBorder)';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }
})()`;

describePage('the looks for everyone', ({ open }) => {
  const moving = ({ page }: ChatPage): Promise<number> => page.evaluate<number>(MOVES);

  it('moves only as a sign of work, and not at all where less motion is wanted, by the system or in VS Code', async () => {
    const chat = await open('gallery');
    await chat.drawn();
    assert.ok((await moving(chat)) > 0, 'something turns while a call runs');
    await chat.page.emulateMedia({ reducedMotion: 'reduce' });
    await chat.drawn();
    assert.equal(await moving(chat), 0);
    await chat.page.emulateMedia({ reducedMotion: 'no-preference' });
    await chat.page.evaluate(`document.body.classList.add('vscode-reduce-motion')`);
    await chat.drawn();
    assert.equal(await moving(chat), 0);
  });

  for (const theme of THEMES)
    it(`shows the focus on every control in ${theme}`, async () => {
      for (const scene of ['gallery', 'past']) {
        const chat = await open(scene, '', { theme, height: 4000 });
        await chat.drawn();
        assert.deepEqual(await chat.page.evaluate(UNSEEN_FOCUS), [], scene);
      }
    });

  it('tells the statuses of calls apart without colour', async () => {
    const chat = await open('gallery', '', { height: 6000 });
    const icons = await chat.page.evaluate<string[][]>(
      `[...document.querySelectorAll('[data-tool-call-id] .status')].map((icon) =>
         [icon.closest('[data-status]').dataset.status, getComputedStyle(icon, '::before').content])`,
    );
    const byStatus = new Map(icons.map(([status, icon]) => [status, icon]));
    assert.deepEqual([...byStatus.keys()].sort(), [
      'cancelled',
      'completed',
      'failed',
      'in_progress',
      'interrupted',
      'pending',
      'rejected',
      'waiting',
    ]);
    assert.equal(new Set(byStatus.values()).size, byStatus.size, JSON.stringify([...byStatus]));
  });

  it('keeps what a background tells where the system gives the colours', async () => {
    const chat = await open('ready');
    await chat.page.emulateMedia({ forcedColors: 'active' });
    await chat.page.locator('[data-config-id="mode"]').click();
    await chat.page.locator('.list-item[data-active]').waitFor();
    const look = await chat.page.evaluate<string>(
      `(({ outlineStyle, outlineWidth }) => outlineStyle + outlineWidth)(getComputedStyle(document.querySelector('.list-item[data-active]')))`,
    );
    assert.equal(look, 'solid2px');
    const gallery = await open('gallery');
    await gallery.page.emulateMedia({ forcedColors: 'active' });
    const [bar, back] = await gallery.page.evaluate<string[]>(
      `['.bar span', '.bar'].map((part) => getComputedStyle(document.querySelector(part)).backgroundColor)`,
    );
    assert.notEqual(bar, back, 'the progress of the plan can be seen');
  });

  it('has one main part with a title, a conversation, and lists that are lists', async () => {
    const { page } = await open('gallery');
    assert.equal(await page.getByRole('main').count(), 1);
    assert.equal(await page.getByRole('heading', { level: 1, name: 'Flaky date test' }).count(), 1);
    assert.equal(await page.getByRole('log', { name: 'Conversation' }).count(), 1);
    assert.equal((await page.getByRole('list').count()) > 1, true);
    const nameless = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-entry-id]')].filter((e) => e.getAttribute('role') !== 'group' || !e.ariaLabel?.trim())
         .map((e) => e.outerHTML.slice(0, 100))`,
    );
    assert.deepEqual(nameless, []);
    await page.getByRole('group', { name: 'npm test, Failed' }).waitFor();
    assert.ok((await page.getByRole('group', { name: 'You', exact: true }).count()) > 0);
  });
});
