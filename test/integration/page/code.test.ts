import assert from 'node:assert/strict';
import type { SessionAction } from '../../../src/core/session/actions';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';
import { asked, said } from '../../support/pageHarness/sayings';

const KEYWORD = 'rgb(197, 134, 192)';
const COMMENT = 'rgb(106, 153, 85)';

// What runs in the page is text, for this side has no types of the page's world.
/** The coloured texts of the document by colour, in its order. */
const colored = `(() => {
  const found = {};
  for (const span of document.querySelectorAll('.code code span'))
    (found[getComputedStyle(span).color] ??= []).push(span.textContent);
  return found;
})()`;
const spans = `document.querySelectorAll('.code code span').length`;
const questions = `window.harness.sent.filter(({ type }) => type === 'highlight')`;

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `const a${i} = ${i};\n`).join('');

interface Question {
  block: number;
  from: number;
  text: string;
}

describePage('the colours of code', ({ open, expectIntents, expectFocus }) => {
  const colors = (chat: ChatPage): Promise<Record<string, string[]>> => chat.page.evaluate(colored);
  const asks = (chat: ChatPage): Promise<Question[]> => chat.page.evaluate(questions);
  const begin = async (...actions: SessionAction[]): Promise<ChatPage> => {
    const chat = await open('ready');
    await chat.play(asked('go'), ...actions);
    return chat;
  };
  const keywords = (chat: ChatPage, count: number): Promise<boolean> =>
    soon(`${count} keywords`, async () => (await colors(chat))[KEYWORD]?.length === count);
  const code = (chat: ChatPage): Promise<string> =>
    chat.page.evaluate(`document.querySelector('.code code').textContent`);

  it('appear where the extension says, and change no text', async () => {
    const chat = await begin(said('```ts\nconst a = 1; /* two\nlines */ return\n```\n'));
    await keywords(chat, 2);
    assert.deepEqual(await colors(chat), {
      [KEYWORD]: ['const', 'return'],
      'rgb(206, 145, 120)': ['1'],
      [COMMENT]: ['/* two', 'lines */'],
    });
    assert.equal(await code(chat), 'const a = 1; /* two\nlines */ return\n');
  });

  it('come for complete lines only, each of which is sent once while the block streams', async () => {
    const chat = await begin(said('Before\n\n```ts\nconst a;\nconst b'));
    await keywords(chat, 1);
    await chat.play(said(' = 1;\nret'));
    await keywords(chat, 2);
    await chat.play(said('urn b;\n'), said('```\n\nAfter it, `const`.'));
    await soon('the last line', async () => (await colors(chat))[KEYWORD]?.join() === 'const,const,return');
    const texts = (await asks(chat)).map(({ block, from, text }) => [block, from, text]);
    assert.deepEqual(texts, [
      [1, 0, 'const a;'],
      [1, 1, 'const b = 1;'],
      [1, 2, 'return b;'],
    ]);
  });

  it('stay on the lines that they had while a fence in a list streams, which is drawn anew each time', async () => {
    const chat = await begin(said('- item\n\n  ```ts\n  const a;\n  const b;\n'));
    await keywords(chat, 2);
    await chat.page.evaluate(`window.harness.codeTheme = null`);
    await chat.play(said('  const c;\n'));
    await soon('the third line', async () => (await code(chat)).includes('const c;\n'));
    await keywords(chat, 2);
    assert.deepEqual(
      (await asks(chat)).map(({ from }) => from),
      [0, 2],
      'only the new line was asked for',
    );
  });

  it('are asked for again when the extension has forgotten the block', async () => {
    const chat = await begin(said('```ts\nconst a;\n'));
    await keywords(chat, 1);
    await chat.page.evaluate('window.harness.forgetCode()');
    await chat.play(said('const b;\n'));
    await keywords(chat, 2);
    assert.deepEqual(
      (await asks(chat)).map(({ from }) => from),
      [0, 1, 0],
    );
  });

  it('change with the theme', async () => {
    const chat = await begin(said('```ts\nconst a;\nreturn\n```\n'));
    await keywords(chat, 2);
    await chat.page.evaluate(`window.harness.codeTheme = 'second'`);
    await chat.post({ type: 'themeChanged' });
    await soon('other colours', async () => (await colors(chat))['rgb(0, 0, 255)']?.length === 2);
    assert.deepEqual(Object.keys(await colors(chat)), ['rgb(0, 0, 255)']);
  });

  it('are not asked for where the language has none', async () => {
    const chat = await begin(
      said('```nonsense\nconst a\n```\n\n```\nconst b\n```\n\n    const c\n\n```js\nconst d\n```\n'),
    );
    await keywords(chat, 1);
    assert.deepEqual(
      (await asks(chat)).map(({ text }) => text),
      ['const d'],
    );
  });

  it('are asked for and kept only near the part of the conversation that is on screen', async () => {
    const blocks = Array.from({ length: 60 }, (_, i) => `\`\`\`ts\n${lines(40)}// ${i}\n\`\`\`\n\n`).join('');
    const chat = await begin(said(blocks));
    await soon('colours', async () => (await colors(chat))[KEYWORD] !== undefined);
    await chat.drawn();
    const first = await asks(chat);
    assert.ok(first.length < 15, `${first.length} questions for 60 blocks`);
    await chat.scrollToTop();
    await soon('colours at the top', async () =>
      (await asks(chat)).some(({ text }) => text.endsWith('// 0')),
    );
    await soon('few coloured words', async () => (await chat.page.evaluate<number>(spans)) < 1_000);
  });

  it('of a very long block are asked for in parts, and only those near are painted', async () => {
    const chat = await begin(said(`\`\`\`ts\n${lines(2_000)}\`\`\`\n`));
    await soon('the last line', async () =>
      ((await colors(chat))['rgb(206, 145, 120)'] ?? []).includes('1999'),
    );
    const all = await asks(chat);
    assert.deepEqual(
      all.map(({ from }) => from),
      Array.from({ length: 10 }, (_, i) => i * 200),
    );
    assert.ok((await chat.page.evaluate<number>(spans)) < 1_000);
    await chat.scrollToTop();
    await soon('the first line', async () => ((await colors(chat))['rgb(206, 145, 120)'] ?? [])[0] === '0');
    assert.equal((await asks(chat)).length, all.length, 'what is known is not asked for again');
  });

  it('leave what is found and what is selected where it is', async () => {
    const chat = await open('ready');
    await chat.page.evaluate('window.harness.codeTheme = null');
    await chat.play(asked('go'), said('```ts\nconst a = 1;\nreturn a;\n```\n'));
    await soon('the question', async () => (await asks(chat)).length === 1);
    await chat.page.keyboard.press('Control+f');
    await chat.page.locator('[data-parley="find"] input').fill('const a');
    const marks = `[...(CSS.highlights.get('parley-find') ?? [])].map(String).join()`;
    const marked = (): Promise<boolean> =>
      soon('a mark', async () => (await chat.page.evaluate(marks)) === 'const a');
    await marked();
    await chat.page.evaluate(`(() => {
      const text = document.querySelector('.code code div').firstChild;
      getSelection().setBaseAndExtent(text, 15, text, 3);
    })()`);
    const selected = 'String(getSelection())';
    const before = await chat.page.evaluate(selected);
    assert.equal(before, 'st a = 1;\nre');
    const { block } = (await asks(chat))[0] ?? { block: 0 };
    const runs = [
      [5, 0],
      [6, 0],
    ];
    await chat.post({ type: 'tokens', block, from: 0, colors: ['#ff0000'], lines: runs });
    await soon('colours', async () => (await chat.page.evaluate<number>(spans)) === 2);
    assert.equal(await chat.page.evaluate(selected), before);
    await marked();
    assert.equal(await code(chat), 'const a = 1;\nreturn a;\n');
  });

  it('give way to the text where it turns out to be another one', async () => {
    const chat = await begin(said('> ```ts\n> const a;\n> const b;\n'));
    await keywords(chat, 2);
    await chat.play(said('and on, behind the quote'));
    await chat.page.getByText('and on').waitFor();
    assert.equal(await code(chat), 'const a;\nconst b;\n');
    await keywords(chat, 2);
  });

  it('leave a block without an answer plain and readable', async () => {
    const chat = await open('ready', '', {});
    await chat.page.evaluate('window.harness.codeTheme = null');
    await chat.play(asked('go'), said('```ts\nconst a;\n```\n'));
    await soon('the question', async () => (await asks(chat)).length === 1);
    await chat.post({ type: 'noTokens', block: 1, why: 'plain' });
    await chat.play(said('\nAnd on.'));
    await chat.page.getByText('And on.').waitFor();
    assert.deepEqual(await colors(chat), {});
    assert.equal((await asks(chat)).length, 1);
  });

  describe('the head of a code block', () => {
    const button = (chat: ChatPage, name: string) => chat.page.getByRole('button', { name, exact: true });

    it('tells language and file, and asks for what its buttons are for', async () => {
      const chat = await begin(said('```sh tools/run.sh\nnpm test\n```\n'));
      await chat.page.locator('.code-title', { hasText: 'sh' }).getByText('tools/run.sh').waitFor();
      await chat.page.locator('.code').hover();
      for (const name of ['Copy code', 'Insert at cursor', 'Apply to file…', 'Open as document'])
        await button(chat, name).click();
      await expectIntents(
        { type: 'copy', text: 'npm test' },
        { type: 'insertCode', text: 'npm test' },
        { type: 'applyCode', text: 'npm test', info: 'sh tools/run.sh' },
        { type: 'openText', text: 'npm test', language: 'shellscript' },
      );
    });

    it('shows its buttons to the pointer and to the keyboard', async () => {
      const chat = await begin(said('```ts\nlet a;\n```\n'));
      const opacity = (): Promise<string> =>
        chat.page.evaluate(`getComputedStyle(document.querySelector('[data-code]')).opacity`);
      await button(chat, 'Copy code').waitFor({ state: 'attached' });
      await chat.composer.hover();
      assert.equal(await opacity(), '0');
      await chat.page.locator('.code').hover();
      assert.equal(await opacity(), '1');
      await chat.composer.hover();
      await chat.transcript.focus();
      await chat.page.keyboard.press('Tab');
      for (let i = 0; i < 20 && (await opacity()) === '0'; i++) await chat.page.keyboard.press('Tab');
      await expectFocus('[data-code="copy"]');
      await chat.page.keyboard.press('Tab');
      await chat.page.keyboard.press('Enter');
      await expectIntents({ type: 'insertCode', text: 'let a;' });
    });

    it('keeps the language in view at 300 px', async () => {
      const chat = await open('ready', '', { width: 300 });
      await chat.play(
        asked('go'),
        said('```typescript src/a/very/long/path/to/some/file/with/a/long/name.ts\nlet a;\n```\n'),
      );
      const cut = `(() => {
        const [language, path] = document.querySelectorAll('.code-title > span');
        const head = document.querySelector('.code-head');
        return { language: language.scrollWidth <= language.clientWidth && language.clientWidth > 0,
          path: path.scrollWidth > path.clientWidth, head: head.scrollWidth <= head.clientWidth };
      })()`;
      await chat.page.locator('.code').waitFor();
      assert.deepEqual(await chat.page.evaluate(cut), { language: true, path: true, head: true });
    });
  });
});
