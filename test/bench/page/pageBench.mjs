// What the measurements of the page in a browser share.
import { chromium as browserType } from 'playwright-core';
import { chromium, serve } from '../../support/pageHarness/serve.mjs';

const WORK = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];

/** The value below which a share of all values is. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const round = (value) => Math.round(value * 100) / 100;

/** A page of the bench, with what the browser tells of it. */
export class BenchPage {
  constructor(page, session) {
    this.page = page;
    this.session = session;
  }

  /** The figures of the browser, times in ms of CPU. */
  async metrics() {
    const { metrics } = await this.session.send('Performance.getMetrics');
    const all = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    return {
      work: WORK.reduce((sum, name) => sum + all[name] * 1000, 0),
      nodes: all.Nodes,
      heap: all.JSHeapUsedSize,
    };
  }

  /** Scripts, styles and layout of one piece of work, ms. */
  async work(act) {
    const before = await this.metrics();
    await act();
    return (await this.metrics()).work - before.work;
  }

  /** What is in use after the garbage has been collected. */
  async settled() {
    await this.session.send('HeapProfiler.collectGarbage');
    await this.session.send('HeapProfiler.collectGarbage');
    return this.metrics();
  }
}

/** Runs work with a function that opens a page: that of Parley (`parley`) or the control (`naive`). */
export async function withPages(work) {
  const server = await serve({
    webview: 'src/webview/main.tsx',
    host: 'test/bench/page/transcriptHost.ts',
    naive: 'test/bench/page/naiveTranscript.ts',
  });
  const browser = await browserType.launch(chromium);
  const open = async (which, script = '') => {
    const page = await browser.newPage({ viewport: { width: 380, height: 800 } });
    await page.addInitScript(script);
    await page.goto(`${server.url}/test/bench/page/transcript.html`);
    const scripts = which === 'parley' ? ['host', 'webview'] : ['naive'];
    for (const name of scripts) await page.addScriptTag({ url: `${server.url}/built/${name}.js` });
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
    await session.send('Performance.enable');
    return new BenchPage(page, session);
  };
  try {
    return await work(open);
  } finally {
    await browser.close();
    server.close();
  }
}

/** A table in the terminal: what, Parley, control, how many times, target. */
export function printTable(title, rows) {
  const lines = [[title, 'Parley', 'Control', 'Control ÷ Parley', 'Target'], ...rows];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => String(line[column]).length)));
  for (const line of lines)
    console.log(`| ${line.map((cell, at) => String(cell).padEnd(widths[at])).join(' | ')} |`);
}
