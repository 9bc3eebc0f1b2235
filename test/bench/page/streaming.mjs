// How long a streamed message takes until its last word is on screen, against a control that renders all of it for each chunk.
//   node test/bench/page/streaming.mjs [chunks]
import { chromium as browserType } from 'playwright-core';
import { chromium, serve } from '../../support/pageHarness/serve.mjs';
import { sampleChunks } from '../sample.mjs';

const CHUNKS = Number(process.argv[2] ?? 2000);
const chunks = sampleChunks(CHUNKS);

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
    [name, chunks],
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
      bytes: chunks.join('').length,
      committerMs: round(committer),
      naiveMs: round(naive),
      ratio: round(naive / committer),
    }),
  );
} finally {
  await browser.close();
  server.close();
}
