import assert from 'node:assert/strict';
import type { ChatPage } from '../../support/pageHarness/chatPage';
import { describePage, soon } from '../../support/pageHarness/describePage';
import { says } from '../../support/pageHarness/markdownScenes';
import { PIXEL } from '../../support/pageHarness/turnScenes';

const FLOW = '```mermaid\nflowchart LR\n  A[Cart] --> B[Order]\n```\n';

describePage('drawings in messages', ({ open, expectIntents }) => {
  const math = (chat: ChatPage) => chat.page.locator('.markdown math');
  const diagrams = (chat: ChatPage) => chat.page.locator('.markdown .diagram svg');
  const sentPictures = (chat: ChatPage): Promise<string[]> =>
    chat.page.evaluate(
      `window.harness.sent.filter(({ type }) => type === 'readPicture').map(({ path }) => path)`,
    );
  /** The page's harness bundles what draws diagrams when it is first asked for, which takes longer than a person would wait. */
  const openForDiagrams = async (): Promise<ChatPage> => {
    const chat = await open('answering');
    await fetch(new URL('/built/mermaid.js', chat.page.url()));
    return chat;
  };
  /** Files beside the page's script that were loaded. */
  const loaded = (chat: ChatPage): Promise<string[]> =>
    chat.page.evaluate(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /katex|mermaid/.test(name)).map((name) => name.split('/').at(-1))`,
    );

  it('draws formulas as MathML once the first one is there, and keeps prices as they are', async () => {
    const chat = await open('answering');
    await chat.play(says('It costs $5 or $10.\n\n'));
    await chat.page.getByText('It costs $5 or $10.').waitFor();
    await chat.drawn();
    assert.deepEqual(await loaded(chat), [], 'nothing is loaded before it is needed');
    await chat.play(says('So $a^2$ and'));
    await math(chat).waitFor();
    assert.deepEqual(await loaded(chat), ['katex.js']);
    await chat.play(says(' \\(b\\):\n\n$$\n\\frac{c}{d}\n$$\n\nEnd'));
    await math(chat).nth(2).waitFor();
    assert.equal(await chat.page.locator('.markdown math[display="block"] mfrac').count(), 1);
    assert.equal(await chat.page.getByText('$', { exact: false }).count(), 1, 'only the prices');
  });

  it('keeps a formula drawn while its paragraph goes on', async () => {
    const chat = await open('answering');
    await chat.play(says('So $a^2$'));
    await math(chat).waitFor();
    await chat.page.evaluate(`{
      window.gone = 0;
      const look = () => { if (!document.querySelector('.markdown math')) window.gone++; };
      new MutationObserver(look).observe(document.querySelector('.markdown'), { childList: true, subtree: true });
    }`);
    for (const word of [' is', ' *the*', ' end.']) {
      await chat.play(says(word));
      await chat.page
        .locator('.markdown p')
        .filter({ hasText: word.replaceAll('*', '') })
        .waitFor();
    }
    assert.equal(await chat.page.evaluate('window.gone'), 0);
  });

  it('shows the source of a formula that is wrong, with what is wrong, and lets none reach out', async () => {
    const chat = await open('answering');
    const link =
      '$\\href{javascript:alert(1)}{x}$ $\\includegraphics{https://a.example/b.png}$ $\\htmlStyle{position:fixed}{y}$';
    await chat.play(says(`Wrong: $\\frac{a$ and ${link} and $z$`));
    await math(chat).first().waitFor();
    const wrong = chat.page.locator('.math.failed').first();
    assert.equal(await wrong.innerText(), '$\\frac{a$');
    assert.match((await wrong.getAttribute('title')) ?? '', /KaTeX|expected|Expected/i);
    assert.equal(await chat.page.locator('.markdown :is(a, [href], img, [style])').count(), 0);
  });

  it('leaves the source where the file that draws formulas can not be loaded', async () => {
    const chat = await open('answering');
    await chat.page.route('**/katex.js', (route) => route.abort());
    await chat.play(says('So $a^2$ and'));
    await soon('a try to load', async () => (await loaded(chat)).length > 0);
    await chat.play(says(' $b$.'));
    await chat.page.getByText('So $a^2$ and $b$.').waitFor();
  });

  it('draws a diagram when its code block has its end, and shows its source on demand', async () => {
    const chat = await openForDiagrams();
    await chat.play(says(`The way:\n\n${FLOW.slice(0, -5)}\n`));
    await chat.page.locator('.code pre').waitFor();
    await chat.drawn();
    await chat.drawn();
    assert.deepEqual(await loaded(chat), [], 'nothing is drawn of an open block');
    await chat.play(says('```\n'));
    await diagrams(chat).waitFor();
    assert.equal(await chat.page.locator('.code pre').isVisible(), false);
    assert.match(await diagrams(chat).innerHTML(), /Cart/);
    await chat.page.getByRole('button', { name: 'Show source' }).click();
    assert.equal(await chat.page.locator('.code pre').isVisible(), true);
    assert.equal(await diagrams(chat).isVisible(), false);
    await chat.play(says('\nAnd more.\n\nEnd'));
    await chat.page.getByText('End').waitFor();
    assert.equal(await chat.page.locator('.code pre').isVisible(), true, 'as the person left it');
    await chat.page.getByRole('button', { name: 'Show diagram' }).click();
    await diagrams(chat).waitFor();
  });

  it('draws diagrams in lists, and of many kinds', async () => {
    const chat = await openForDiagrams();
    const sources = [
      'sequenceDiagram\n  A->>B: hello',
      'classDiagram\n  class Cart {\n    +total() int\n  }',
      'stateDiagram-v2\n  [*] --> Open',
      'erDiagram\n  CART ||--o{ ITEM : has',
      'gantt\n  title Plan\n  section One\n  Task :a1, 2026-01-01, 3d',
      'pie title Pets\n  "Dogs" : 3\n  "Cats" : 1',
      'mindmap\n  root((Cart))\n    Items',
      'gitGraph\n  commit\n  branch b\n  commit',
    ];
    const item = `- In a list\n\n  ${FLOW.replaceAll('\n', '\n  ')}\n\n`;
    await chat.play(says(item + sources.map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n`).join('\n')));
    const blocks = chat.page.locator('.markdown .code');
    for (let at = 0; at <= sources.length; at++) {
      await blocks.nth(at).scrollIntoViewIfNeeded();
      await blocks.nth(at).locator('.diagram svg').waitFor();
      const box = await blocks.nth(at).locator('.diagram svg').boundingBox();
      assert.ok(box && box.width > 40 && box.height > 20, `diagram ${at} has a size`);
    }
    assert.equal(await chat.page.locator('.diagram-note').count(), 0);
    assert.equal(
      await chat.page.locator('.diagram-workshop > *').count(),
      0,
      'nothing is left where they are drawn',
    );
  });

  it('shows the source of a diagram that can not be drawn, and says so once', async () => {
    const chat = await openForDiagrams();
    await chat.play(says('```mermaid\nflowchart LR\n  A --\n```\n\n```mermaid\nno diagram\n```\n'));
    const notes = chat.page.locator('.diagram-note');
    await notes.nth(1).waitFor();
    assert.equal(await notes.count(), 2);
    assert.match(await notes.first().innerText(), /can’t be drawn/);
    assert.equal(await chat.page.locator('.code pre').first().isVisible(), true);
    assert.equal(await chat.page.getByRole('button', { name: 'Show source' }).count(), 0);
  });

  it('SE-24 lets no diagram run, load or cover anything', async () => {
    const chat = await openForDiagrams();
    const source = [
      '%%{init: {"securityLevel": "loose", "flowchart": {"htmlLabels": true}, "themeCSS": ":host{position:fixed} * {background: url(https://a.example/x)}"}}%%',
      'flowchart LR',
      '  A["a <img src=x onerror=window.ran=1>"] --> B["<script>window.ran=1</script>B"]',
      '  click A "javascript:window.ran=1"',
      '  click B call alert()',
      '  style A fill:#f00,position:fixed',
    ].join('\n');
    await chat.play(says(`\`\`\`mermaid\n${source}\n\`\`\`\n`));
    await diagrams(chat).waitFor();
    const look = await chat.page.evaluate<{ html: string; css: string }>(`{
      const root = document.querySelector('.diagram')?.shadowRoot;
      ({
        html: root?.innerHTML ?? '',
        css: [...root?.adoptedStyleSheets ?? []].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join(' '),
      });
    }`);
    assert.doesNotMatch(look.html, /<script|<img|foreignObject|onerror=|javascript:|a\.example|position/i);
    assert.doesNotMatch(look.css, /:host|a\.example|position/);
    assert.equal(await chat.page.evaluate('window.ran'), undefined);
  });

  it('draws a large diagram only when the person asks, and keeps its source beside it until then', async () => {
    const chat = await openForDiagrams();
    const large = Array.from({ length: 70 }, (_, at) => `  n${at} --> n${at + 1}`).join('\n');
    await chat.play(says(`\`\`\`mermaid\nflowchart LR\n${large}\n\`\`\`\n\n${FLOW}`));
    await diagrams(chat).waitFor();
    const first = chat.page.locator('.markdown .code').first();
    assert.equal(await first.locator('.diagram, .diagram-note').count(), 0);
    assert.equal(await first.locator('pre').isVisible(), true);
    await chat.page.evaluate(`document.body.className = 'vscode-light'`);
    await chat.drawn();
    assert.equal(await first.locator('.diagram').count(), 0, 'nor with another theme');
    await first.getByRole('button', { name: 'Show diagram' }).click();
    await first.locator('.diagram svg').waitFor();
    assert.equal(await first.locator('pre').isVisible(), false);
    await first.getByRole('button', { name: 'Show source' }).click();
    assert.equal(await first.locator('pre').isVisible(), true);
  });

  it('says so of a diagram with too many edges that the person asked for', async () => {
    const chat = await openForDiagrams();
    const star = Array.from({ length: 160 }, (_, at) => `  a --> n${at}`).join('\n');
    await chat.play(says(`\`\`\`mermaid\nflowchart LR\n${star}\n\`\`\`\n`));
    await chat.page.getByRole('button', { name: 'Show diagram' }).click();
    await chat.page.locator('.diagram-note').waitFor();
    assert.equal(await chat.page.locator('.code pre').isVisible(), true);
    assert.equal(await chat.page.getByRole('button', { name: 'Show diagram' }).count(), 0);
  });

  it('keeps what a diagram holds in links and in choices', async () => {
    const chat = await openForDiagrams();
    const flow = 'flowchart LR\n  A[Cart] --> B[Order]\n  click A "https://a.example/cart"';
    const journey = 'journey\n  title Day\n  section Morning\n    Drink tea: 5: Ada';
    await chat.play(says([flow, journey].map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n`).join('\n')));
    await diagrams(chat).nth(1).waitFor();
    assert.match((await diagrams(chat).nth(0).textContent()) ?? '', /Cart/);
    assert.match((await diagrams(chat).nth(1).textContent()) ?? '', /Drink tea/);
    const html = (await diagrams(chat).nth(0).innerHTML()) + (await diagrams(chat).nth(1).innerHTML());
    assert.doesNotMatch(html, /<a[ >]|<switch|foreignObject|a\.example/i);
  });

  it('leaves no style sheet of a diagram in the page', async () => {
    const chat = await openForDiagrams();
    const sheets = (): Promise<number> => chat.page.evaluate('document.adoptedStyleSheets.length');
    await chat.page.evaluate('document.adoptedStyleSheets.push(new CSSStyleSheet())');
    const before = await sheets();
    await chat.play(says(`${FLOW}\n${FLOW.replace('Cart', 'Basket')}`));
    await diagrams(chat).nth(1).waitFor();
    await soon('the sheets of before', async () => (await sheets()) === before);
  });

  it('draws diagrams anew in the colours of another theme', async () => {
    const chat = await openForDiagrams();
    await chat.play(says(FLOW));
    await diagrams(chat).waitFor();
    const fill = (): Promise<string> =>
      chat.page.evaluate(
        `getComputedStyle(document.querySelector('.diagram').shadowRoot.querySelector('.node rect')).fill`,
      );
    const dark = await fill();
    await chat.page.evaluate(`document.body.className = 'vscode-light'`);
    await soon('other colours', async () => (await fill()) !== dark);
  });

  it('shows a picture of the workspace when it comes near the view, once for all, and else its link', async () => {
    const chat = await open('answering');
    await chat.page.evaluate(`Object.assign(window.harness.pictures, {
      'far.png': window.harness.pictures['docs/cart.png'],
      'bad.svg': 'data:image/svg+xml;base64,PHN2Zy8+',
    })`);
    const far = 'Text.\n\n'.repeat(100);
    await chat.play(
      says(
        `![far](far.png)\n\n${far}![cart](docs/cart.png) ![again](docs/cart.png) ![none](none.png) ![bad](bad.svg)`,
      ),
    );
    const images = chat.page.locator('.markdown img');
    await images.nth(1).waitFor({ state: 'attached' });
    await soon('all questions', async () => (await sentPictures(chat)).length === 3);
    assert.deepEqual((await sentPictures(chat)).sort(), ['bad.svg', 'docs/cart.png', 'none.png']);
    assert.equal(await images.first().getAttribute('src'), `data:image/png;base64,${PIXEL}`);
    assert.equal(await images.first().getAttribute('alt'), 'cart');
    await chat.page.getByRole('link', { name: 'none' }).waitFor();
    await chat.page.getByRole('link', { name: 'bad' }).waitFor();
    assert.equal(await images.count(), 2);
    await chat.scrollToTop();
    await images.nth(2).waitFor({ state: 'attached' });
    assert.equal((await sentPictures(chat)).length, 4);
  });

  it('asks once for a picture however its path is spelt, and for at most 50 of one message', async () => {
    const chat = await open('answering');
    const many = Array.from({ length: 60 }, (_, at) => `![p](p${at}.png)`).join(' ');
    await chat.play(says(`![a](./p0.png) ![b](././p0.png) ${many}\n\nEnd`));
    await soon('50 questions', async () => (await sentPictures(chat)).length >= 50);
    await chat.drawn();
    await chat.drawn();
    const sent = await sentPictures(chat);
    assert.equal(sent.length, 50);
    assert.equal(new Set(sent).size, 50);
    assert.equal(await chat.page.locator('.markdown [role="link"]').count(), 62);
  });

  it('draws formulas when they come near the view', async () => {
    const chat = await open('answering');
    await chat.play(says(`Far: $a^2$\n\n${'Text.\n\n'.repeat(200)}Near: $b^2$`));
    await math(chat).waitFor();
    await chat.drawn();
    assert.equal(await math(chat).count(), 1);
    await chat.scrollToTop();
    await math(chat).first().waitFor();
  });

  it('names the boxes of tasks, which nobody can press', async () => {
    const chat = await open('answering');
    await chat.play(says('- [x] Read\n- [ ] Write\n'));
    const boxes = chat.page.getByRole('checkbox', { disabled: true });
    await boxes.nth(1).waitFor();
    assert.equal(await chat.page.getByRole('checkbox', { name: 'Done' }).isChecked(), true);
    assert.equal(await chat.page.getByRole('checkbox', { name: 'To do' }).isChecked(), false);
  });

  it('TC-8 opens a path in the text at its line, and says what the extension says against it', async () => {
    const chat = await open('answering');
    await chat.play(says('See src/a.ts:12 and `src/none.ts`, not command:x or vscode:a/b.ts:1.'));
    const links = chat.page.getByRole('link');
    await links.nth(1).waitFor();
    assert.equal(await links.count(), 2);
    await links.first().click();
    await chat.refuseNext('There is no file src/none.ts.');
    await links.nth(1).focus();
    await chat.page.keyboard.press('Enter');
    await chat.page.getByText('There is no file src/none.ts.').waitFor();
    await expectIntents(
      { type: 'openFile', path: 'src/a.ts', line: 12 },
      { type: 'openFile', path: 'src/none.ts' },
    );
  });
});
