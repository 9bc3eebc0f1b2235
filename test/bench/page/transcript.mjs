// What a long conversation costs, against a control that has all entries in the document and draws all of them for each new one.
// Prints a table, and the figures as JSON in the last line. Fails where the control is not as many times dearer as `bounds` says; the
// times themselves are targets.
//   node test/bench/page/transcript.mjs [entries]
import { printTable, quantile, round, withPages } from './pageBench.mjs';

const ENTRIES = Number(process.argv[2] ?? 5000);
/** Entries of a short session, to compare with. */
const FEW = 50;
/** What the control must be times Parley. */
const bounds = { append: 20, resize: 10, nodes: 10, firstPaint: 3 };
const WIDTHS = [300, 520, 340, 600, 380];

const countCalls = `
  window.calls = 0;
  for (const name of ['requestAnimationFrame', 'setTimeout', 'setInterval', 'requestIdleCallback']) {
    const real = window[name].bind(window);
    window[name] = (...args) => { window.calls++; return real(...args); };
  }`;

/** The longest time between two frames while a short query is typed into the find bar and counted, ms. */
const findGap = `new Promise((done) => {
  const press = (target, init) => target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }));
  press(document.body, { key: 'f', ctrlKey: true });
  let [last, longest, start] = [performance.now(), 0, performance.now()];
  requestAnimationFrame(() => {
    const field = document.querySelector('[data-parley="find"] input');
    field.value = 'e';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    const onFrame = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (/of 9999\\+/.test(document.querySelector('.find-count').textContent)) done({ longest, total: now - start });
      else requestAnimationFrame(onFrame);
    };
    last = performance.now();
    requestAnimationFrame(onFrame);
  });
})`;

/** Scripts, styles and layout of something that a page can do, each time, ms. */
async function times(bench, what, count) {
  const all = [];
  for (let i = 0; i < count; i++)
    all.push(await bench.work(() => bench.page.evaluate((name) => window.bench[name](), what)));
  return all;
}

/** What a new entry costs where only few are there, ms. */
async function appendToFew(open) {
  const bench = await open('parley');
  await bench.page.evaluate((count) => window.bench.begin(count), FEW);
  await times(bench, 'append', 20);
  const append = quantile(await times(bench, 'append', 60), 0.5);
  const rest = quantile(await times(bench, 'rest', 20), 0.5);
  await bench.page.close();
  return round(append - rest);
}

/** Figures of one page. */
async function measure(open, which, appends) {
  const bench = await open(which, countCalls);
  const { page } = bench;
  const begin = (entries) => page.evaluate((count) => window.bench.begin(count), entries);
  const empty = await bench.settled();
  const firstPaint = await begin(ENTRIES);
  const append = await times(bench, 'append', appends);
  const rest = quantile(await times(bench, 'rest', 20), 0.5);
  const full = await bench.settled();
  const resize = [];
  for (const width of WIDTHS) {
    resize.push(
      await bench.work(async () => {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      }),
    );
  }
  await page.evaluate(() => window.bench.scroll(10, 10));
  const scroll = await page.evaluate(() => window.bench.scroll(200, 150));
  const afterScroll = await bench.settled();
  const calls = await page.evaluate(async () => {
    await new Promise((done) => setTimeout(done, 500));
    const before = window.calls;
    await new Promise((done) => setTimeout(done, 2000));
    return window.calls - before - 1;
  });
  const find = which === 'parley' ? await page.evaluate(findGap) : undefined;
  await page.close();
  return {
    append: round(Math.max(0, quantile(append, 0.5) - rest)),
    appendMax: round(Math.max(...append) - rest),
    resize: round(quantile(resize, 0.5)),
    scrollFrame: round(quantile(scroll, 0.95)),
    nodes: Math.max(full.nodes, afterScroll.nodes),
    heapPer100: round((full.heap - empty.heap) / 1e6 / (ENTRIES / 100)),
    firstPaint: round(firstPaint),
    idleCalls: calls,
    ...(find && { findGap: round(find.longest), findTotal: round(find.total) }),
  };
}

await withPages(async (open) => {
  const parley = await measure(open, 'parley', 60);
  const few = await appendToFew(open);
  const naive = await measure(open, 'naive', 3);
  const ratios = Object.fromEntries(Object.keys(bounds).map((key) => [key, round(naive[key] / parley[key])]));
  const row = (what, key, unit, target) => [
    what,
    `${parley[key]}${unit}`,
    naive[key] === undefined ? '' : `${naive[key]}${unit}`,
    bounds[key] ? `${ratios[key]} (≥ ${bounds[key]})` : '',
    target,
  ];
  printTable(`${ENTRIES.toLocaleString('en')} entries`, [
    row('New entry at the end, median', 'append', ' ms', '≤ 1 ms'),
    [`– where there are ${FEW}`, `${few} ms`, '', '', 'the same'],
    row('– longest', 'appendMax', ' ms', '≤ 5 ms'),
    row('Another width, median', 'resize', ' ms', '≤ 16 ms'),
    row('Frame while scrolling, p95', 'scrollFrame', ' ms', '≤ 17 ms'),
    row('Nodes', 'nodes', '', '≤ 15,000'),
    row('Heap per 100 entries', 'heapPer100', ' MB', '≤ 1 MB'),
    row('Snapshot → newest entries painted', 'firstPaint', ' ms', '≤ 200 ms'),
    row('Frames and timers in 2 idle s', 'idleCalls', '', '0'),
    row('Longest frame while "e" is found', 'findGap', ' ms', '≤ 33 ms'),
    row('– until it is counted', 'findTotal', ' ms', ''),
  ]);
  if (Object.entries(bounds).some(([key, bound]) => ratios[key] < bound)) process.exitCode = 1;
  console.log(JSON.stringify({ entries: ENTRIES, parley, few, naive, ratios, bounds }));
});
