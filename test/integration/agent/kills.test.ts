import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conversationOf } from '../../../src/agent/events/conversation';
import type { TimedEvent } from '../../../src/agent/events/event';
import { parseEvents } from '../../../src/agent/events/eventLog';
import { replayOf } from '../../../src/agent/events/replay';
import type { HistoryItem } from '../../../src/agent/model/model';
import { LOOP_META } from '../../../src/core/acp';
import { asObject, type JsonObject } from '../../../src/core/json';
import { RawAgent } from './rawAgent';
import { makeWorkspace } from './workspace';

/** Ends its process by SIGKILL with the write number `$KILL_AT`: right after it, or when half of it is written. */
const KILLER = `const fs = require('node:fs');
const { writeSync } = fs;
let left = Number(process.env.KILL_AT);
fs.writeSync = (file, text, ...more) => {
  const last = --left === 0;
  const half = last && process.env.KILL_HOW === 'torn';
  const written = writeSync(file, half ? text.slice(0, text.length / 2) : text, ...more);
  if (last) process.kill(process.pid, 'SIGKILL');
  return written;
};
`;

const TASK = 'read a.txt then replace "one" with "naïve 🎉" in a.txt then run echo hi';

/** Each request for a tool has exactly one result, before the next message. */
function checkResults(history: readonly HistoryItem[], where: string): void {
  const open = new Set<string>();
  for (const item of history) {
    if (item.role === 'tool') assert.ok(open.delete(item.requestId), where);
    else assert.equal(open.size, 0, where);
    if (item.role === 'assistant') for (const { id } of item.toolRequests) open.add(id);
  }
  assert.equal(open.size, 0, where);
}

const countOf = (events: readonly TimedEvent[], type: TimedEvent['type']): number =>
  events.filter((event) => event.type === type).length;

/** Whether a log stops in the middle of a prompt turn, told by its names alone: nothing after a prompt says how that ended. */
function isInterrupted(events: readonly TimedEvent[]): boolean {
  const since = events.slice(events.findLastIndex(({ type }) => type === 'user.message'));
  const isEnd = (event: TimedEvent): boolean =>
    event.type === 'session.task_complete' ||
    (event.type === 'assistant.turn_end' && event.toolRequests === 0);
  return events.some(({ type }) => type === 'user.message') && !since.some(isEnd);
}

