import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../vscode/until';
import { end, expectCall, Replay, update } from '../support/replayScript';
import { picture, useChat, type ChatDriver } from './support/chatDriver';

/** A program that says what a terminal is to it, as often as it is typed into, until it gets an empty line. */
const ASKS = `echo ready
while read -r line && [ -n "$line" ]; do echo "got $line in a terminal of $(stty size)"; done
`;

/** A build as it looks in a terminal: colours, a progress bar, more lines than a card shows. */
const BUILDS = `
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do printf '\\033[32m✓\\033[0m \\033[2mmodule %s\\033[0m \\033[36msrc/part-%s.ts\\033[0m\\n' $n $n; done
printf '\\033[33mwarning\\033[0m unused variable \\033[1mdate\\033[0m in src/shop.ts:12\\n'
for p in 10 30 50 70 90 100; do
  printf '\\r\\033[K\\033[44;97m %3s%% \\033[0m ' $p
  i=0; while [ $i -lt $((p / 5)) ]; do printf '\\033[32m█\\033[0m'; i=$((i + 1)); done
  sleep 0.05
done
printf '\\n\\033[1;32mBuilt\\033[0m in 0.4 s\\n'
`;

/** Leaves a child that ignores what asks it to end. */
const DEAF = `(trap '' TERM HUP; while :; do sleep 1; done) & echo "pid $!"; echo "host $PPID"; wait\n`;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const card = (chat: ChatDriver) => chat.frame.locator('[data-terminal-id]');
const panelText = async (chat: ChatDriver): Promise<string> =>
  (await chat.page.locator('.terminal-wrapper.active .xterm-rows').innerText()).replaceAll('\u00a0', ' ');

