import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { asObject } from '../../src/core/json';
import { until } from '../vscode/until';
import { useChat, type ChatDriver } from './support/chatDriver';
import { ModelHost } from './support/modelHost';
import { pickRow } from './support/workbench';

const PARROT = 'vscode/parley-test/parrot';
const KEY = 'sk-test-0123456789-never-shown';

/** An address where nothing answers. */
const NOWHERE = { PARLEY_OLLAMA: 'http://127.0.0.1:9' };
const NO_MODEL = { PARLEY_AGENT_PROVIDER: '' };

const modelPicker = ({ frame }: ChatDriver) => frame.locator('[data-config-id="model"]');

async function waitModel(chat: ChatDriver, name: string): Promise<void> {
  await modelPicker(chat).filter({ hasText: name }).waitFor();
}

async function chooseParrot(chat: ChatDriver): Promise<void> {
  await modelPicker(chat).click();
  await chat.frame.locator(`[data-value="${PARROT}"]`).click();
  await waitModel(chat, 'Parrot');
}

/** The dialog in which VS Code asks whether Parley may use the models of an extension. */
const consent = ({ page }: ChatDriver) =>
  page.locator('.monaco-dialog-box', {
    hasText: "The extension 'Parley' wants to access the language models",
  });

/** A setting of the user settings, as it is on disk. */
function userSetting({ window }: ChatDriver, name: string): unknown {
  const files = ['data/User/settings.json', 'data/Machine/settings.json', 'user/User/settings.json'];
  for (const file of files) {
    try {
      const value = asObject(JSON.parse(readFileSync(join(window.dataFolder, file), 'utf8')))[name];
      if (value !== undefined) return value;
    } catch {
      continue; // Not where this VS Code keeps them, or in the middle of a write.
    }
  }
  return undefined;
}

/** The files below a folder in which a text stands. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = join(folder, name);
    return existsSync(file) && statSync(file).isFile() && readFileSync(file).includes(text);
  });
}

/** Answers one question of the editor, known by its title. */
async function answerInput(chat: ChatDriver, title: string, text: string): Promise<void> {
  const { page } = chat;
  const widget = page.locator('.quick-input-widget:visible', { hasText: title });
  await widget.waitFor();
  await widget.locator('input').first().fill(text);
  await page.keyboard.press('Enter');
}

describe('models of VS Code in the built-in agent', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    models: true,
    env: { ...NOWHERE, ...NO_MODEL },
    settings: { 'chat.disableAIFeatures': false },
  }));

  it('PE-1 one that was chosen answers once VS Code was told yes, and its tool asks for a permission', async () => {
    await waitModel(chat(), 'Offline');
    await chooseParrot(chat());
    assert.equal(await consent(chat()).count(), 0, 'choosing asks no model');
    await chat().send('hello bird');
    await consent(chat()).getByText('You chose Parrot as the model of the chat.').waitFor();
    await consent(chat()).getByRole('button', { name: 'Allow' }).click();
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.equal(await chat().said(), 'The parrot says: hello bird');

    await chat().send('write a file');
    await chat().frame.locator('[data-permission]').waitFor();
    const file = join(chat().folder, 'parrot.txt');
    assert.ok(!existsSync(file), 'nothing is written before the answer');
    await chat().choose('allow_once');
    assert.equal(await chat().nextEnd(1), 'end_turn');
    assert.equal(readFileSync(file, 'utf8'), 'hello\n');
    await chat().waitSaid(/The parrot saw: \S/);

    await chat().send('fail please');
    await chat().entries('error').getByText('did not answer: The parrot is asleep.').waitFor();
  });

  it('one that VS Code was told no about says what to do', async () => {
    await chooseParrot(chat());
    await chat().send('hello bird');
    await consent(chat()).getByRole('button', { name: 'Cancel' }).click();
    await chat().entries('error').getByText('Allow it when VS Code asks, or choose another model.').waitFor();
  });

  it('are offered on the first screen, and Use chooses one', async () => {
    const offer = chat().frame.locator('[data-model-offer="editor"]');
    await offer.getByRole('button', { name: 'Use a model of VS Code' }).click();
    await waitModel(chat(), 'Parrot');
    await offer.waitFor({ state: 'detached' });
    assert.equal(userSetting(chat(), 'parley.builtin.provider'), undefined);
  });
});

