import assert from 'node:assert/strict';
import { asObject } from '../../../src/core/json';
import { readUpdate } from '../../../src/core/session/intake';
import { emptySession, type TerminalView } from '../../../src/core/session/state';
import { SessionStore } from '../../../src/host/session/sessionStore';
import { DisplayTerminals } from '../../../src/host/terminal/displayTerminals';
import { keepDiff, tool } from '../../support/session';
import { until } from '../../vscode/until';

const info = (terminal_id: string, cwd?: string): object => ({
  _meta: { terminal_info: { terminal_id, cwd } },
});
const output = (terminal_id: string, data: string): object => ({
  _meta: { terminal_output: { terminal_id, data } },
});
const exit = (terminal_id: string, exit_code: number | null, signal: string | null = null): object => ({
  _meta: { terminal_exit: { terminal_id, exit_code, signal } },
});
const shows = (terminalId: string): object => ({
  kind: 'execute',
  content: [{ type: 'terminal', terminalId }],
});

/** A session whose agent runs commands itself. */
class AgentsOwn {
  readonly store = new SessionStore('Test');
  readonly displays = new DisplayTerminals(() => this.current);
  current = this.store;

  update(toolCallId: string, ...fields: object[]): void {
    const update = Object.assign(
      tool(toolCallId),
      { sessionUpdate: 'tool_call_update' },
      ...fields,
    ) as object;
    const read = readUpdate(update, keepDiff);
    this.current.dispatch({ type: 'update', update: read, at: 5 });
    this.displays.take(asObject(asObject(update)['_meta']), 5);
  }

  view(terminalId: string): TerminalView | undefined {
    return this.store.state.terminals[terminalId];
  }

  text(terminalId: string): string {
    const lines = this.view(terminalId)?.lines ?? [];
    return lines.map((line) => line.map((run) => run.text).join('')).join('\n');
  }

  async waitText(terminalId: string, text: string): Promise<void> {
    await until(`"${text}"`, () => this.text(terminalId) === text || undefined);
  }

  async waitOver(terminalId: string): Promise<TerminalView> {
    return until('the end', () => {
      const view = this.view(terminalId);
      return view && (view.exit ?? view.released) ? view : undefined;
    });
  }
}

describe('DisplayTerminals', function () {
  this.timeout(20_000);
  let session: AgentsOwn;
  beforeEach(() => (session = new AgentsOwn()));
  afterEach(() => session.displays.dispose());

  it('TE-10 shows live what an agent tells of a command that it runs itself, then its exit', async () => {
    session.update('c', info('c', '/workspace'), shows('c'));
    assert.equal(session.view('c')?.agents, true);
    assert.equal(session.view('c')?.cwd, '/workspace');
    session.update('c', output('c', 'hello-from-shell\n'));
    await session.waitText('c', 'hello-from-shell');
    assert.equal(session.view('c')?.exit, undefined);
    session.update('c', output('c', '10%\r50%\r\u001b[32m100%\u001b[0m\n'));
    session.update('c', exit('c', 0), { status: 'completed' });
    const { exit: ended, endedAt } = await session.waitOver('c');
    assert.deepEqual([ended, endedAt], [{ code: 0, signal: null }, 5]);
    assert.equal(session.text('c'), 'hello-from-shell\n100%');
    assert.deepEqual(session.view('c')?.lines[1], [{ text: '100%', fg: '2' }]);
  });

  it('TE-10 takes all that comes in one update, and an exit without output', async () => {
    session.update('a', {
      _meta: {
        terminal_info: { terminal_id: 'a' },
        terminal_output: { terminal_id: 'a', data: 'all' },
        terminal_exit: { terminal_id: 'a', exit_code: 3, signal: null },
      },
    });
    assert.deepEqual((await session.waitOver('a')).exit, { code: 3, signal: null });
    assert.equal(session.text('a'), 'all');
    session.update('b', exit('b', null, 'SIGKILL'));
    assert.deepEqual((await session.waitOver('b')).exit, { code: null, signal: 'SIGKILL' });
  });

  it('TE-10 takes output of a terminal that was never announced', async () => {
    session.update('c', output('c', 'x'));
    await session.waitText('c', 'x');
  });

  it('TE-10 keeps what is shown when the announcement is repeated, and begins anew in a later turn', async () => {
    session.update('c', info('c'), shows('c'));
    session.update('c', output('c', 'first\n'), info('c'));
    session.update('c', output('c', 'first\n'));
    session.update('c', exit('c', 0));
    session.update('c', info('c'));
    session.update('c', output('c', 'late\n'));
    await session.waitOver('c');
    session.update('c', info('c'));
    session.update('c', output('c', 'later\n'));
    assert.equal(session.text('c'), 'first');
    session.store.dispatch({ type: 'promptSubmitted', blocks: [], at: 6 });
    session.update('c', info('c'));
    assert.equal(session.view('c')?.exit, undefined);
    session.update('c', output('c', 'second\n'));
    await session.waitText('c', 'second');
  });

  it('EX-1 lets an agent write into no terminal that Parley runs', async () => {
    const terminalId = 'ours';
    session.store.dispatch({ type: 'terminalStarted', terminalId, command: 'ls', cwd: '/', at: 1 });
    session.update('c', info(terminalId), shows(terminalId));
    session.update('c', output(terminalId, 'forged'));
    session.update('c', exit(terminalId, 0));
    session.update('d', output('d', 'x'));
    await session.waitText('d', 'x');
    assert.equal(session.text(terminalId), '');
    assert.equal(session.view(terminalId)?.exit, undefined);
    assert.equal(session.view(terminalId)?.agents, undefined);
  });

  it('keeps the last screens of commands whose end is never told', async () => {
    for (let i = 0; i < 40; i++) session.update(`c${i}`, output(`c${i}`, `text ${i}`));
    const first = await session.waitOver('c0');
    assert.deepEqual([first.released, first.exit], [true, undefined]);
    assert.equal(session.text('c0'), 'text 0');
    assert.equal(session.view('c39')?.released, false);
    session.displays.dispose();
    await session.waitOver('c39');
    await until('all to be closed', () => {
      const { screens } = session.displays as unknown as { screens: Map<string, unknown> };
      return screens.size === 0 || undefined;
    });
  });

  it('SE-8 shows them in a replay, whose store takes the place of the shown one', async () => {
    session.current = new SessionStore(emptySession('Test'));
    const replay = session.current;
    session.update('c', info('c'), shows('c'));
    session.update('c', output('c', 'replayed\n'));
    session.update('c', exit('c', 0));
    session.store.reset(replay.state);
    session.current = session.store;
    await session.waitOver('c');
    assert.equal(session.text('c'), 'replayed');
  });
});