describe('commands in terminals', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({ files: { 'asks.sh': ASKS, 'build.sh': BUILDS, 'deaf.sh': DEAF } }));

  /** Has the built-in agent run a command. */
  const run = async (command: string): Promise<void> => {
    await chat().send(`run ${command}`);
    await chat().choose('allow_once');
  };

  it('TE-15 a program asks for input and gets it from its terminal, in the size that this has', async () => {
    await run('sh asks.sh');
    await card(chat()).getByText('ready', { exact: true }).waitFor();
    await card(chat()).getByRole('button', { name: 'Open in terminal' }).click();
    const { page } = chat();
    await page.locator('.terminal-wrapper.active .xterm-rows', { hasText: 'ready' }).waitFor();
    const typed = async (text: string): Promise<string> => {
      await page.locator('.terminal-wrapper.active .xterm').click();
      await page.keyboard.insertText(text);
      await page.keyboard.press('Enter');
      const said = card(chat()).getByText(new RegExp(`^got ${text} in a terminal of \\d+ \\d+$`));
      await said.waitFor();
      return (await said.innerText()).replace(/^.* of /, '');
    };
    const size = await typed('one');
    assert.notEqual(size, '30 120', 'the size is that of the terminal in the panel');
    const rows = await page.locator('.terminal-wrapper.active .xterm-rows > div').count();
    assert.equal(size.split(' ')[0], String(rows));
    await chat().window.runCommand('View: Toggle Maximized Panel');
    await until('the terminal to be larger', async () => {
      const now = await page.locator('.terminal-wrapper.active .xterm-rows > div').count();
      return now > rows ? true : undefined;
    });
    const larger = await until('the size to reach the program', async () => {
      const told = await typed(`two${Date.now()}`);
      return told === size ? undefined : told;
    });
    assert.ok(Number(larger.split(' ')[0]) > rows, `${larger} is larger than ${size}`);
    await chat().window.runCommand('View: Toggle Maximized Panel');
    await page.locator('.terminal-wrapper.active .xterm').click();
    await page.keyboard.press('Enter');
    assert.equal(await chat().nextEnd(0), 'end_turn');
    assert.equal(await card(chat()).getAttribute('data-exit'), '0');
  });

  it('TE-8 closing the tab ends the command, and the agent learns it by the exit status', async () => {
    await run('sh -c "echo pid $$; sleep 1000"');
    const said = card(chat()).getByText(/^pid \d+$/);
    await said.waitFor();
    const pid = Number((await said.innerText()).slice(4));
    await card(chat()).getByRole('button', { name: 'Open in terminal' }).click();
    await chat().page.locator('.terminal-wrapper.active .xterm-rows', { hasText: 'pid' }).waitFor();
    await chat().window.runCommand('Terminal: Kill the Active Terminal Instance');
    await chat().frame.locator('[data-terminal-id][data-exit="SIGTERM"]').waitFor();
    await until('the command to be gone', () => (isRunning(pid) ? undefined : true));
    assert.equal(await chat().nextEnd(0), 'end_turn');
  });

  it('TE-10 shows a build as a terminal does, and keeps it after a reload, also in a terminal', async () => {
    await run('sh build.sh');
    assert.equal(await chat().nextEnd(0), 'end_turn');
    await card(chat()).getByText('100%').waitFor();
    assert.equal(await card(chat()).getByText('30%').count(), 0, 'the bar is drawn over itself');
    assert.equal(await card(chat()).getByText('module 1', { exact: true }).count(), 0);
    await card(chat())
      .getByRole('button', { name: /Show all/ })
      .click();
    await card(chat()).getByText('module 1', { exact: true }).waitFor();
    const green = card(chat()).locator('.fg-2').first();
    assert.equal(await green.innerText(), '✓');
    await card(chat()).getByRole('button', { name: 'Open in terminal' }).click();
    await chat().page.locator('.terminal-wrapper.active .xterm-rows', { hasText: 'Built' }).waitFor();
    await picture(chat(), 'term-build');
    await chat().reload();
    await card(chat()).getByText('100%').waitFor();
    assert.equal(await card(chat()).getAttribute('data-exit'), '0');
    await card(chat()).getByRole('button', { name: 'Open in terminal' }).click();
    await until('the terminal', async () => (/Built/.test(await panelText(chat())) ? true : undefined));
  });

  it('TE-10 the composer takes typing while a command prints without end', async () => {
    await run('sh -c "yes | head -c 30000000; echo the end; until [ -e go ]; do sleep 0.1; done"');
    await card(chat()).getByText('y', { exact: true }).first().waitFor();
    const longest = chat().frame.evaluate<number>(`new Promise((resolve) => {
      let longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
      }).observe({ entryTypes: ['longtask'] });
      setTimeout(() => resolve(longest), 3_000);
    })`);
    await chat().composer.click();
    await chat().page.keyboard.type('typed meanwhile');
    assert.equal(await chat().composer.inputValue(), 'typed meanwhile');
    console.log(`      longest task of the page: ${await longest} ms`);
    await card(chat()).getByText('the end', { exact: true }).waitFor({ timeout: 60_000 });
    writeFileSync(join(chat().folder, 'go'), '');
    assert.equal(await chat().nextEnd(0), 'end_turn');
  });

  it('TE-13 nothing is left when the window closes', async () => {
    await run('sh deaf.sh');
    const said = card(chat()).getByText(/^pid \d+$/);
    await said.waitFor();
    const pid = Number((await said.innerText()).slice(4));
    assert.ok(isRunning(pid));
    await chat().window.close();
    await until('the process to be gone', () => (isRunning(pid) ? undefined : true), 20_000);
  });
});

describe('commands when the extension host is killed', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({ files: { 'deaf.sh': DEAF } }));

  it('TE-13 end all the same', async function () {
    // Elsewhere it takes more to tell which process is the extension host.
    if (process.platform !== 'linux') this.skip();
    await chat().send('run sh deaf.sh');
    await chat().choose('allow_once');
    const numberAfter = async (word: string): Promise<number> => {
      const said = card(chat()).getByText(new RegExp(`^${word} \\d+$`));
      await said.waitFor();
      return Number((await said.innerText()).slice(word.length));
    };
    const pid = await numberAfter('pid');
    const host = await numberAfter('host');
    assert.match(readFileSync(`/proc/${host}/cmdline`, 'utf8'), /type=extensionHost/);
    assert.ok(isRunning(pid));
    process.kill(host, 'SIGKILL');
    await until('the command to be gone', () => (isRunning(pid) ? undefined : true), 20_000);
  });
});

