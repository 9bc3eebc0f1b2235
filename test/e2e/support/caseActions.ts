import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { until } from '../../vscode/until';
import type { ChatDriver } from './chatDriver';
import { permissionPick } from './workbench';

/** What a script asks of the person. */
export interface CaseAction {
  do: string;
  text?: string;
  /** Id of the call that the request is about. */
  tool?: string;
  /** Id of the answer to it. */
  option?: string;
  /** Id of a way to sign in. */
  method?: string;
  sessionId?: string;
  mode?: string;
  /** Id of an option of the session. */
  id?: string;
  value?: string | boolean;
  path?: string;
}

type Deed = (chat: ChatDriver, action: CaseAction) => Promise<void>;

/** Types a message and sends it, whatever the agent is doing; Parley sends it, or keeps it until the turn is over. */
const prompt: Deed = async (chat, { text = '' }) => {
  await chat.waitConnection('ready');
  await chat.send(text);
  await emptyComposer(chat);
};

async function emptyComposer(chat: ChatDriver): Promise<void> {
  await until(
    'the message to be taken',
    async () => (await chat.composer.inputValue()) === '' || undefined,
    10_000,
  );
}

const openSessions: Deed = async (chat) => {
  if ((await chat.frame.locator('[data-parley="sessions"]').count()) === 0)
    await chat.button('Sessions').click();
  await chat.frame.locator('[data-parley="sessions"]').waitFor();
};

const showSession: Deed = async (chat, action) => {
  await openSessions(chat, action);
  const row = chat.frame.locator(`[data-session-id="${action.sessionId ?? ''}"]`);
  await row.getByRole('button').first().click();
  await chat.frame.locator('[data-parley="sessions"]').waitFor({ state: 'detached' });
};

const setConfig: Deed = async (chat, { id = '', value = '' }) => {
  const control = chat.frame.locator(`[data-config-id="${id}"]`);
  await control.waitFor();
  if (typeof value === 'boolean') {
    if ((await control.getAttribute('aria-checked')) !== String(value)) await control.click();
    return;
  }
  await control.click();
  await chat.frame.locator(`[role="listbox"] [data-value="${value}"]`).click();
};

const typeInEditor: Deed = async ({ window, page }, { path = '', text = '' }) => {
  await window.runCommand('Go to File...');
  await page.keyboard.insertText(path);
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: basename(path) }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.tab.active', { hasText: basename(path) }).waitFor();
  await page.locator('.editor-instance .view-lines').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
  await page.locator('.tab.active.dirty').waitFor();
};

async function toggleChat({ window, page }: ChatDriver, state: 'hidden' | 'visible'): Promise<void> {
  await window.runCommand('View: Toggle Secondary Side Bar Visibility');
  await page.locator('.part.auxiliarybar').waitFor({ state });
}

const deeds: Readonly<Record<string, Deed>> = {
  prompt,
  promptAfterExit: async (chat, { text = '' }) => {
    await chat.waitConnection('exited');
    await chat.send(text);
  },
  stop: (chat) => chat.button('Stop').click(),
  forceStop: (chat) => chat.button('Force stop').click(),
  choose: (chat, { tool, option = '' }) => chat.choose(option, tool),
  dismiss: async (chat) => {
    const pick = permissionPick(chat);
    await pick.waitFor();
    await chat.page.keyboard.press('Escape');
    await pick.waitFor({ state: 'hidden' });
  },
  authenticate: (chat, { method = '' }) => chat.frame.locator(`[data-auth-method="${method}"]`).click(),
  newSession: (chat) => chat.button('New chat').click(),
  showSession,
  loadSession: showSession,
  listSessions: openSessions,
  setMode: (chat, { mode = '' }) => setConfig(chat, { do: 'setConfig', id: 'mode', value: mode }),
  setConfig,
  typeInEditor,
  hideChat: (chat) => toggleChat(chat, 'hidden'),
  showChat: async (chat) => {
    await toggleChat(chat, 'visible');
    chat.frame = await chat.window.chat();
  },
  scrollUp: async (chat) => {
    await chat.frame.locator('[data-parley="transcript"]').hover();
    await chat.page.mouse.wheel(0, -1_000);
    await chat.button('Jump to latest').waitFor();
  },
};

/** True for what a person can do only when the agent has gone on by itself. */
export function actsLater({ do: what }: CaseAction): boolean {
  return what === 'promptAfterExit';
}

/** Does what a script asks of the person, as a person does it. */
export async function act(chat: ChatDriver, action: CaseAction): Promise<void> {
  await deedOf(action)(chat, action);
}

/** How an action is done; fails for one that has no entry in the table. */
export function deedOf({ do: what }: CaseAction): Deed {
  return deeds[what] ?? assert.fail(`it is not known how a person does "${what}"`);
}
