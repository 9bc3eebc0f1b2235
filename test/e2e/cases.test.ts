import assert from 'node:assert/strict';
import { ChatDriver, picture } from './support/chatDriver';
import { ReplayCase } from './support/replayCase';

/** What must be on screen when a script has ended. */
type Look = (chat: ChatDriver, replay: ReplayCase) => Promise<void>;

const says =
  (text: string): Look =>
  async (chat) => {
    assert.equal(await chat.nextEnd(0), 'end_turn');
    assert.equal((await chat.said()).trim(), text);
    await chat.expectNoBanner();
  };

/** The turn ended well; what counts is in the checks of the script. */
const ends: Look = async (chat) => assert.equal(await chat.nextEnd(0), 'end_turn');

const cases: [number: string, title: string, look: Look][] = [
  ['01', 'TR-5 shows nothing of a banner on stdout', says('NOISE-OK')],
  ['02', 'TR-11 keeps characters that are cut by chunks', says('naïve — 日本語 🎉 Ω')],
  ['03', 'TR-11 takes CR LF and a line of one megabyte', says('crlf one BIG-OK')],
  ['04', 'RP-2 answers requests with the ids that they came with', ends],
  ['06', 'SU-3 ignores what it does not know and goes on', says('TAIL-OK')],
  [
    '07',
    'IN-7 takes null for absent',
    async (chat) => {
      await chat.waitStatus('t1', 'completed');
      assert.equal(await chat.entries('tool').count(), 1);
      await chat.card('t1').getByText('Look around').waitFor();
      await chat.card('t1').getByText('found it').waitFor();
    },
  ],
  [
    '09',
    'TC-6 shows calls that nobody announced',
    async (chat) => {
      await chat.waitStatus('late-1', 'completed');
      await chat.waitStatus('ghost-1', 'completed');
      assert.equal(await chat.entries('tool').count(), 2);
      await chat.card('late-1').getByText('Remove build folder').waitFor();
      await chat.card('late-1').getByText('removed').waitFor();
      await chat.card('ghost-1').getByText('ghost result').waitFor();
    },
  ],
  [
    '11',
    'CA-3 answers two open permissions when the turn is stopped',
    async (chat) => {
      await chat.waitText('AGAIN-OK');
      await chat.waitTurn('idle');
      assert.equal(await chat.frame.locator('[data-option-id]').count(), 0);
      for (const id of ['a', 'b']) assert.equal(await chat.card(id).getAttribute('data-status'), 'cancelled');
      assert.equal(await chat.entries('error').count(), 0);
      await chat.expectNoBanner();
    },
  ],
  [
    '13',
    'TR-9 tells why the agent ended and starts it again with the next prompt',
    async (chat, replay) => {
      // The agent that was started anew plays the same script, so it ends as the first one did.
      await chat.waitText('no memory of the conversation');
      const text = await chat.frame.locator('[data-parley="transcript"]').innerText();
      assert.match(text, /HALF/);
      assert.match(text, /exit code 3/);
      assert.match(text, /token store is locked/);
      assert.equal(await chat.card('a').first().getAttribute('data-status'), 'interrupted');
      assert.ok(replay.lines().filter((line) => line['start']).length >= 2, 'a second process was started');
    },
  ],
  [
    '17',
    'FS-6 FS-8 tells what is not there and makes folders for what is new',
    (chat) => chat.waitTurn('idle'),
  ],
  ['18', 'TE-2 runs a shell line and a program with its arguments', ends],
  [
    '22',
    'RP-9 shows the reason of a failed prompt',
    async (chat) => {
      await chat.waitText('RECOVERED');
      const errors = await chat.entries('error').allInnerTexts();
      assert.equal(errors.length, 3);
      assert.match(errors[0] ?? '', /quota for model-x is used up/);
      assert.match(errors[1] ?? '', /plain reason/);
      assert.match(errors[2] ?? '', /-32603/);
      assert.equal(await chat.entries('error').last().getByRole('button', { name: 'Show log' }).count(), 1);
    },
  ],
];

describe('reported faults, played by the replay agent', () => {
  for (const [number, title, look] of cases) {
    it(`case ${number}: ${title}`, async function () {
      this.timeout(120_000);
      const replay = new ReplayCase(number);
      const chat = await ChatDriver.open({ agents: { Replay: replay.agent } });
      try {
        await replay.play(chat);
        await look(chat, replay);
        replay.expectPassed();
      } catch (error) {
        await picture(chat, `case ${number}`);
        throw error;
      } finally {
        await chat.close();
      }
    });
  }
});
