import assert from 'node:assert/strict';
import { type ChatPage, type PageLook } from '../../support/pageHarness/chatPage';
import { describePage } from '../../support/pageHarness/describePage';
import { ODD_TEXTS } from '../../support/pageHarness/oddScenes';

/**
 * What does not fit: boxes that scroll sideways though they are meant not to, and elements that stick out of the panel. What is in a
 * box that scrolls or cuts by design is no fault.
 */
const MISFITS = `(() => {
  const width = document.documentElement.clientWidth;
  const name = (e) => e.tagName.toLowerCase() + (e.className ? '.' + String(e.className.baseVal ?? e.className).replaceAll(' ', '.') : '') +
    ' ' + (e.textContent ?? '').slice(0, 30);
  const cuts = (e) => getComputedStyle(e).overflowX !== 'visible';
  const found = [];
  for (const box of document.querySelectorAll('html, .panel, .transcript, .transcript-content, .dock, .dock > *, .sessions-body, .questions, .ask-body, .banner, .fields, [data-entry-id]'))
    if (box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0 && !box.matches('.unseen')) found.push('scrolls: ' + name(box));
  for (const element of document.querySelectorAll('.panel *')) {
    if (element.closest('.unseen, svg')) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || (box.left >= -1 && box.right <= width + 1)) continue;
    let parent = element.parentElement;
    while (parent && !(cuts(parent) && parent.getBoundingClientRect().right <= width + 1)) parent = parent.parentElement;
    if (!parent || parent.matches('html, body, .panel, .transcript')) found.push('sticks out: ' + name(element));
  }
  return found;
})()`;

/** Controls of the docks and cards whose boxes lie upon each other. */
const OVERLAPS = `(() => {
  const found = [];
  for (const group of document.querySelectorAll('.session, .tools, .foot, .part-head, .tool-head, .change-head, .queue-item, .form-actions, .ask-buttons, .end, .tool-line, .banner-head')) {
    const boxes = [...group.children].filter((e) => !e.matches('.popup, .unseen')).map((e) => [e, e.getBoundingClientRect()]);
    boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1) found.push(group.className + ': ' + one.className + ' on ' + other.className);
    }));
  }
  return found;
})()`;

async function unfold({ page }: ChatPage): Promise<void> {
  const folded = page.locator('[data-parley="panel"] .stage [aria-expanded="false"]');
  for (let count = await folded.count(); count > 0; count = await folded.count())
    await folded.first().dispatchEvent('click');
}

describePage('the layout', ({ open }) => {
  async function expectFits(scene: string, look: PageLook, unfolded = false): Promise<void> {
    const chat = await open(scene, '', look);
    if (unfolded) await unfold(chat);
    await chat.drawn();
    await chat.drawn();
    assert.deepEqual(await chat.page.evaluate(MISFITS), [], `${scene} at ${look.width} px`);
    assert.deepEqual(await chat.page.evaluate(OVERLAPS), [], `${scene} at ${look.width} px`);
  }

  it('has no sideways scroll at 300 px, whatever an agent writes into any field', async () => {
    await expectFits('odd', { width: 300, height: 12_000 }, true);
  });

  it('holds such text in questions, docks, options and the banner too', async function () {
    this.timeout(120_000);
    for (let i = 0; i < ODD_TEXTS; i++) await expectFits(`oddDocks${i}`, { width: 300, height: 1600 });
  });

  it('fits at 200 % zoom: 300 px of a panel that is 600 px wide', async () => {
    await expectFits('gallery', { width: 300, height: 6000 }, true);
  });

  it('fits even at 150 px, which is 200 % of the narrowest panel', async () => {
    for (const scene of ['gallery', 'ready', 'empty']) await expectFits(scene, { width: 150, height: 6000 });
  });

  it('fits in Chinese at 300 px', async () => {
    for (const scene of ['gallery', 'empty', 'signIn', 'exited', 'changes'])
      await expectFits(scene, { width: 300, height: 4000, lang: 'zh-cn' });
  });

  it('gives each block its own direction, and code and paths always that of the left', async () => {
    const chat = await open('odd', '', { width: 380, height: 9000 });
    const directions = await chat.page.evaluate<string[][]>(`
      [...document.querySelectorAll('[data-entry="agent"]')].filter((e) => /الاختبار/.test(e.textContent)).flatMap((entry) =>
        [...entry.querySelectorAll('.markdown > p, h1, li, blockquote p, pre, code')].map((e) => {
          const first = e.querySelector(':scope > *') ?? e;
          const range = document.createRange();
          range.selectNodeContents(e);
          return [e.tagName, e.tagName === 'PRE' || e.closest('pre') || e.tagName === 'CODE' ? getComputedStyle(e).direction : getComputedStyle(e).unicodeBidi];
        }))`);
    assert.ok(directions.length > 5);
    for (const [tag, value] of directions)
      assert.equal(value, tag === 'PRE' || tag === 'CODE' ? 'ltr' : 'plaintext', `${tag}`);
  });
});
