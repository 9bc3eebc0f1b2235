// Pictures of the page's scenes, in each kind of theme, at 300 and 600 px, in English and Chinese.
//   node test/support/pageHarness/shoot.mjs <folder> [scene…] [--theme T] [--width N] [--lang L] [--height N]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium as browserType } from 'playwright-core';
import { chromium, pageEntries, serve } from './serve.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    theme: { type: 'string', multiple: true, default: ['dark', 'light', 'high-contrast'] },
    width: { type: 'string', multiple: true, default: ['300', '600'] },
    lang: { type: 'string', multiple: true, default: ['en', 'zh-cn'] },
    height: { type: 'string', default: '1000' },
  },
});
const [folder, ...wanted] = positionals;
if (!folder) throw new Error('Name the folder for the pictures.');
const scenes = wanted.length > 0 ? wanted : ['turn', 'failures', 'languages', 'empty', 'sessions'];

const looks = scenes.flatMap((scene) =>
  values.lang.flatMap((lang) =>
    values.theme.flatMap((theme) =>
      values.width.map((width) => ({ scene, lang, theme, width: Number(width) })),
    ),
  ),
);

/** Resolves when all is on screen: the first snapshot, the fonts, and what the scene needs beside. */
async function shown(page, scene, lang) {
  await page.locator('[data-parley="panel"]:not([data-connection="none"])').waitFor();
  if (/sessions$/i.test(scene)) {
    await page.locator('[data-parley="sessions-button"]').click();
    await page.locator('[data-parley="sessions"]').waitFor();
  }
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  const texts = await page.evaluate(() => document.documentElement.lang);
  if (texts !== lang) throw new Error(`The page is in ${texts} instead of ${lang}.`);
}

/** True where something is wider than its place. */
const scrollsSideways = (page) =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.transcript, .sessions-body')].some(
      (e) => e.scrollWidth > e.clientWidth,
    ),
  );

mkdirSync(folder, { recursive: true });
const server = await serve(pageEntries);
const browser = await browserType.launch(chromium);
try {
  for (const { scene, lang, theme, width } of looks) {
    const page = await browser.newPage({
      viewport: { width, height: Number(values.height) },
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
    });
    const name = [scene, width, theme, ...(lang === 'en' ? [] : [lang])].join('-');
    page.on('console', (message) => console.log(`${name}: ${message.text()}`));
    page.on('pageerror', (error) => console.log(`${name}: ${error.message}`));
    const query = new URLSearchParams({ scene, theme, lang });
    await page.goto(`${server.url}/test/support/pageHarness/page.html?${query}`);
    await shown(page, scene, lang);
    if (await scrollsSideways(page)) console.log(`${name} scrolls sideways`);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
