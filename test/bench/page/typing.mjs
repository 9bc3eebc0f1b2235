// What typing in the composer costs while an agent streams at the end of a long conversation: 1,000 tokens, 2 ms apart. The control
// has all entries in the document and draws the streamed message anew with each token. Prints a table, and the figures as JSON in the
// last line. Fails where Parley's longest task is not shorter than the control's by `BOUND`; the times themselves are targets.
//   node test/bench/page/typing.mjs [tokens] [entries]
import { printTable, quantile, round, withPages } from './pageBench.mjs';

const TOKENS = Number(process.argv[2] ?? 1000);
const ENTRIES = Number(process.argv[3] ?? 5000);
const BOUND = 1;

/** Notes the longest task, and how long each key takes until the frame with it has been drawn. */
const watch = `
  window.keys = [];
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask' });
  addEventListener('input', (event) => {
    const pressed = event.timeStamp;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = () => { window.keys.push(performance.now() - pressed); port2.close(); };
      port1.postMessage(0);
    });
  }, true);`;

async function measure(open, which, tokens) {
  const { page } = await open(which, watch);
  await page.evaluate((count) => window.bench.begin(count), ENTRIES);
  const field = which === 'parley' ? '[data-parley="composer"]' : 'textarea';
  if (which === 'naive') await page.evaluate(() => document.body.append(document.createElement('textarea')));
  await page.locator(field).focus();
  await page.evaluate(() => {
    window.keys = [];
    window.longest = 0;
  });
  let over = false;
  const streamed = page.evaluate((count) => window.bench.stream(count), tokens).then(() => (over = true));
  while (!over) await page.keyboard.press('a', { delay: 40 });
  await streamed;
  const { keys, longest } = await page.evaluate(() => ({ keys: window.keys, longest: window.longest }));
  await page.close();
  return { longestTask: round(longest), key: round(quantile(keys, 0.95)), keys: keys.length };
}

await withPages(async (open) => {
  const parley = await measure(open, 'parley', TOKENS);
  // The figures do not depend on how many there are, and all of them would take minutes.
  const naive = await measure(open, 'naive', Math.ceil(TOKENS / 20));
  // Tasks below 50 ms are not told.
  const ratio = round(Math.max(naive.longestTask, 50) / Math.max(parley.longestTask, 50));
  printTable(
    `${TOKENS.toLocaleString('en')} tokens at 2 ms, ${ENTRIES.toLocaleString('en')} entries before`,
    [
      [
        'Longest task above 50 ms',
        `${parley.longestTask || '–'}`,
        `${naive.longestTask || '–'}`,
        `${ratio} (≥ ${BOUND})`,
        'none',
      ],
      ['Key → painted, p95', `${parley.key} ms`, `${naive.key} ms`, '', '≤ 33 ms'],
    ],
  );
  if (ratio < BOUND) process.exitCode = 1;
  console.log(JSON.stringify({ tokens: TOKENS, entries: ENTRIES, parley, naive, ratio }));
});
