import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { agentFile, isAlive } from '../support/fakeAgents';
import { until } from '../vscode/until';
import { ChatDriver, useChat } from './support/chatDriver';

/** Pids of processes whose command line names both texts. */
function findProcesses(...texts: string[]): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 1 << 24 }).split(
    '\n',
  );
  return lines
    .filter((line) => texts.every((text) => line.includes(text)))
    .map((line) => Number.parseInt(line, 10));
}

describe('the window and the agent', function () {
  this.timeout(120_000);

  it('TR-8 TE-13 leaves no process behind when the window closes', async () => {
    const chat = await ChatDriver.open();
    const mark = `parley-${process.pid}-${Date.now()}`;
    await chat.send(`run node -e "setInterval(() => 0, 1000)" ${mark}`);
    await chat.choose('allow_once');
    await until('the command to run', () => findProcesses('setInterval', mark).length > 0 || undefined);
    const agents = findProcesses('dist/agent.js');
    const all = [...findProcesses(mark), ...agents];
    assert.ok(agents.length > 0);
    await chat.close();
    await until('everything to be gone', () => !all.some(isAlive) || undefined, 10_000);
  });

  describe('with the built-in agent', () => {
    const chat = useChat(() => ({}));

    it('is ready to type as soon as the chat is opened', async () => {
      await until(
        'the composer to have the focus',
        async () => (await chat().frame.locator('[data-parley="composer"]:focus').count()) === 1 || undefined,
      );
      await chat().page.keyboard.insertText('list .');
      await chat().page.keyboard.press('Enter');
      assert.equal(await chat().nextEnd(0), 'end_turn');
    });

    it('keeps the draft over a reload and connects again', async () => {
      await chat().composer.click();
      await chat().page.keyboard.insertText('half a thought');
      await until(
        'the draft to be kept',
        async () => (await chat().composer.inputValue()) === 'half a thought' || undefined,
      );
      await chat().reload();
      await chat().waitConnection('ready');
      await until(
        'the draft to be back',
        async () => (await chat().composer.inputValue()) === 'half a thought' || undefined,
      );
    });

    it('TR-9 says when the agent ends by itself, and restarts it by a button', async () => {
      await chat().prompt('list .');
      const [pid] = findProcesses('dist/agent.js');
      assert.ok(pid);
      process.kill(pid, 'SIGKILL');
      await chat().waitConnection('exited');
      await chat().frame.locator('[data-parley="banner"]').getByText('was ended by SIGKILL').waitFor();
      await chat().button('Restart agent').click();
      await chat().waitConnection('ready');
      await chat().expectNoBanner();
      assert.equal(await chat().prompt('list .'), 'end_turn');
    });

    it('SE-11 restarts the agent by its command and goes on in the same session', async () => {
      await chat().prompt('list .');
      const before = findProcesses('dist/agent.js');
      await chat().window.runCommand('Parley: Restart Agent');
      await until('another process', () => {
        const now = findProcesses('dist/agent.js');
        return (now.length > 0 && String(now) !== String(before)) || undefined;
      });
      await chat().waitConnection('ready');
      assert.equal(await chat().prompt('list .'), 'end_turn');
      assert.equal(await chat().frame.getByText('no memory of the conversation').count(), 0);
    });

    it('shows the chat again as it was after it was hidden during a turn', async () => {
      await chat().send('count slowly to 6');
      await chat().waitText('2');
      await chat().window.runCommand('View: Toggle Secondary Side Bar Visibility');
      await chat().page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
      await chat().window.runCommand('View: Toggle Secondary Side Bar Visibility');
      chat().frame = await chat().window.chat();
      assert.equal(await chat().nextEnd(0), 'end_turn');
      await chat().waitSaid(/6/);
    });
  });

  it('CA-6 offers to force an agent that does not stop, and goes on with a fresh one', async () => {
    const agents = { Stubborn: { command: process.execPath, args: [agentFile('ignoresCancel')] } };
    const chat = await ChatDriver.open({ agents });
    await chat.send('begin');
    await chat.waitSaid(/on and on/);
    await chat.button('Stop').click();
    await chat.waitTurn('cancelling');
    await chat.button('Force stop').click();
    assert.equal(await chat.nextEnd(0), 'cancelled');
    await chat.waitConnection('ready');
    await chat.waitText('no memory of the conversation');
    await chat.expectNoBanner();
    await chat.close();
  });

  for (const trusted of [true, false]) {
    it(`CC-8 offers files and terminals ${trusted ? 'in a trusted workspace' : 'only where the workspace is trusted'}`, async () => {
      const agents = { Echo: { command: process.execPath, args: [agentFile('echo')] } };
      const chat = await ChatDriver.open({ agents, workspaceTrust: !trusted });
      await chat.prompt('capabilities');
      const said = JSON.parse((await chat.said()).trim()) as { fs: unknown; terminal: unknown };
      assert.deepEqual(said.fs, { readTextFile: trusted, writeTextFile: trusted });
      assert.equal(said.terminal, trusted);
      await chat.close();
    });
  }
});
