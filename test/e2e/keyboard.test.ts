import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until as untilThere } from '../vscode/until';
import { useChat, type ChatDriver } from './support/chatDriver';

const ALLOW = '1';
const REJECT = '3';

const until = (what: string, probe: () => Promise<boolean | undefined>, timeout?: number): Promise<boolean> =>
  untilThere(what, async () => (await probe()) || undefined, timeout);

/** A chat that is driven by keys alone, and what has the focus in it. */
class Keys {
  constructor(private readonly chat: ChatDriver) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.chat.page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.chat.page.keyboard.type(text);
  }

  /** Waits until what a selector finds has the focus, or holds what has it. */
  async at(selector: string): Promise<void> {
    await until(
      `the focus at ${selector}`,
      () =>
        this.chat.frame.evaluate<boolean>(
          `document.hasFocus() && document.activeElement?.closest(${JSON.stringify(selector)}) !== null`,
        ),
      15_000,
    );
  }

  /** Presses a key until what a selector finds has the focus; fails after so many presses. */
  async go(key: string, selector: string, most = 12): Promise<void> {
    const seen: string[] = [];
    for (let i = 0; i < most; i++) {
      await this.press(key);
      const focus = await this.chat.frame.evaluate<[boolean, string]>(
        `[document.activeElement?.matches(${JSON.stringify(selector)}) ?? false, document.activeElement?.outerHTML.slice(0, 90) ?? '']`,
      );
      if (focus[0]) return;
      seen.push(focus[1]);
    }
    assert.fail(`${most} × ${key} did not lead to ${selector}:\n${seen.join('\n')}`);
  }

  /** Asserts that the focus can be seen where it is. */
  async expectVisible(): Promise<void> {
    const look = await this.chat.frame.evaluate<string>(
      `(() => { const e = document.activeElement; const box = e.closest('.box, .find-field') ?? e;
        const own = getComputedStyle(e), around = getComputedStyle(box);
        return own.outlineStyle !== 'none' ? 'outline' : around.borderColor !== 'rgba(0, 0, 0, 0)' && box !== e ? 'border' : 'none ' + e.outerHTML.slice(0, 90); })()`,
    );
    assert.match(look, /^(outline|border)$/);
  }
}