describe('models of VS Code without a trusted folder', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    models: true,
    workspaceTrust: true,
    env: { ...NOWHERE, ...NO_MODEL },
    settings: { 'chat.disableAIFeatures': false },
  }));

  it('CC-8 are neither offered nor used', async () => {
    await chat().frame.locator('[data-start-note="manageTrust"]').waitFor();
    assert.equal(await chat().frame.locator('[data-model-offer]').count(), 0);
    // By then the agent has also had an answer to what it asked first.
    assert.equal(await chat().prompt('help'), 'end_turn');
    await modelPicker(chat()).click();
    await chat().frame.locator('[data-value="offline"]').waitFor();
    assert.equal(await chat().frame.locator('[data-value]').count(), 1);
  });
});

describe('setting up a model of the built-in agent', function () {
  this.timeout(120_000);
  let host: ModelHost;
  let other: ModelHost;
  before(async () => {
    [host, other] = await Promise.all([ModelHost.start(), ModelHost.start()]);
  });
  beforeEach(() => {
    host.asked.length = 0;
    other.asked.length = 0;
  });
  after(async () => Promise.all([host.stop(), other.stop()]));
  const chat = useChat(() => ({ env: { PARLEY_OLLAMA: host.address, ...NO_MODEL } }));

  it('offers the Ollama of this machine, and uses it only when told to', async () => {
    const offer = chat().frame.locator('[data-model-offer="ollama"]');
    await offer.getByText('Ollama is running here with llama-test:1b').waitFor();
    await waitModel(chat(), 'Offline');
    assert.equal(userSetting(chat(), 'parley.builtin.provider'), undefined);
    assert.deepEqual([...new Set(host.asked.map(({ line }) => line))], ['GET /api/tags']);
    await offer.getByRole('button', { name: 'Use llama-test:1b of Ollama' }).click();
    await waitModel(chat(), 'llama-test:1b');
    await offer.waitFor({ state: 'detached' });
    assert.equal(userSetting(chat(), 'parley.builtin.endpoint'), `${host.address}/v1`);
    assert.equal(await chat().prompt('hello'), 'end_turn');
    assert.equal(await chat().said(), 'I am llama-test:1b.');
    assert.ok(host.asked.every(({ key }) => key === undefined));
  });

  it('by the command keeps the key out of the settings and logs, and sends it nowhere else', async () => {
    await chat().window.runCommand('Parley: Set Up Model');
    await pickRow(chat(), 'OpenAI-compatible server');
    await answerInput(chat(), 'Address of the model server', host.address);
    await answerInput(chat(), `Key for ${host.address}/v1`, KEY);
    await pickRow(chat(), 'other-test');
    await waitModel(chat(), 'other-test');
    assert.equal(await chat().prompt('hello'), 'end_turn');
    assert.equal(await chat().said(), 'I am other-test.');
    assert.deepEqual(host.asked.at(-1), { line: 'POST /v1/chat/completions', key: `Bearer ${KEY}` });

    await chat().window.runCommand('Parley: Set Up Model');
    await pickRow(chat(), 'OpenAI-compatible server');
    await answerInput(chat(), 'Address of the model server', other.address);
    await answerInput(chat(), `Key for ${other.address}/v1`, '');
    await pickRow(chat(), 'llama-test:1b');
    await waitModel(chat(), 'llama-test');
    assert.equal(await chat().prompt('hello'), 'end_turn');
    assert.equal(other.asked.at(-1)?.line, 'POST /v1/chat/completions');
    assert.ok(other.asked.every(({ key }) => key === undefined));
    assert.deepEqual(filesWith(chat().window.dataFolder, KEY), []);
    assert.deepEqual(filesWith(chat().folder, KEY), []);

    await chat().window.runCommand('Parley: Remove Model Key');
    await pickRow(chat(), host.address);
    await until('the key to be gone', async () => {
      await chat().window.runCommand('Parley: Remove Model Key');
      const none = chat().page.getByText('No key of a model is stored.').first();
      const widget = chat().page.locator('.quick-input-widget:visible', { hasText: 'Remove the key of' });
      await none.or(widget).first().waitFor();
      return (await none.isVisible()) ? true : undefined;
    });
  });
});
