import assert from 'node:assert/strict';
import { asList, asObject, asString } from '../../src/core/json';
import { until } from '../vscode/until';
import type { AgentChat } from './agentChat';
import { choosesOptions, offersCommands, takesImages } from './offers';
import type { ScenarioName } from './scenarioNames';

/** Why a scenario says nothing about an agent. */
export class NotApplicable extends Error {
  override name = 'NotApplicable';
}

/** What a person does and sees; throws where that is not as it should be. */
export type Scenario = (it: AgentChat) => Promise<void>;

/** The turn ended well, and the agent had the last word. */
async function turns(it: AgentChat, prompt: string, word: string): Promise<number> {
  const { stop, asked } = await it.turn(`${prompt} [[final:${word}]]`);
  assert.equal(stop, 'end_turn');
  await it.chat.waitSaid(new RegExp(word));
  return asked;
}

async function completed(it: AgentChat, count: number): Promise<void> {
  const statuses = await it.statuses();
  assert.ok(statuses.length >= count, `${count} cards, there are ${statuses.length}`);
  assert.deepEqual([...new Set(statuses)], ['completed'], 'states of the cards');
}

/** The list of changed files above the composer names a file. */
async function listedAsChanged(it: AgentChat, file: string): Promise<void> {
  const dock = it.chat.frame.locator('[data-parley="changes"]');
  await dock.waitFor({ timeout: 20_000 });
  const head = dock.locator('.strip-head').first();
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
  await dock.getByText(file).first().waitFor({ timeout: 20_000 });
  await head.click();
}

async function text(it: AgentChat): Promise<void> {
  const { ownWords } = it.recipe;
  const { stop } = await it.turn('[[think:Let me think about it.]][[text:Hello **world** from the model.]]');
  assert.equal(stop, 'end_turn');
  await it.chat.waitSaid(ownWords ?? /Hello world from the model/);
  if (ownWords) return;
  assert.equal((await it.turn('a prompt without a script')).stop, 'end_turn');
  await it.chat.waitSaid(/Mock answer/);
}

async function read(it: AgentChat): Promise<void> {
  await turns(it, it.tool('read', { path: 'hello.txt' }), 'READ-DONE');
  await completed(it, 1);
}

async function edit(it: AgentChat): Promise<void> {
  const reading = it.tool('read', { path: 'hello.txt' });
  const editing = it.tool('edit', { path: 'hello.txt', old: 'second line', new: 'changed line' });
  await turns(it, `${reading} ${editing}`, 'EDIT-DONE');
  assert.equal(it.read('hello.txt'), 'first line\nchanged line\nthird line\n');
  await completed(it, 2);
  await listedAsChanged(it, 'hello.txt');
}

async function write(it: AgentChat): Promise<void> {
  await turns(it, it.tool('write', { path: 'fresh.txt', content: 'fresh content\n' }), 'WRITE-DONE');
  assert.equal(it.read('fresh.txt')?.trimEnd(), 'fresh content');
  await completed(it, 1);
  await listedAsChanged(it, 'fresh.txt');
}

async function shell(it: AgentChat): Promise<void> {
  const command =
    'printf made > made.txt; printf "shell-%s\\n" output-42; sleep 0.5; printf "%s-line\\n" last';
  const running = it.tool('execute', { command });
  await turns(it, running, 'SHELL-DONE');
  assert.equal(it.read('made.txt'), 'made');
  await completed(it, 1);
  await it.waitShown(/last-line/);
  await it.waitShown(/shell-output-42/);
}

async function reject(it: AgentChat): Promise<void> {
  const { ownWords } = it.recipe;
  const command = it.tool('execute', { command: 'touch rejected.txt' });
  const { asked, stop } = await it.turn(`${command} [[final:REJECT-DONE]]`, 'reject');
  assert.ok(asked > 0, 'it asked');
  assert.match(stop, /^(end_turn|cancelled|refusal)$/);
  assert.equal(it.read('rejected.txt'), undefined);
  if (ownWords) await it.chat.waitSaid(/prefer not to make that change/);
  assert.equal((await it.statuses()).at(-1), 'rejected');
  await it.worksOn();
}

async function search(it: AgentChat): Promise<void> {
  const listing = it.tool('list', { path: '' });
  const finding = it.tool('search', { pattern: 'second', path: '' });
  await turns(it, `${listing} ${finding}`, 'SEARCH-DONE');
  await completed(it, 2);
}

async function parallel(it: AgentChat): Promise<void> {
  const both = it.tool('read', { path: 'hello.txt' }) + it.tool('read', { path: 'notes/todo.md' });
  await turns(it, `[[par]]${both}`, 'PARALLEL-DONE');
  await completed(it, 2);
}

async function cancel(it: AgentChat): Promise<void> {
  const { chat, recipe } = it;
  const before = await chat.entries('end').count();
  await chat.send('[[slow:100@200]]');
  await chat.waitSaid(recipe.ownWords ?? /chunk 3 of 100/, 90_000);
  await chat.button('Stop').click();
  assert.equal((await it.finish(before, 'none')).stop, 'cancelled');
  await it.worksOn();
}

async function cancelShell(it: AgentChat): Promise<void> {
  const command = 'while sleep 0.5; do date +%s%N > beat.txt; done';
  await it.chat.send(it.tool('execute', { command }));
  await until(
    'the command to run',
    async () => {
      await it.answer('allow');
      return it.read('beat.txt') ? true : undefined;
    },
    90_000,
  );
  await it.chat.button('Stop').click();
  const { stop } = await it.finish(0, 'none');
  assert.match(stop, /^(cancelled|end_turn)$/);
  let last = { text: it.read('beat.txt'), at: Date.now() };
  await until('the command to have ended', () => {
    const now = it.read('beat.txt');
    if (now !== last.text) last = { text: now, at: Date.now() };
    return Date.now() - last.at > 2_500 ? true : undefined;
  });
  await it.worksOn();
}

