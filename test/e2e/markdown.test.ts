import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PIXEL } from '../support/pageHarness/turnScenes';
import { end, expectCall, Replay, update } from '../support/replayScript';
import { until } from '../vscode/until';
import { useChat } from './support/chatDriver';

const says = (text: string) =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

/** What the agent says, in pieces. */
const ANSWER = [
  'The total of $n$ items, from src/total.ts:3 and `src/none.ts`:\n\n$$\nt = \\sum_{i=1}^{n} p_i\n',
  '$$\n\n```mermaid\nflowchart LR\n  A[Cart] --> ',
  'B[Order]\n```\n\n![The cart](pictures/cart.png)\n',
];

describe('Markdown in a real VS Code', function () {
  this.timeout(120_000);
  let script: Replay;
  const chat = useChat(() => {
    script = new Replay(
      expectCall('session/prompt', 'a', { timeoutMs: 100_000 }),
      ...ANSWER.map(says),
      end('a'),
    );
    const { plan } = script;
    return {
      files: { 'src/total.ts': 'one\ntwo\nthree\nfour\n', 'pictures/cart.png': '' },
      agents: { Replay: { command: plan.command, args: plan.args } },
    };
  });

  it('draws formulas, diagrams and pictures of the workspace, and opens paths at their lines', async () => {
    const { frame, page, folder } = chat();
    writeFileSync(join(folder, 'pictures/cart.png'), Buffer.from(PIXEL, 'base64'));
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text()) && /style|script/.test(message.text()))
        refused.push(message.text());
    });
    await chat().prompt('How is the total made?');
    assert.deepEqual(script.failures, []);
    await frame.locator('.markdown math[display="block"]').waitFor();
    assert.equal(await frame.locator('.markdown math').count(), 2);
    const diagram = frame.locator('.markdown .diagram svg');
    await diagram.waitFor({ timeout: 60_000 });
    const box = await diagram.boundingBox();
    assert.ok(box && box.width > 100 && box.height > 20, JSON.stringify(box));
    const picture = frame.locator('.markdown img[alt="The cart"]');
    await picture.waitFor();
    const width = (): Promise<number> =>
      frame.evaluate<number>(`document.querySelector('.markdown img[alt="The cart"]').naturalWidth`);
    await until('the picture', async () => (await width()) === 1 || undefined);
    assert.deepEqual(refused, []);

    await frame.getByRole('link', { name: 'src/total.ts:3' }).click();
    const line = page.locator('.editor-instance .line-numbers.active-line-number');
    await until('the editor at line 3', async () => {
      const shown = await line.allInnerTexts();
      return shown.includes('3') || undefined;
    });
    await frame.getByRole('link', { name: 'src/none.ts' }).click();
    await frame.getByText(/There is no file .*none\.ts/).waitFor();
    assert.equal(await page.locator('.notification-toast').count(), 0);
  });
});
