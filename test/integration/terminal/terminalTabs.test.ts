import assert from 'node:assert/strict';
import { until } from '../../vscode/until';
import { BridgeHarness, type FakeTab } from './terminalHarness';

describe('tabs of commands', function () {
  this.timeout(30_000);
  let harness: BridgeHarness;
  beforeEach(() => (harness = new BridgeHarness()));
  afterEach(() => harness.bridge.dispose());

  const tab = (index = 0): FakeTab => {
    const found = harness.tabs[index];
    assert.ok(found);
    return found;
  };

  it('TE-17 shows agent and command in the title, on one line', async () => {
    await harness.create(`echo ${'x'.repeat(200)}\necho`);
    assert.match(tab().title, /^Agent: echo x{55}…$/);
  });

  it('TE-15 passes typing and resizing through', async () => {
    const id = await harness.create('read line; stty size; echo "got $line"');
    tab().events.onResize(90, 20);
    tab().events.onInput('hello\r');
    await harness.wait(id);
    assert.match(harness.output(id).output, /20 90\ngot hello\n/);
  });

  it('shows the output live and the exit', async () => {
    const id = await harness.create('echo out; exit 4');
    await harness.wait(id);
    assert.equal(tab().text, 'out\r\n');
    assert.deepEqual(tab().exit, { code: 4, signal: null });
  });

  it('shows bare LF as line ends without a pty', async () => {
    harness.bridge.dispose();
    harness = new BridgeHarness('pipe');
    await harness.wait(await harness.create('echo a; echo b'));
    assert.equal(tab().text, 'a\r\nb\r\n');
  });

  it('closing the tab stops the command', async () => {
    const id = await harness.create('sleep 1000');
    tab().close();
    assert.deepEqual(await harness.wait(id), { exitCode: null, signal: 'SIGTERM' });
  });

  it('stopTerminal stops the command', async () => {
    const id = await harness.create('sleep 1000');
    harness.bridge.stopTerminal(id);
    assert.deepEqual(await harness.wait(id), { exitCode: null, signal: 'SIGTERM' });
    harness.bridge.stopTerminal('no such id');
  });

  it('openTerminal shows the tab, and makes a new one where it was closed', async () => {
    const id = await harness.create('echo out');
    await harness.wait(id);
    harness.bridge.openTerminal(id);
    assert.deepEqual(tab().revealed, [false], 'the person wants to go there');
    tab().close();
    harness.release(id);
    harness.bridge.openTerminal(id);
    assert.equal(tab(1).text, 'out\r\n');
    assert.deepEqual(tab(1).exit, { code: 0, signal: null });
    harness.bridge.openTerminal('no such id');
    assert.equal(harness.tabs.length, 2);
  });

  it('shows a tab silently, in sight without the focus, or only when the person asks', async () => {
    await harness.create('true');
    assert.deepEqual(tab().revealed, []);
    harness.tabSettings = { show: 'visible', keep: 10 };
    await harness.create('true');
    assert.deepEqual(tab(1).revealed, [true], 'the focus stays where it is');
    harness.tabSettings = { show: 'none', keep: 10 };
    const id = await harness.create('echo out; read line; echo "got $line"');
    assert.equal(harness.tabs.length, 2);
    await until('the output', () => harness.output(id).output.includes('out') || undefined);
    harness.bridge.openTerminal(id);
    assert.equal(tab(2).text, 'out\r\n');
    assert.deepEqual(tab(2).revealed, [false]);
    tab(2).events.onInput('hello\r');
    await harness.wait(id);
    assert.match(tab(2).text, /got hello/);
  });

  it('keeps as many tabs of released commands as the settings say', async () => {
    harness.tabSettings = { show: 'silent', keep: 1 };
    for (let i = 0; i < 3; i++) {
      const id = await harness.create('true');
      await harness.wait(id);
      harness.release(id);
    }
    assert.deepEqual(
      harness.tabs.map(({ open }) => open),
      [false, false, true],
    );
    harness.tabSettings = { show: 'silent', keep: 0 };
    harness.release(await harness.create('true'));
    assert.ok(!harness.tabs.some(({ open }) => open));
  });

  it('accounts in the tab for every line of a flood, and shows its end', async () => {
    const id = await harness.create(`yes | head -c 3000000; echo "the end"`, { outputByteLimit: 10 });
    await harness.wait(id);
    const shown = tab().text.split('\n').length - 1;
    assert.equal(shown + tab().linesLeftOut, 1_500_001);
    assert.match(tab().text, /y\r\ny\r\nthe end\r\n$/);
  });

  it('keeps the tabs of the last ten released commands', async () => {
    for (let i = 0; i < 12; i++) {
      const id = await harness.create('true');
      await harness.wait(id);
      harness.release(id);
    }
    assert.deepEqual(
      harness.tabs.map(({ open }) => open),
      [false, false, ...Array<boolean>(10).fill(true)],
    );
    harness.bridge.dispose();
    assert.ok(!harness.tabs.some(({ open }) => open));
  });

  it('TE-10 shows a command of an earlier window, as its card has it, in a tab to read', async () => {
    const terminalId = await harness.create('printf "\\033[32mgreen\\033[0m\\nplain\\n"; exit 3');
    await harness.wait(terminalId);
    const view = await until('the screen', () => {
      const shown = harness.view(terminalId);
      return shown?.exit ? shown : undefined;
    });
    const later = new BridgeHarness();
    later.bridge.openTerminal(terminalId, view);
    later.bridge.openTerminal(terminalId, view);
    const [record] = later.tabs;
    assert.equal(later.tabs.length, 1);
    assert.equal(record?.text, '\u001b[32mgreen\u001b[0m\r\nplain\r\n');
    assert.deepEqual(record.exit, { code: 3, signal: null });
    assert.deepEqual(record.revealed, [false, false]);
    record.close();
    later.bridge.openTerminal(terminalId, view);
    assert.equal(later.tabs.length, 2);
    later.bridge.dispose();
    assert.ok(!later.tabs.some(({ open }) => open));
  });
});