async function cancelQuestion(it: AgentChat): Promise<void> {
  const { chat } = it;
  await chat.send(it.tool('execute', { command: 'touch allowed.txt' }));
  await chat.questions().first().waitFor({ timeout: 90_000 });
  await chat.button('Stop').click();
  const { stop } = await it.finish(0, 'none');
  assert.match(stop, /^(cancelled|end_turn)$/);
  assert.equal(await chat.questions().count(), 0, 'no question is left');
  assert.equal(it.read('allowed.txt'), undefined);
  await it.worksOn();
}

async function flood(it: AgentChat): Promise<void> {
  assert.equal((await it.turn('[[flood:2000]]')).stop, 'end_turn');
  await it.chat.waitSaid(/flood line 2000/);
  await it.worksOn();
}

async function error(it: AgentChat): Promise<void> {
  const { stop } = await it.turn('[[error:400]]');
  assert.match(stop, /^(error|end_turn|refusal)$/);
  await it.waitShown(/mock error 400/);
  await it.worksOn();
}

/** A window that was reloaded shows the session again, and the agent goes on with it. */
async function loads(it: AgentChat): Promise<void> {
  const { chat } = it;
  assert.equal((await it.turn('[[text:BEFORE-THE-RELOAD]]')).stop, 'end_turn');
  const capabilities = agentCapabilities(it);
  const minute = new Date().getMinutes();
  if (it.recipe.loadsNextMinute)
    await until('the next minute', () => new Date().getMinutes() !== minute || undefined, 70_000);
  await chat.reload();
  assert.equal(await it.connected(), 'ready');
  const session = asObject(capabilities['sessionCapabilities']);
  if (capabilities['loadSession'] !== true && session['resume'] === undefined) {
    await chat.waitText('no memory');
    await it.worksOn();
    throw new NotApplicable('It can do neither, and Parley says so; a new session works.');
  }
  await until('the earlier prompt', async () => (await chat.entries('user').count()) === 1 || undefined);
  await chat.waitSaid(/BEFORE-THE-RELOAD/);
  const asked = it
    .messages('client')
    .filter(({ method }) => /^session\/(load|resume)$/.test(asString(method) ?? ''));
  assert.ok(asked.length > 0, 'the session was loaded or resumed');
  await it.worksOn();
  assert.equal(await chat.entries('user').count(), 2, 'nothing is shown twice');
  assert.equal((await chat.said()).match(/BEFORE-THE-RELOAD/g)?.length, 1, 'nothing is shown twice');
}

/** What the agent said that it can do. */
function agentCapabilities(it: AgentChat): ReturnType<typeof asObject> {
  const answers = it.messages('agent').map(({ result }) => asObject(result)['agentCapabilities']);
  return asObject(answers.find((value) => value !== undefined));
}

async function images(it: AgentChat): Promise<void> {
  if (asObject(agentCapabilities(it)['promptCapabilities'])['image'] !== true)
    throw new NotApplicable('It takes no images.');
  await takesImages(it);
}

async function commands(it: AgentChat): Promise<void> {
  if (!(await offersCommands(it))) throw new NotApplicable('It offers none.');
}

async function options(it: AgentChat): Promise<void> {
  const offered = it.messages('agent').some(({ result }) => {
    const { modes, models, configOptions } = asObject(result);
    return [modes, models].some((part) => part != null) || asList(configOptions).length > 0;
  });
  if (!offered) throw new NotApplicable('It offers none.');
  await choosesOptions(it);
  await it.worksOn();
}

/** Without credentials there is a way to sign in, or a sentence that says what is wrong. */
async function unauthenticated(it: AgentChat): Promise<void> {
  const { chat } = it;
  const signIn = chat.frame.locator('[data-parley="sign-in"]');
  if ((await it.connected()) === 'ready') {
    const { stop } = await it.turn('[[text:HELLO]]').catch(async (error: unknown) => {
      await it.stopTurn();
      throw error;
    });
    assert.match(stop, /^(sign-in|error|end_turn)$/);
    if (stop === 'end_turn' && /HELLO/.test(await chat.said()))
      throw new NotApplicable('It needs no credentials.');
    if (stop !== 'sign-in') {
      const told = (await chat.entries('error').count()) > 0 || (await chat.said()).trim() !== '';
      assert.ok(told, 'the chat says what is wrong');
      return;
    }
  }
  await signIn.waitFor();
  const ways = signIn.locator('[data-auth-method]:not([disabled])');
  assert.ok((await ways.count()) > 0, `a way to sign in: ${await signIn.innerText()}`);
}

async function noCapabilities(it: AgentChat): Promise<void> {
  await text(it);
  if (it.recipe.ownWords) return;
  await edit(it);
  const command = it.tool('execute', {
    command: 'printf made > made.txt; printf "shell-%s\\n" output-42',
  });
  await turns(it, command, 'SHELL-DONE');
  assert.equal(it.read('made.txt'), 'made');
  await it.waitShown(/shell-output-42/);
}

/** All scenarios by their names. */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  text,
  read,
  edit,
  write,
  shell,
  reject,
  search,
  parallel,
  cancel,
  'cancel during shell': cancelShell,
  'cancel with permission open': cancelQuestion,
  flood,
  error,
  options,
  commands,
  image: images,
  'load or resume': loads,
  unauthenticated,
  'no capabilities': noCapabilities,
};