describe('built-in agent, killed', () => {
  const home = mkdtempSync(join(tmpdir(), 'parley-home-'));
  const cwd = makeWorkspace({ 'a.txt': '' });
  const killer = join(home, 'killer.cjs');
  const sessions = join(home, 'sessions');
  let loader: RawAgent;
  before(async () => {
    writeFileSync(killer, KILLER);
    loader = RawAgent.start({ home });
    await loader.initialize();
  });
  after(async () => {
    await loader.end();
    rmSync(home, { recursive: true, force: true });
  });

  const fileOf = (sessionId: string): string => join(sessions, sessionId, 'events.jsonl');
  const eventsOf = (sessionId: string): TimedEvent[] => parseEvents(readFileSync(fileOf(sessionId), 'utf8'));

  /** Runs the task until the write of one event; the session's id, and whether the agent lived to its end. */
  async function runUntil(
    event: number,
    how: 'whole' | 'torn',
  ): Promise<{ sessionId: string; survived: boolean }> {
    writeFileSync(join(cwd, 'a.txt'), 'one\n');
    const env = { KILL_AT: String(event), KILL_HOW: how };
    const agent = RawAgent.start({ home, node: ['--require', killer], env });
    await agent.initialize();
    const sessionId = await agent.newSession(cwd);
    const prompt = agent.prompt(sessionId, TASK);
    const first = await Promise.race([prompt, agent.exited]);
    const survived = typeof first === 'string';
    if (survived) await agent.end();
    else assert.notDeepEqual(first, { code: 0, signal: null });
    return { sessionId, survived };
  }

  /** What the loader is told of a session. */
  async function load(sessionId: string): Promise<JsonObject[]> {
    const from = loader.lines.length;
    const { result, error } = await loader.ask('session/load', { sessionId, cwd, mcpServers: [] });
    assert.ok(result, JSON.stringify(error));
    return loader.messages.slice(from).map(({ params }) => asObject(asObject(params)['update']));
  }

  const saysInterrupted = (updates: readonly JsonObject[]): boolean =>
    updates
      .filter(({ sessionUpdate }) => sessionUpdate === 'session_info_update')
      .some(({ _meta }) => asObject(asObject(_meta)[LOOP_META])['interrupted'] === true);

  async function checkGoesOn(sessionId: string, where: string): Promise<void> {
    const left = eventsOf(sessionId);
    const told = await load(sessionId);
    assert.equal(saysInterrupted(told), isInterrupted(left), where);
    const cards = told.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
    assert.equal(cards.length, countOf(left, 'tool.execution_start'), where);
    const finished = cards.filter(({ status }) => status === 'completed').length;
    assert.equal(finished, countOf(left, 'tool.execution_complete'), where);
    assert.ok(
      cards.every(({ status }) => status === 'completed' || status === 'failed'),
      where,
    );

    assert.equal(await loader.prompt(sessionId, 'read a.txt'), 'end_turn', where);
    const now = eventsOf(sessionId);
    assert.deepEqual(now.slice(0, left.length), left, `${where}: nothing of it is lost`);
    assert.equal(
      countOf(now, 'user.message'),
      countOf(left, 'user.message') + 1,
      `${where}: the next prompt is`,
    );
    assert.equal(now.at(-1)?.type, 'assistant.turn_end', where);
    const unfinished = countOf(now, 'assistant.turn_start') - countOf(now, 'assistant.turn_end');
    assert.ok(unfinished === 0 || unfinished === 1, `${where}: ${unfinished} model calls without an end`);
    const ids = now.flatMap((event) => (event.type === 'tool.execution_start' ? [event.toolCallId] : []));
    assert.equal(new Set(ids).size, ids.length, `TC-5 ${where}`);
    const { history, interrupted } = conversationOf(now);
    checkResults(history, where);
    assert.equal(interrupted, false, where);
    assert.ok(!saysInterrupted(await load(sessionId)), where);
    await loader.ask('session/close', { sessionId });
  }

  for (const how of ['whole', 'torn'] as const) {
    it(`goes on with its session, killed at each event of a turn with tools, the event ${how}`, async function () {
      this.timeout(120_000);
      let event = how === 'whole' ? 1 : 2; // The very first line, torn, is no session yet.
      for (;;) {
        const { sessionId, survived } = await runUntil(event, how);
        const left = eventsOf(sessionId);
        if (survived) {
          assert.equal(isInterrupted(left), false);
          assert.equal(left.at(-1)?.type, 'session.task_complete');
          assert.equal(left.length, event - 1);
          break;
        }
        assert.equal(left.length, how === 'whole' ? event : event - 1);
        await checkGoesOn(sessionId, `${how} event ${event} after ${String(left.at(-1)?.type)}`);
        event++;
      }
      assert.ok(event > 20, `only ${event} events`);
    });
  }

  it('has no session, and says so, where it was killed in the first line of a log', async () => {
    const { sessionId } = await runUntil(1, 'torn');
    assert.ok(existsSync(fileOf(sessionId)));
    const params = { sessionId, cwd, mcpServers: [] };
    assert.equal(await loader.codeOf('session/load', params), -32002);
    for (const filter of [{ cwd }, {}]) {
      const { result } = await loader.ask('session/list', filter);
      assert.ok(!JSON.stringify(result).includes(sessionId));
    }
    assert.ok((await loader.ask('session/delete', { sessionId }))['result']);
    assert.ok(!readdirSync(sessions).includes(sessionId));
  });

  it('reads a log that ends at any byte', async () => {
    const { sessionId, survived } = await runUntil(10_000, 'whole');
    assert.ok(survived);
    const bytes = readFileSync(fileOf(sessionId));
    assert.ok(bytes.length > bytes.toString('utf8').length, 'letters of several bytes are cut, too');
    for (let end = 0; end <= bytes.length; end++) {
      const where = `cut at byte ${end}`;
      const events = parseEvents(bytes.toString('utf8', 0, end));
      const { history, started, ended, interrupted } = conversationOf(events);
      assert.ok(started - ended === 0 || started - ended === 1, where);
      assert.equal(interrupted, isInterrupted(events), where);
      checkResults(history, where);
      const cards = replayOf(events, { syntheticMessages: true }).filter(
        (update) => update.sessionUpdate === 'tool_call',
      );
      assert.equal(cards.length, countOf(events, 'tool.execution_start'), where);
    }
  });
});
