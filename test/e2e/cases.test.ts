import assert from 'node:assert/strict';
import { deedOf } from './support/caseActions';
import { knownTexts } from './support/caseLooks';
import { ChatDriver, picture } from './support/chatDriver';
import { allScripts, ReplayCase } from './support/replayCase';
import {
  expectCard,
  expectCount,
  expectEnds,
  isCalm,
  nothingSpins,
  says,
  shownIn,
  textOf,
  textsOf,
  type Look,
} from './support/shown';
import { staysSo } from './support/staysSo';

/** The turns ended well; what counts is in the checks of the script. */
const ends: Look = async (chat) => {
  await expectEnds(chat, 'end_turn');
  await isCalm(chat);
};

const endsSaying =
  (text: string): Look =>
  async (chat) => {
    await says(text)(chat);
    await ends(chat);
  };

const unknownKinds: Look = async (chat) => {
  await endsSaying('TAIL-OK')(chat);
  const usage = await chat.frame.locator('[data-parley="usage"]').getAttribute('title', { timeout: 1_000 });
  assert.match(usage ?? '', /53,000.*200,000.*0\.04 USD/);
  await chat.frame.getByRole('heading', { name: 'A title from the agent' }).waitFor({ timeout: 1_000 });
};

const cardFirst: Look = async (chat) => {
  await endsSaying('DONE')(chat);
  const kinds = (await shownIn(chat)).map(({ kind }) => kind);
  assert.deepEqual(kinds, ['user', 'tool', 'agent', 'end']);
};

const outOfOrder: Look = async (chat) => {
  await ends(chat);
  await expectCount(chat, '[data-option-id]', 0);
  await expectCard(chat, 'a', /^completed$/, 'Edit alpha');
  await expectCard(chat, 'b', /^(failed|rejected)$/, 'Edit beta');
};

const stoppedAndAgain: Look = async (chat) => {
  await expectEnds(chat, 'cancelled', 'end_turn');
  await says('AGAIN-OK')(chat);
  for (const id of ['a', 'b']) await expectCard(chat, id, /^cancelled$/);
  await isCalm(chat);
};

const lateIntoFirst: Look = async (chat) => {
  await expectEnds(chat, 'cancelled', 'end_turn');
  await expectCard(chat, 'a', /^(failed|cancelled)$/, 'Long work');
  await expectCount(chat, '[data-parley="queue"]', 0);
};

/** The agent that was started anew plays the same script, so it ends as the first one did. */
const startedAnew: Look = async (chat) => {
  const text = await textOf(chat);
  for (const pattern of [/HALF/, /exit code 3/, /token store is locked/, /no memory of the conversation/])
    assert.match(text, pattern);
  const [first] = await chat.card('a').all();
  assert.equal(await first?.getAttribute('data-status'), 'interrupted');
  assert.deepEqual(await textsOf(chat, 'user'), ['please start', 'again']);
};

const heavyAndNext: Look = async (chat) => {
  await expectEnds(chat, 'end_turn', 'end_turn');
  await expectCount(chat, '[data-tool-call-id]', 61);
  assert.match(await chat.said(), /word0 .*word599\s[^]*NEXT-OK$/);
  await nothingSpins(chat);
  await isCalm(chat);
};

const loadedAndOn: Look = async (chat) => {
  await ends(chat);
  assert.deepEqual(await textsOf(chat, 'user'), ['Q-ONE', 'Q-TWO', 'go on']);
  assert.match(await chat.said(), /^A-ONE\s+A-TWO\s+GO-ON-OK\s*$/);
};

const fromElsewhere: Look = async (chat) => {
  await expectEnds(chat, 'end_turn', 'end_turn');
  assert.deepEqual(await textsOf(chat, 'user'), ['say hello twice', 'second one', 'from elsewhere']);
  assert.match(await chat.said(), /^ECHO-REPLY\s+SECOND-REPLY\s*$/);
};

const signedIn: Look = async (chat) => {
  await endsSaying('SIGNED-IN')(chat);
  await expectCount(chat, '[data-auth-method]', 0);
  assert.deepEqual(await textsOf(chat, 'user'), ['please start']);
};

const recovered: Look = async (chat) => {
  await says('RECOVERED')(chat);
  assert.equal((await textsOf(chat, 'error')).length, 3);
  await expectCount(chat, '[data-parley="panel"][data-turn="idle"]', 1);
};

/** What must be on screen when a script has ended. */
const cases: [number: string, title: string, look: Look, connection?: string][] = [
  ['01', 'TR-5 shows nothing of a banner on stdout', ends],
  ['02', 'TR-11 keeps characters that are cut by chunks', ends],
  ['03', 'TR-11 takes CR LF and a line of one megabyte', endsSaying('crlf one BIG-OK')],
  ['04', 'RP-2 answers requests with the ids that they came with', ends],
  ['05', 'SE-5 SU-6 keeps updates that come before the answer to session/new', endsSaying('EARLY-OK')],
  ['06', 'SU-3 ignores what it does not know and goes on', unknownKinds],
  ['07', 'IN-7 takes null for absent', ends],
  ['08', 'TC-6 shows a call once that is announced twice, before any text', cardFirst],
  ['09', 'TC-6 PE-6 shows calls that nobody announced', ends],
  ['10', 'PE-3 takes answers to two open permissions in any order', outOfOrder],
  ['11', 'CA-3 answers two open permissions when the turn is stopped', stoppedAndAgain],
  ['12', 'CA-2 CA-5 holds a prompt back until the agent has stopped', lateIntoFirst],
  ['13', 'TR-9 tells why the agent ended and starts it again with the next prompt', startedAnew],
  ['14', 'PT-6 ends a long turn at once, with a call that was left open', heavyAndNext],
  ['15', 'SE-8 shows a session once, however often it is loaded', loadedAndOn],
  ['16', 'MI-2 shows a message once that the agent echoes', fromElsewhere],
  ['17', 'FS-6 FS-8 tells what is not there and makes folders for what is new', ends],
  ['18', 'TE-2 runs a shell line and a program with its arguments', ends],
  ['19', 'AU-2 AU-5 offers the ways to sign in and then opens the session', signedIn, 'auth'],
  ['20', 'CF-5 CF-7 CF-8 takes new values of options whose ids stay', endsSaying('CONFIG-OK')],
  ['21', 'CO-8 runs nothing of what stands in a message', ends],
  ['22', 'RP-9 shows the reason of a failed prompt', recovered],
];

async function play(number: string, look: Look, connection = 'ready'): Promise<void> {
  const replay = new ReplayCase(number);
  const chat = await ChatDriver.open({ agents: { Replay: replay.agent }, connection });
  try {
    await replay.play(chat);
    await staysSo('what the script ends with', () => look(chat));
    replay.expectPassed();
  } catch (error) {
    await picture(chat, `case ${number}`);
    throw error;
  } finally {
    await chat.close();
    replay.dispose();
  }
}

describe('reported faults, played by the replay agent', function () {
  this.timeout(120_000);

  it('plays each script, and knows how to do and to see all that it says', () => {
    const scripts = allScripts();
    const numbers = [...scripts.keys()].map((name) => name.slice(0, 2));
    assert.deepEqual(
      cases.map(([number]) => number),
      numbers,
    );
    const steps = [...scripts.values()].flat();
    for (const { user } of steps) if (user) deedOf(user);
    const texts = new Set(steps.flatMap(({ ui }) => (ui === undefined ? [] : [ui])));
    assert.deepEqual([...texts].sort(), [...knownTexts].sort());
  });

  for (const [number, title, look, connection] of cases)
    it(`case ${number}: ${title}`, () => play(number, look, connection));
});
