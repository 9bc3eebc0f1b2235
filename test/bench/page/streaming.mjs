// How long a streamed message takes until its last word is on screen, against a control that renders all of it for each chunk.
//   node test/bench/page/streaming.mjs [chunks]
import { chromium as browserType } from 'playwright-core';
import { chromium, serve } from '../../support/pageHarness/serve.mjs';

const CHUNKS = Number(process.argv[2] ?? 2000);
const CHUNK_LENGTH = 40;

const sample = `## Part {n}

The build has **three** parts, see [the file](src/build{n}.ts:12), and \`code\` with *emphasis*, so that a paragraph has some length.

1. First of all, something that is longer than one line of a narrow panel
   - nested, with \`code\`
2. Second

| name | size |
|------|-----:|
| page | {n} KB |

\`\`\`ts
export const value{n} = compute({n});
if (value{n} > 3) throw new Error('too much');
\`\`\`

`;

function chunks() {
  let text = '';
  for (let n = 0; text.length < CHUNKS * CHUNK_LENGTH - 40; n++) text += sample.replaceAll('{n}', n);
  text = `${text.slice(0, CHUNKS * CHUNK_LENGTH - 20).trimEnd()}\n\`\`\`\n\nThe last word`.slice(
    -CHUNKS * CHUNK_LENGTH,
  );
  return Array.from({ length: CHUNKS }, (_, i) => text.slice(i * CHUNK_LENGTH, (i + 1) * CHUNK_LENGTH));
}

const server = await serve({ naive: 'test/bench/page/naive.ts', committer: 'test/bench/page/committer.ts' });
const browser = await browserType.launch(chromium);

async function measure(name) {
  const page = await browser.newPage({ viewport: { width: 380, height: 800 } });
  await page.goto(`${server.url}/test/bench/page/empty.html`);
  await page.addStyleTag({ url: `${server.url}/media/chat.css` });
  await page.addScriptTag({ url: `${server.url}/built/${name}.js` });
  const result = await page.evaluate(
    async ([key, list]) => {
      const element = document.body.appendChild(document.createElement('div'));
      element.style.cssText = 'height: 700px; overflow: auto';
      const start = performance.now();
      await window[key](element, list);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - start;
    },
    [name, chunks()],
  );
  await page.close();
  return result;
}

try {
  const committer = await measure('committer');
  const naive = await measure('naive');
  const round = (value) => Math.round(value * 10) / 10;
  console.log(
    JSON.stringify({
      chunks: CHUNKS,
      bytes: CHUNKS * CHUNK_LENGTH,
      committerMs: round(committer),
      naiveMs: round(naive),
      ratio: round(naive / committer),
    }),
  );
} finally {
  await browser.close();
  server.close();
}
