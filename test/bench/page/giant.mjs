// CPU time of the main thread for messages that are one giant block, against a control that renders all of it anew with each frame.
// Both get the same text with each frame. Fails where the control is not at least four times as dear in what renderers differ in:
// scripts, styles and layout. The whole time has the frames themselves too, which cost both the same.
//   node test/bench/page/giant.mjs [characters per frame]
import { chromium as browserType } from 'playwright-core';
import { chromium, serve } from '../../support/pageHarness/serve.mjs';

const PER_FRAME = Number(process.argv[2] ?? 400);
const BOUND = 4;

const prose = (n) =>
  `Step ${n} has **bold** and *emphasis*, \`code(${n})\` and [a file](src/part${n}.ts:12) in it`;

function fill(length, first, part) {
  let text = first;
  for (let n = 0; text.length < length; n++) text += part(n);
  return text;
}

const blocks = {
  fence: fill(100_000, '```ts\n', (n) => `export const value${n} = compute(${n}, 'some text');\n`) + '```\n',
  list: fill(100_000, '', (n) => `- ${prose(n)}\n${n % 5 === 0 ? `  - nested ${n}\n` : ''}`),
  table: fill(60_000, '| name | what | size |\n|---|---|--:|\n', (n) => `| n${n} | ${prose(n)} | ${n} |\n`),
  paragraph: fill(60_000, '', (n) => `${prose(n)}, and so it goes on. `),
};

const server = await serve({ giant: 'test/bench/page/giant.ts' });
const browser = await browserType.launch(chromium);

const work = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];

/** One message, ms. */
async function measure(name, text) {
  const page = await browser.newPage({ viewport: { width: 380, height: 800 } });
  await page.goto(`${server.url}/test/bench/page/empty.html`);
  await page.addStyleTag({ url: `${server.url}/media/chat.css` });
  await page.addScriptTag({ url: `${server.url}/built/giant.js` });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await session.send('Performance.enable');
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const sum = (names) =>
      metrics.filter((one) => names.includes(one.name)).reduce((all, { value }) => all + value * 1000, 0);
    return { work: sum(work), total: sum(['TaskDuration']) };
  };
  const pieces = text.match(new RegExp(`[^]{1,${PER_FRAME}}`, 'g'));
  const before = await read();
  const longestTask = await page.evaluate(([key, list]) => window[key](list), [name, pieces]);
  const after = await read();
  await page.close();
  const round = Math.round;
  return {
    work: round(after.work - before.work),
    total: round(after.total - before.total),
    longestTask: round(longestTask),
  };
}

try {
  const results = {};
  for (const [name, text] of Object.entries(blocks)) {
    const committer = await measure('committer', text);
    const naive = await measure('naive', text);
    results[name] = { committer, naive, ratio: Math.round((naive.work / committer.work) * 10) / 10 };
    if (results[name].ratio < BOUND) process.exitCode = 1;
  }
  console.log(JSON.stringify(results));
} finally {
  await browser.close();
  server.close();
}
