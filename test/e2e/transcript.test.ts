import assert from 'node:assert/strict';
import { agentFile } from '../support/fakeAgents';
import { until } from '../vscode/until';
import { useChat } from './support/chatDriver';

// What runs in the page is text, for this side has no types of the page's world.
const log = `document.querySelector('[data-parley="transcript"]')`;
const entry = (id: number): string => `${log}.querySelector('[data-entry-id="${id}"]')`;
const firstInView = `Number([...${log}.querySelectorAll('[data-entry-id]')].find((item) =>
  item.getBoundingClientRect().top >= ${log}.getBoundingClientRect().top)?.dataset.entryId ?? -1)`;

describe('a long transcript', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    agents: { Long: { command: process.execPath, args: [agentFile('longAnswers')] } },
  }));

  const ask = <T>(what: string): Promise<T> => chat().frame.evaluate<T>(what);
  const topOf = (id: number): Promise<number> =>
    ask(`${entry(id)} ? ${entry(id)}.getBoundingClientRect().top - ${log}.getBoundingClientRect().top : NaN`);
  const isAt = async (id: number, top: number): Promise<boolean> => Math.abs((await topOf(id)) - top) <= 1;
  const backAt = async (id: number, top: number): Promise<void> => {
    let now = NaN;
    const isThere = async (): Promise<boolean> => Math.abs((now = await topOf(id)) - top) <= 1;
    await until('the place', async () => (await isThere().catch(() => false)) || undefined).catch(
      (error: unknown) => {
        throw new Error(`Entry ${id} was at ${top} px and is at ${now} px.`, { cause: error });
      },
    );
  };
  /** How far (px) the end is below the view. */
  const below = (): Promise<number> => ask(`${log}.scrollHeight - ${log}.scrollTop - ${log}.clientHeight`);

  /** Begins a stream at the end of many entries and scrolls up while it runs; gives the entry that is read. */
  const readAbove = async (paragraphs: number): Promise<{ id: number; top: number }> => {
    await chat().prompt('fill 300');
    await chat().send(`stream ${paragraphs}`);
    await chat().waitText('Paragraph 3 of the stream.');
    await chat().frame.locator('[data-parley="transcript"]').hover();
    await until('the wheel to scroll', async () => {
      await chat().page.mouse.wheel(0, -700);
      return (await below()) > 2500 || undefined;
    });
    // The wheel goes on for a while, also when it seems to rest.
    const tops: number[] = [];
    await until('the end of the scrolling', async () => {
      tops.push(await ask(`${log}.scrollTop`));
      return (tops.length >= 15 && new Set(tops.slice(-15)).size === 1) || undefined;
    });
    const id = await ask<number>(firstInView);
    return { id, top: await topOf(id) };
  };

  const grown = (from: number, by: number): Promise<boolean> =>
    until('the stream to go on', async () => (await below()) > from + by || undefined, 60_000);

  it('stays where it is read while the agent goes on, and leads back to the end', async () => {
    const { id, top } = await readAbove(300);
    await grown(await below(), 1500);
    assert.ok(await isAt(id, top), `from ${top} to ${await topOf(id)} px`);
    assert.equal(await chat().nextEnd(1), 'end_turn');
    assert.ok(await isAt(id, top), `from ${top} to ${await topOf(id)} px`);
    await chat().frame.locator('.jump').click();
    await until('the end in view', async () => (await below()) < 2 || undefined);
    await chat().waitText('Paragraph 300 of the stream.');
  });

  it('is back at its place when its page is loaded anew in the middle of a message', async () => {
    const { id, top } = await readAbove(400);
    await ask('(window.before = true)');
    await chat().window.runCommand('Developer: Reload Webviews');
    await until('the new page', async () => {
      chat().frame = await chat().window.chat();
      return (await ask('window.before !== true').catch(() => false)) === true || undefined;
    });
    await backAt(id, top);
    await chat().frame.locator('.jump').click();
    await until(
      'the last word',
      async () => /Paragraph 400 of the stream/.test(await chat().said()) || undefined,
      60_000,
    );
    const said = await chat().said();
    for (let n = 1; n <= 400; n++)
      assert.ok(said.includes(`Paragraph ${n} of the stream.`), `paragraph ${n}`);
  });

  it('is back at its place after it was hidden while the agent went on', async () => {
    const { id, top } = await readAbove(200);
    const toggle = (): Promise<void> =>
      chat().window.runCommand('View: Toggle Secondary Side Bar Visibility');
    await toggle();
    await chat().page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    await toggle();
    chat().frame = await chat().window.chat();
    await backAt(id, top);
    await chat().waitTurn('idle');
    assert.ok(await isAt(id, top), `from ${top} to ${await topOf(id)} px`);
  });
});