describe('the keyboard alone', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({ files: { 'a.txt': 'one\n', 'src/b.ts': 'export const b = 1;\n' } }));
  const keys = (): Keys => new Keys(chat());
  const open = async (): Promise<Keys> => {
    await chat().window.runCommand('Parley: Open Chat');
    await keys().at('[data-parley="composer"]');
    return keys();
  };

  it('opens the chat, asks, reads the answer entry by entry, unfolds, copies, and comes back to the composer', async () => {
    const { press, type, at, go, expectVisible } = bound(await open());
    await type('read a.txt');
    await press('Enter');
    assert.equal(await chat().nextEnd(0), 'end_turn');
    await press('Control+ArrowUp');
    await at('[data-entry="end"]');
    await expectVisible();
    await go('ArrowUp', '[data-tool-call-id], .run');
    const entry = chat().frame.locator('[data-tool-call-id]:focus, .run:focus');
    const toggle = entry.locator('[aria-expanded]').first();
    assert.equal(await toggle.getAttribute('aria-expanded'), 'false');
    await press('ArrowRight');
    await until('the card to be open', async () => (await toggle.getAttribute('aria-expanded')) === 'true');
    await press('Enter');
    await until(
      'the card to be folded',
      async () => (await toggle.getAttribute('aria-expanded')) === 'false',
    );
    await go('ArrowUp', '[data-entry="user"]');
    assert.match(
      (await chat().frame.locator(':focus').getAttribute('aria-label')) ?? '',
      /You: .*read a\.txt/s,
    );
    await press('Tab');
    await expectVisible();
    await press('Enter');
    await chat().frame.locator('[data-said="deeds"]', { hasText: 'Copied' }).waitFor({ state: 'attached' });
    await press('Control+ArrowDown');
    await at('[data-parley="composer"]');
    await press('Control+v');
    await until('what was copied', async () => (await chat().composer.inputValue()) === 'read a.txt');
  });

  it('reaches the newest first with Shift+Tab from the composer, and a question within a few presses', async () => {
    const { press, type, at, go, expectVisible } = bound(await open());
    await type('create new.txt with "x"');
    await press('Enter');
    await chat().questions().waitFor();
    await chat()
      .page.locator('.quick-input-widget:visible')
      .waitFor()
      .then(() => press('Escape'));
    await open();
    await go('Shift+Tab', '[data-permission] button');
    await expectVisible();
    await press('ArrowUp');
    await until('the answer to count', async () => {
      if ((await chat().questions().count()) === 0) return true;
      await press(REJECT);
      return undefined;
    });
    assert.equal(await chat().nextEnd(0), 'end_turn');
    await at('[data-parley="transcript"]');
  });

  it('PE-11 answers a permission by its number, and keeps the change in the review', async () => {
    const { press, type, go, at } = bound(await open());
    await type('create new.txt with "x"');
    await press('Enter');
    await chat().questions().waitFor();
    await chat().page.locator('.quick-input-widget:visible').waitFor();
    await press('Escape');
    await open();
    await go('Shift+Tab', '[data-permission] button');
    await until('the answer to count', async () => {
      if ((await chat().questions().count()) === 0) return true;
      await press(ALLOW);
      return undefined;
    });
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.equal(readFileSync(join(chat().folder, 'new.txt'), 'utf8').trim(), 'x');
    await chat().frame.locator('[data-parley="changes"]').waitFor();
    await press('Control+ArrowDown');
    await at('[data-parley="composer"]');
    await go('Shift+Tab', '[data-parley="changes"] .strip-head');
    await press('Enter');
    await go('Tab', '[data-path] .change-main');
    await go('Tab', '[data-path] .change-actions button');
    await press('Enter');
    await chat().frame.locator('[data-parley="changes"] [data-path]').waitFor({ state: 'detached' });
    await until('the focus not to be lost', () =>
      chat().frame.evaluate<boolean>('document.activeElement !== document.body'),
    );
  });

  it('stops a turn by Escape, jumps to the end, and finds', async () => {
    const { press, type, at, go } = bound(await open());
    await type('count slowly to 400');
    await press('Enter');
    await chat().waitText('12');
    await press('Escape');
    assert.equal(await chat().nextEnd(0), 'cancelled');
    await press('Control+ArrowUp');
    await press('Home');
    await press('Control+f');
    await at('[data-parley="find"]');
    await type('count slowly');
    await chat().frame.locator('.find-count', { hasText: '1 of' }).waitFor();
    await press('Escape');
    await at('[data-parley="transcript"]');
    await press('Control+ArrowDown');
    await at('[data-parley="composer"]');
    await go('Shift+Tab', '[data-entry="end"] button, [data-parley="transcript"] *, .jump', 20);
  });

  it('switches sessions, chooses in a picker, and attaches a file', async () => {
    const { press, type, at, go } = bound(await open());
    await type('list .');
    await press('Enter');
    assert.equal(await chat().nextEnd(0), 'end_turn');
    await chat().window.runCommand('Parley: New Session');
    await until('a new session', async () => (await chat().entries().count()) === 0);
    await chat().window.runCommand('Parley: Show Sessions');
    await at('[data-parley="sessions"]');
    await go('ArrowDown', '[data-session-id] .session-main:not([aria-current])');
    await press('Enter');
    await chat().waitText('list .');
    await at('[data-parley="composer"]');
    await go('Tab', '[data-config-id]');
    const picker = chat().frame.locator('[data-config-id]:focus');
    const id = (await picker.getAttribute('data-config-id')) ?? '';
    const before = await picker.getAttribute('data-config-value');
    await press('ArrowDown', 'ArrowDown', 'Enter');
    await until('another choice', async () => {
      const now = await chat().frame.locator(`[data-config-id="${id}"]`).getAttribute('data-config-value');
      return now !== before;
    });
    await at(`[data-config-id="${id}"]`);
    await go('Shift+Tab', '[data-parley="composer"]');
    await type('see @b.ts');
    await chat().frame.locator('[data-parley="mentions"] [data-value*="b.ts"]').waitFor();
    await press('Enter');
    await chat().frame.locator('[data-attachment="file"]', { hasText: 'b.ts' }).waitFor();
    await at('[data-parley="composer"]');
    await go('Shift+Tab', '[data-attachment] button');
    await go('Tab', '[data-parley="composer"]');
  });
});

/** The methods of the keys, to be used by their names. */
function bound(keys: Keys) {
  return {
    press: keys.press.bind(keys),
    type: keys.type.bind(keys),
    at: keys.at.bind(keys),
    go: keys.go.bind(keys),
    expectVisible: keys.expectVisible.bind(keys),
  };
}
