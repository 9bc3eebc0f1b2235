import assert from 'node:assert/strict';
import { createMasker } from '../../../../src/core/diagnostics/mask';
import { asObject, type JsonObject } from '../../../../src/core/json';
import { matches, readFilter } from '../../../../src/core/traffic/filter';
import { TrafficRecorder } from '../../../../src/core/traffic/recorder';
import { writeReport } from '../../../../src/core/traffic/report';
import { TrafficRing } from '../../../../src/core/traffic/ring';
import { prettyText, readTrafficMessage, toRow } from '../../../../src/core/traffic/trafficProtocol';

const SOURCE = { parley: '1.2.3', vscode: '1.106.0', platform: 'linux x64' };
const KEY = 'sk-live-0123456789abcdef0123';

/** A turn of an agent in the person's home folder. */
function recorded(): TrafficRecorder {
  let now = 1_000;
  const recorder = new TrafficRecorder(new TrafficRing(), () => (now += 5));
  const mask = createMasker({ home: '/home/ada', secrets: ['hunter2hunter2'] });
  const run = recorder.begin({ agent: 'Gemini', mask });
  const message = (direction: 'in' | 'out', fields: JsonObject): void =>
    run.message(direction, { jsonrpc: '2.0', ...fields });
  message('out', {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: 1, clientCapabilities: { terminal: true } },
  });
  message('in', {
    id: 0,
    result: {
      protocolVersion: 1,
      agentInfo: { name: 'gemini', version: '9' },
      agentCapabilities: { loadSession: true },
    },
  });
  const server = { name: 'git', command: '/bin/git', args: [], env: [{ name: 'GIT_TOKEN', value: 'abc' }] };
  message('out', { id: 1, method: 'session/new', params: { cwd: '/home/ada/shop', mcpServers: [server] } });
  message('in', { id: 1, result: { sessionId: 's-1' } });
  message('out', {
    id: 2,
    method: 'session/prompt',
    params: { sessionId: 's-1', prompt: [{ type: 'text', text: `my key is ${KEY}` }] },
  });
  message('in', {
    method: 'session/update',
    params: {
      sessionId: 's-1',
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'Read it',
        locations: [{ path: '/home/ada/shop/src/a.ts' }],
        rawInput: { kind: 'hidden words' },
      },
    },
  });
  run.stderr('no such file: /home/ada/shopping/list (hunter2hunter2)\n');
  message('in', { id: 2, error: { code: -32603, message: 'It broke', data: { details: 'the words' } } });
  run.end({ code: 3, signal: null, asked: false });
  return recorder;
}

const linesOf = (text: string): JsonObject[] =>
  text
    .trim()
    .split('\n')
    .map((line) => asObject(JSON.parse(line)));

describe('a report', () => {
  it('begins with who speaks, and has every message with its time', () => {
    const [header, ...lines] = linesOf(writeReport(recorded().ring.all(), SOURCE, true));
    assert.deepEqual(header, {
      format: 'parley-traffic',
      version: 1,
      ...SOURCE,
      agent: { id: 'Gemini', name: 'gemini', version: '9' },
      protocolVersion: 1,
      agentCapabilities: { loadSession: true },
      clientCapabilities: { terminal: true },
      texts: true,
    });
    assert.deepEqual(
      lines.map(({ dir }) => dir),
      ['start', '>', '<', '>', '<', '>', '<', 'err', '<', 'exit'],
    );
    assert.ok(lines.every(({ t, run }) => typeof t === 'number' && run === 1));
    assert.ok(lines.filter(({ dir }) => dir === '<').some(({ ms }) => typeof ms === 'number' && ms > 0));
  });

  it('MC-6 holds no secret and no home folder, and calls the folder of the session cwd', () => {
    const text = writeReport(recorded().ring.all(), SOURCE, true);
    for (const secret of [KEY, 'hunter2', '"abc"', '/home/ada']) assert.ok(!text.includes(secret), secret);
    assert.match(text, /"cwd":"\{\{cwd\}\}"/);
    assert.match(text, /"path":"\{\{cwd\}\}\/src\/a\.ts"/);
    assert.match(text, /no such file: ~\/shopping\/list/);
    assert.match(text, /my key is/);
  });

  it('can be had without texts: as long, with what the protocol needs, and the reason of the failure', () => {
    const withTexts = linesOf(writeReport(recorded().ring.all(), SOURCE, true));
    const lines = linesOf(writeReport(recorded().ring.all(), SOURCE, false));
    const text = JSON.stringify(lines);
    for (const word of ['my key', 'Read it', 'hidden words', 'the words', 'a.ts', 'no such', 'git'])
      assert.ok(!JSON.stringify(lines.slice(1)).includes(word), word);
    assert.match(text, /It broke/);
    assert.match(text, /"sessionUpdate":"tool_call","toolCallId":"t","title":"xxxx xx"/);
    assert.match(text, /"path":"\{\{cwd\}\}\/xxx\/x\.xx"/);
    const sizes = (all: JsonObject[]): number[] => all.slice(1).map((line) => JSON.stringify(line).length);
    assert.deepEqual(sizes(lines), sizes(withTexts));
  });
});

describe('the list of messages', () => {
  it('gives each answer the method of its request, its session and its time', () => {
    const rows = recorded().ring.all().map(toRow);
    const answer = rows.find(({ answer: kind }) => kind === 'error');
    assert.equal(answer?.method, 'session/prompt');
    assert.equal(answer?.sessionId, 's-1');
    assert.equal(answer?.what, '-32603 It broke');
    assert.ok((answer?.ms ?? 0) > 0);
    assert.ok(rows.every((row) => !('text' in row)));
  });

  it('is narrowed by text, session, method, direction and agent', () => {
    const all = recorded().ring.all();
    const count = (filter: unknown): number =>
      all.filter((entry) => matches(entry, readFilter(filter))).length;
    assert.equal(count({}), all.length);
    assert.equal(count({ text: 'IT BROKE' }), 1);
    assert.equal(count({ sessionId: 's-1' }), 4);
    assert.equal(count({ method: 'session/prompt' }), 2);
    assert.equal(count({ direction: 'out' }), 3);
    assert.equal(count({ direction: 'process' }), 3);
    assert.equal(count({ agent: 'Copilot' }), 0);
    assert.equal(count({ direction: 'sideways', text: 7 }), all.length);
  });

  it('shows a message on many lines, and takes nothing from the page that it does not know', () => {
    assert.equal(prettyText({ kind: 'in', text: '{"a":[1]}' }), '{\n  "a": [\n    1\n  ]\n}');
    assert.equal(prettyText({ kind: 'stderr', text: '{"a":1}' }), '{"a":1}');
    assert.equal(readTrafficMessage({ type: 'run' }), undefined);
    assert.equal(readTrafficMessage({ type: 'copy', seq: 'x' }), undefined);
    assert.deepEqual(readTrafficMessage({ type: 'copy', seq: 2, more: 1 }), { type: 'copy', seq: 2 });
  });
});
