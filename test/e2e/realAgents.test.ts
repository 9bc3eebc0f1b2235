import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startScriptedModel } from '../agents/scriptedModel.mjs';
import { prepareRealAgent, type RealAgent } from '../vscode/realAgents';
import { until } from '../vscode/until';
import { ChatDriver, picture } from './support/chatDriver';

const files = { 'hello.txt': 'alpha beta\n', 'notes/todo.md': '- one\n' };

for (const name of ['gemini', 'copilot'] as const) {
  describe(`a real agent in the chat: ${name}`, function () {
    this.timeout(180_000);
    let model: Awaited<ReturnType<typeof startScriptedModel>> | undefined;
    let agent: RealAgent | undefined;
    let chat: ChatDriver;

    before(async function () {
      model = await startScriptedModel();
      const prepared = await prepareRealAgent(name, model.url);
      if ('skip' in prepared) {
        this.test?.parent?.tests.forEach((test) => (test.title += ` (skipped: ${prepared.skip})`));
        this.skip();
      }
      agent = prepared;
      const { command, args, env } = prepared;
      chat = await ChatDriver.open({
        files,
        agents: { [name]: { command, args, env, startTimeout: 120 } },
        connection: 'ready',
      });
    });

    afterEach(async function () {
      if (this.currentTest?.state === 'failed') await picture(chat, this.currentTest.fullTitle());
    });

    after(async () => {
      await chat?.close();
      await model?.stop();
      if (agent) rmSync(agent.home, { recursive: true, force: true });
    });

    const path = (file: string): string => join(chat.folder, file);
    const tool = (intent: string, args: object): string => `[[tool:${intent} ${JSON.stringify(args)}]]`;
    const lastCard = () => chat.frame.locator('[data-tool-call-id]').last();

    /** Sends a prompt whose tool needs a permission, and presses the option of a kind by its place in the agent's order. */
    async function decide(prompt: string, pattern: RegExp): Promise<string> {
      const before = await chat.entries('end').count();
      await chat.send(prompt);
      const option = chat.frame
        .locator('[data-permission] [data-option-id]')
        .filter({ hasText: pattern })
        .first();
      await option.waitFor({ timeout: 60_000 });
      await chat.choose((await option.getAttribute('data-option-id')) ?? '');
      return chat.nextEnd(before, 90_000);
    }

    it('CO-1 shows plain text', async () => {
      assert.equal(await chat.prompt('[[text:Hello from the model]]', 90_000), 'end_turn');
      await chat.waitSaid(/Hello from the model/);
    });

    it('TC-1 reads a file', async () => {
      assert.equal(
        await chat.prompt(`${tool('read', { path: path('hello.txt') })} [[final:READ-DONE]]`, 90_000),
        'end_turn',
      );
      await chat.waitSaid(/READ-DONE/);
      assert.equal(await lastCard().getAttribute('data-status'), 'completed');
    });

    it('PE-1 edits a file with permission', async () => {
      const prompt = `${tool('edit', { path: path('hello.txt'), old: 'beta', new: 'gamma' })} [[final:EDIT-DONE]]`;
      assert.equal(await decide(prompt, /^(allow once|allow|yes)$/i), 'end_turn');
      await chat.waitSaid(/EDIT-DONE/);
      await until('the file to be changed', () =>
        readFileSync(path('hello.txt'), 'utf8') === 'alpha gamma\n' ? true : undefined,
      );
    });

    it('FS-8 writes a new file with permission', async () => {
      const prompt = `${tool('write', { path: path('new.txt'), content: 'fresh\n' })} [[final:WRITE-DONE]]`;
      assert.equal(await decide(prompt, /^(allow once|allow|yes)$/i), 'end_turn');
      await chat.waitSaid(/WRITE-DONE/);
      await until('the file to be there', () => (existsSync(path('new.txt')) ? true : undefined));
    });

    it('PE-1 runs a shell command with permission', async () => {
      const prompt = `${tool('execute', { command: 'printf shell-%s 42', description: 'say it' })} [[final:SHELL-DONE]]`;
      assert.equal(await decide(prompt, /^(allow once|allow|yes)$/i), 'end_turn');
      await chat.waitSaid(/SHELL-DONE/);
      assert.equal(await lastCard().getAttribute('data-status'), 'completed');
    });

    it('PE-3 rejects, and nothing happens', async () => {
      const prompt = `${tool('execute', { command: 'touch rejected.txt', description: 'make it' })} [[final:REJECT-DONE]]`;
      await decide(prompt, /reject|no\b|deny|cancel/i);
      assert.ok(!existsSync(path('rejected.txt')));
      assert.equal(await lastCard().getAttribute('data-status'), 'rejected');
    });

    it('CA-1 cancels in mid-stream, and a second prompt works', async () => {
      const before = await chat.entries('end').count();
      await chat.send('[[slow:60@200]]');
      const said = (await chat.said()).length;
      await until(
        'the answer to begin',
        async () => ((await chat.said()).length > said ? true : undefined),
        60_000,
      );
      await chat.button('Stop').click();
      assert.equal(await chat.nextEnd(before, 60_000), 'cancelled');
      assert.equal(await chat.prompt('[[text:SECOND-OK]]', 90_000), 'end_turn');
      await chat.waitSaid(/SECOND-OK/);
      await chat.expectNoBanner();
    });
  });
}