describe('terminals that an agent runs itself', function () {
  this.timeout(120_000);
  const chat = useChat(() => {
    const terminal_id = 'own-1';
    const call = (sessionUpdate: string, fields: object): object => ({
      sessionUpdate,
      toolCallId: 'own-1',
      ...fields,
    });
    const told = (data: string): object => ({ _meta: { terminal_output: { terminal_id, data } } });
    const script = new Replay(
      expectCall('session/prompt', 'p'),
      update(
        call('tool_call', {
          title: 'make',
          kind: 'execute',
          status: 'in_progress',
          content: [{ type: 'terminal', terminalId: terminal_id }],
          _meta: { terminal_info: { terminal_id, cwd: '$CWD' } },
        }) as never,
      ),
      update(call('tool_call_update', told('10%\r50%')) as never),
      { sleepMs: 500 },
      update(call('tool_call_update', told('\r100%\n\u001b[31mfailed\u001b[0m\n')) as never),
      update(
        call('tool_call_update', {
          status: 'failed',
          _meta: { terminal_exit: { terminal_id, exit_code: 2, signal: null } },
        }) as never,
      ),
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 'own-2',
        title: 'gone',
        kind: 'execute',
        status: 'completed',
        content: [{ type: 'terminal', terminalId: 'never made' }],
      }),
      end('p'),
    );
    const { command, args } = script.plan;
    return { agents: { Replay: { command, args } } };
  });

  it('TE-10 are shown live, and can only be read', async () => {
    assert.equal(await chat().prompt('go'), 'end_turn');
    const shown = () => chat().frame.locator('[data-terminal-id="own-1"]');
    const own = shown();
    await own.getByText('100%', { exact: true }).waitFor();
    assert.equal(await own.getByText('failed').getAttribute('class'), 'fg-1');
    assert.equal(await own.getAttribute('data-exit'), '2');
    assert.equal(await own.getByRole('button').count(), 1);
    await own.getByRole('button', { name: 'Copy output' }).waitFor();
    await chat().frame.locator('[data-terminal-id="never made"]', { hasText: 'not available' }).waitFor();
    await picture(chat(), 'term-own');
    await chat().reload();
    await shown().getByText('100%', { exact: true }).waitFor();
  });
});

describe('the settings of terminals', function () {
  this.timeout(120_000);
  const chat = useChat(() => ({
    settings: { 'parley.terminal.show': 'visible', 'parley.terminal.keep': 0 },
  }));

  it('a terminal is brought into sight without the focus, and is gone when the agent has released it', async () => {
    const go = join(chat().folder, 'go');
    await chat().send(`run sh -c "echo here; until [ -e go ]; do sleep 0.1; done"`);
    await chat().choose('allow_once');
    await chat().page.locator('.terminal-wrapper.active .xterm-rows', { hasText: 'here' }).waitFor();
    const inTerminal = await chat().page.evaluate(
      "document.activeElement?.closest('.terminal-wrapper') !== null",
    );
    assert.equal(inTerminal, false, 'the focus is not taken');
    await chat().composer.click();
    await chat().page.keyboard.insertText('typed meanwhile');
    assert.equal(await chat().composer.inputValue(), 'typed meanwhile');
    writeFileSync(go, '');
    assert.equal(await chat().nextEnd(0), 'end_turn');
    await until('the tab to be closed', async () =>
      (await chat().page.locator('.terminal-wrapper.active .xterm-rows', { hasText: 'here' }).count()) === 0
        ? true
        : undefined,
    );
  });
});
