// Pictures of the page's scenes.
//   node test/support/pageHarness/shoot.mjs <folder> [scene…]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium as browserType } from 'playwright-core';
import { chromium, pageEntries, serve } from './serve.mjs';

const [folder, ...wanted] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder for the pictures.');
const scenes =
  wanted.length > 0
    ? wanted
    : [
        'turn',
        'failures',
        'languages',
        'empty',
        'connecting',
        'signIn',
        'exited',
        'sessions',
        'manySessions',
        'noSessions',
      ];
mkdirSync(folder, { recursive: true });
const server = await serve(pageEntries);
const browser = await browserType.launch(chromium);
try {
  for (const scene of scenes)
    for (const [width, theme] of [
      [300, 'dark'],
      [380, 'dark'],
      [380, 'light'],
      [560, 'dark'],
      [620, 'light'],
      [380, 'high-contrast'],
    ]) {
      const page = await browser.newPage({ viewport: { width, height: 1120 }, deviceScaleFactor: 1.5 });
      page.on('console', (message) => console.log(`${scene}: ${message.text()}`));
      page.on('pageerror', (error) => console.log(`${scene}: ${error.message}`));
      await page.goto(`${server.url}/test/support/pageHarness/page.html?scene=${scene}&theme=${theme}`);
      await page.waitForTimeout(700);
      if (/sessions$/i.test(scene)) {
        await page.getByRole('button', { name: 'Sessions', exact: true }).click();
        await page.waitForTimeout(200);
      }
      const wide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.transcript, .sessions-body')].some(
          (e) => e.scrollWidth > e.clientWidth,
        ),
      );
      if (wide) console.log(`${scene} at ${width} px scrolls sideways`);
      await page.screenshot({ path: join(folder, `${scene}-${width}-${theme}.png`) });
      await page.close();
    }
} finally {
  await browser.close();
  server.close();
}
