import assert from 'node:assert/strict';
import type { SessionAction } from '../../../src/core/session/actions';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';
import { asked, said } from '../../support/pageHarness/sayings';

/** Entries of the scene `long`. */
const ENTRIES = 5000;

const ended = (turn: number): SessionAction => ({ type: 'turnEnded', turn, stopReason: 'end_turn', at: 2 });

// What runs in the page is text, for this side has no types of the page's world.
const log = `document.querySelector('[data-parley="transcript"]')`;
const entry = (id: number): string => `document.querySelector('[data-entry-id="${id}"]')`;
const inView = `[...${log}.querySelectorAll('[data-entry-id]')].filter((item) => {
  const [box, view] = [item.getBoundingClientRect(), ${log}.getBoundingClientRect()];
  return box.top >= view.top && box.bottom <= view.bottom;
})`;

describePage('the transcript of a long session', ({ open }) => {
  const ask = <T>(chat: ChatPage, what: string): Promise<T> => chat.page.evaluate<T>(what);
  const tops = (chat: ChatPage, id: number): Promise<number> =>
    ask(chat, `${entry(id)}.getBoundingClientRect().top - ${log}.getBoundingClientRect().top`);
  const firstInView = (chat: ChatPage): Promise<number> =>
    ask(chat, `Number(${inView}[0]?.dataset.entryId ?? -1)`);
  const nodes = (chat: ChatPage): Promise<number> => ask(chat, 'document.querySelectorAll("*").length');
  const atEnd = (chat: ChatPage): Promise<boolean> =>
    soon('the end in view', async () => (await chat.belowView()) < 2);
  const atRest = (chat: ChatPage): Promise<boolean> =>
    soon('the end of the scrolling', () => chat.restsAbove());

  /** Scrolls to a part of the whole, and waits until there is something to read. */
  const scrollTo = async (chat: ChatPage, part: number): Promise<void> => {
    await ask(chat, `${log}.scrollTop = ${part} * ${log}.scrollHeight`);
    await soon('entries in view', async () => (await firstInView(chat)) >= 0);
    await atRest(chat);
    // What is drawn around the place comes a frame later.
    await chat.drawn();
    await chat.drawn();
  };

  /** A reader in the middle of the session: gives the entry that is looked at and where it is. */
  const reading = async (): Promise<{
    chat: ChatPage;
    id: number;
    top: number;
    stays: () => Promise<void>;
  }> => {
    const chat = await open('long');
    await atEnd(chat);
    await scrollTo(chat, 0.5);
    const id = await firstInView(chat);
    const top = await tops(chat, id);
    const stays = async (): Promise<void> => {
      await chat.drawn();
      const now = await tops(chat, id);
      assert.ok(Math.abs(now - top) <= 1, `entry ${id} went from ${top} to ${now} px`);
    };
    return { chat, id, top, stays };
  };

  it('draws a bounded part of it, wherever it is read', async () => {
    const chat = await open('long');
    await atEnd(chat);
    await chat.page.getByText('Question 999', { exact: true }).waitFor();
    let most = 0;
    for (let step = 24; step >= 0; step--) {
      await ask(chat, `${log}.scrollTop = ${step / 24} * ${log}.scrollHeight`);
      await soon('entries in view', async () => (await firstInView(chat)) >= 0);
      most = Math.max(most, await nodes(chat));
    }
    await chat.transcript.getByText('Question 0', { exact: true }).waitFor();
    assert.ok(most < 7000, `${most} elements`);
    assert.equal(await chat.page.getByText('Question 999', { exact: true }).count(), 0);
    await chat.page.getByRole('button', { name: 'Jump to latest' }).click();
    await chat.page.getByText('Question 999', { exact: true }).waitFor();
    await atEnd(chat);
    assert.equal(await chat.transcript.getByText('Question 0', { exact: true }).count(), 0);
  });

  it('keeps what is read in place while the reader goes up into what was never drawn', async () => {
    const chat = await open('long');
    await atEnd(chat);
    await scrollTo(chat, 0.5);
    for (let step = 0; step < 40; step++) {
      const id = await firstInView(chat);
      const top = await tops(chat, id);
      await ask(chat, `${log}.scrollTop -= 300`);
      await chat.drawn();
      await chat.drawn();
      const now = await tops(chat, id);
      assert.ok(Math.abs(now - top - 300) <= 1, `step ${step}: entry ${id} went from ${top} to ${now} px`);
    }
  });

  it('keeps the place where what is above it grows', async () => {
    const { chat, id, stays } = await reading();
    // Some way above the view, but drawn.
    await ask(chat, `${entry(id - 12)}.style.paddingTop = '333px'`);
    await soon('the change', async () => (await ask<number>(chat, `${entry(id - 12)}.offsetHeight`)) > 333);
    await stays();
    await ask(chat, `${entry(id - 12)}.style.paddingTop = ''`);
    await stays();
  });

  it('keeps the place where a call above it is changed by its agent', async () => {
    const { chat, id, stays } = await reading();
    const number = Math.floor((id - 10) / 5);
    await chat.play({
      type: 'update',
      at: 3,
      update: {
        kind: 'toolCallUpdate',
        patch: { toolCallId: `t${number}`, status: 'failed', title: 'Failed here' },
      },
    });
    await chat.page.getByText('Failed here').waitFor({ state: 'attached' });
    await stays();
  });

  it('keeps the place where the panel gets another size', async () => {
    const { chat, id, stays } = await reading();
    // Something above the view that takes more lines where there is less room.
    await ask(chat, `${entry(id - 12)}.append('word '.repeat(300))`);
    await stays();
    for (const [width, height] of [
      [300, 800],
      [600, 800],
      [600, 400],
      [380, 800],
    ] as const) {
      await chat.page.setViewportSize({ width, height });
      await soon('the size', async () => (await ask(chat, 'innerWidth')) === width);
      await stays();
    }
  });

  it('keeps the place while new entries arrive, also by sections, and says how many there are', async () => {
    const { chat, stays } = await reading();
    const height = await ask<number>(chat, `${log}.scrollHeight`);
    for (let turn = 1001; turn <= 1030; turn++)
      await chat.play(asked(`New ${turn}`), said('Well'), ended(turn));
    await soon('more to scroll', async () => (await ask<number>(chat, `${log}.scrollHeight`)) > height + 500);
    await stays();
    await chat.page.getByRole('button', { name: 'Jump to latest (90 new)' }).click();
    await chat.page.getByText('New 1030', { exact: true }).waitFor();
    await atEnd(chat);
  });

  it('keeps the place where plan and question dock below', async () => {
    const { chat, stays } = await reading();
    const url = 'https://example.com';
    await chat.play(
      {
        type: 'update',
        at: 1,
        update: { kind: 'plan', items: [{ content: 'Look', priority: 'high', status: 'in_progress' }] },
      },
      asked('More'),
      { type: 'elicitationRequested', requestId: 'e1', message: 'Which branch?', url },
    );
    const dock = chat.page.getByRole('button', { name: 'Waiting for you: Which branch?' });
    await dock.waitFor();
    await stays();
    await dock.click();
    await chat.page.locator('[data-elicitation]:focus').waitFor();
  });

  it('goes to its ends by Home and End, and up by PageUp', async () => {
    const chat = await open('long');
    await atEnd(chat);
    await chat.transcript.focus();
    const before = await firstInView(chat);
    await chat.page.keyboard.press('PageUp');
    await soon('a page further up', async () => {
      const id = await firstInView(chat);
      return id >= 0 && id < before - 2;
    });
    await chat.page.keyboard.press('Home');
    await chat.transcript.getByText('Question 0', { exact: true }).waitFor();
    await soon('the beginning', async () => (await chat.scrollTop()) === 0);
    assert.ok((await firstInView(chat)) <= 2);
    await chat.page.keyboard.press('End');
    await atEnd(chat);
    await chat.page.getByText('Question 999', { exact: true }).waitFor();
  });

  it('comes to the very beginning by going up page by page', async () => {
    const chat = await open('long');
    await atEnd(chat);
    await scrollTo(chat, 0.03);
    await chat.transcript.focus();
    await soon('the beginning', async () => {
      await chat.page.keyboard.press('PageUp');
      await chat.drawn();
      return (await chat.scrollTop()) === 0;
    });
    await chat.transcript.getByText('Question 0', { exact: true }).waitFor();
    assert.equal(await chat.page.locator('.gap[data-from="0"]').count(), 0);
  });

  it('keeps what has the focus and what is selected, wherever the reader goes', async () => {
    const { chat, id } = await reading();
    await ask(chat, `(window.focused = ${entry(id)}.closest('.section').querySelector('button')).focus()`);
    await scrollTo(chat, 0.1);
    assert.ok(await ask(chat, 'document.activeElement === window.focused && window.focused.isConnected'));
    const selected = await firstInView(chat);
    await ask(chat, `document.activeElement.blur(); getSelection().selectAllChildren(${entry(selected)})`);
    const text = await ask<string>(chat, 'getSelection().toString()');
    await scrollTo(chat, 0.9);
    assert.equal(await ask<string>(chat, 'getSelection().toString()'), text);
    assert.ok(await ask(chat, '!window.focused.isConnected'));
    await ask(chat, 'getSelection().removeAllRanges()');
    await scrollTo(chat, 0.5);
    assert.equal(await ask(chat, entry(selected)), null);
  });

  it('keeps its entries in their order', async () => {
    const { chat, id } = await reading();
    await ask(chat, `${entry(id)}.closest('.section').querySelector('button').focus()`);
    await scrollTo(chat, 0.2);
    const ids = await ask<number[]>(
      chat,
      `[...${log}.querySelectorAll('[data-entry-id]')].map((item) => Number(item.dataset.entryId))`,
    );
    assert.ok(ids.includes(id) && ids.length > 50 && ids.length < ENTRIES / 5);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
  });

  it('comes back to the place after a reload and after another session', async () => {
    const { chat, id, top } = await reading();
    const back = async (): Promise<void> => {
      await soon('the place', async () => {
        const drawn = await ask<boolean>(chat, `!!${entry(id)}`);
        return drawn && Math.abs((await tops(chat, id)) - top) <= 1;
      });
      await chat.drawn();
      assert.ok(Math.abs((await tops(chat, id)) - top) <= 1);
    };
    await chat.page.reload();
    await back();
    await chat.show('k2', 'failures');
    await chat.page.getByText('All tests pass.').waitFor();
    await chat.show('k1', 'long');
    await back();
    await chat.page.getByRole('button', { name: 'Jump to latest' }).click();
    await atEnd(chat);
    await chat.page.reload();
    await chat.page.getByText('Question 999', { exact: true }).waitFor();
    await atEnd(chat);
  });

  it('comes back to a place near its end after a reload', async () => {
    const chat = await open('long');
    await atEnd(chat);
    await ask(chat, `${log}.scrollTop -= 2500`);
    await atRest(chat);
    const id = await firstInView(chat);
    const top = await tops(chat, id);
    await chat.page.reload();
    await soon('the place', async () => {
      const drawn = await ask<boolean>(chat, `!!${entry(id)}`);
      return drawn && Math.abs((await tops(chat, id)) - top) <= 1;
    });
  });

  it('begins at the end where an earlier version kept the place', async () => {
    const saved = JSON.stringify({ sessions: [{ key: 'k1', scrollTop: 120, toggled: {} }] });
    const chat = await open('long', `sessionStorage.setItem('saved', ${JSON.stringify(saved)})`);
    await chat.page.getByText('Question 999', { exact: true }).waitFor();
    await atEnd(chat);
  });

  it('shows what comes before on the way of a button', async () => {
    const chat = await open('long');
    await atEnd(chat);
    const first = await firstInView(chat);
    await chat.page.getByRole('button', { name: 'Show earlier messages' }).press('Enter');
    await soon('earlier entries', async () => {
      const id = await firstInView(chat);
      return id >= 0 && id < first;
    });
    await chat.page.locator('[data-parley="transcript"]:focus').waitFor();
  });

  it('stays where a jump led while the agent writes at the end', async () => {
    const chat = await open('long');
    await atEnd(chat);
    await chat.play(asked('More'), said('Well'));
    const question = { type: 'elicitationRequested', requestId: 'e1', message: 'Which branch?' } as const;
    await chat.play({ ...question, url: 'https://example.com' });
    const card = chat.page.locator('[data-elicitation]');
    await card.waitFor({ state: 'attached' });
    await chat.play(...Array.from({ length: 60 }, (_, i) => said(`\n\nLine ${i}`)));
    await soon('the question above', () =>
      ask(chat, `document.querySelector('[data-elicitation]').getBoundingClientRect().bottom < -200`),
    );
    await atEnd(chat);
    // The frame in which the page jumps is one in which the conversation grows as well.
    await ask(
      chat,
      `(() => {
        window.harness.post({ type: 'revealQuestion', requestId: 'e1' });
        let frames = 0;
        const grow = () => {
          ${log}.querySelector('.section:last-of-type').append(document.createElement('hr'));
          if (++frames < 12) requestAnimationFrame(grow);
        };
        requestAnimationFrame(grow);
      })()`,
    );
    await chat.page.locator('[data-elicitation]:focus').waitFor();
    for (let frame = 0; frame < 8; frame++) await chat.drawn();
    assert.ok(await ask(chat, `document.activeElement.getBoundingClientRect().bottom > 0`));
    await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  });

  it('shows its end where it was lower for a moment right after the way there was taken', async () => {
    const chat = await open('long');
    await atEnd(chat);
    await scrollTo(chat, 0.5);
    await ask(
      chat,
      `(() => {
        document.querySelector('.jump').click();
        const content = ${log}.firstElementChild;
        content.style.display = 'none';
        void ${log}.scrollTop;
        content.style.display = '';
        void ${log}.scrollTop;
      })()`,
    );
    await chat.page.getByText('Question 999', { exact: true }).waitFor();
    await atEnd(chat);
    assert.equal(await chat.page.locator('.jump').count(), 0);
  });

  it('shows its end where only a gap becomes higher', async () => {
    const chat = await open('long');
    await atEnd(chat);
    await ask(chat, `document.querySelector('.gap').style.height = '400000px'`);
    await chat.drawn();
    await atEnd(chat);
  });

  it('asks for no frame and no timer while nothing happens', async () => {
    const { chat } = await reading();
    const calls = await ask<number>(
      chat,
      `new Promise((done) => {
        const real = requestAnimationFrame;
        let calls = 0;
        for (const name of ['requestAnimationFrame', 'setTimeout', 'setInterval'])
          window[name] = () => { calls++; return 0; };
        let frames = 0;
        const onFrame = () => (++frames < 60 ? real(onFrame) : done(calls));
        real(onFrame);
      })`,
    );
    assert.equal(calls, 0);
  });
});
