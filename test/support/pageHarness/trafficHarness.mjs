// Stands for the extension: shows recorded messages to the traffic page. What is shown is recorded and filtered by the extension's own parts.
import { matches } from '../../../src/core/traffic/filter';
import { TrafficRecorder } from '../../../src/core/traffic/recorder';
import { TrafficRing } from '../../../src/core/traffic/ring';
import { choicesOf, prettyText, toRow } from '../../../src/core/traffic/trafficProtocol';
import { englishTrafficStrings } from '../../../src/core/traffic/trafficStrings';
import { setLanguage } from './language.mjs';
import { setTheme } from './setTheme.mjs';

const query = new URLSearchParams(location.search);
const scene = query.get('scene') ?? 'turn';
setTheme(query.get('theme') ?? 'dark');
setLanguage(query.get('lang') ?? 'en', englishTrafficStrings);

let now = new Date('2026-03-04T10:20:30').getTime();
const recorder = new TrafficRecorder(new TrafficRing(), () => (now += 37));
const begin = (agent) => recorder.begin({ agent, mask: (text) => text });
const rpc = (message) => ({ jsonrpc: '2.0', ...message });
const update = (what) => rpc({ method: 'session/update', params: { sessionId: 'sess-1', update: what } });
const chunk = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

function playTurn() {
  const run = begin('Gemini');
  const out = (message) => run.message('out', rpc(message));
  const back = (message) => run.message('in', rpc(message));
  out({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: 1, clientCapabilities: { terminal: true } },
  });
  back({ id: 0, result: { protocolVersion: 1, agentInfo: { name: 'gemini', version: '1' } } });
  run.stderr('a warning of the agent\n<b>not bold</b>');
  out({ id: 1, method: 'session/new', params: { cwd: '/work/shop', mcpServers: [] } });
  back({ id: 1, result: { sessionId: 'sess-1' } });
  run.line('usage: gemini [options]');
  out({
    id: 2,
    method: 'session/prompt',
    params: { sessionId: 'sess-1', prompt: [{ type: 'text', text: 'go' }] },
  });
  run.message('in', chunk('Hello \u202E<img src=x onerror=alert(1)>'));
  run.message('in', update({ sessionUpdate: 'tool_call_update', toolCallId: 'lost', status: 'completed' }));
  back({ id: 2, error: { code: -32603, message: 'Internal error' } });
  run.end({ code: 3, signal: null, asked: false });
}

function playMany() {
  const run = begin('Gemini');
  for (let i = 0; i < 3_000; i++) run.message('in', chunk(`word ${i}`));
}

if (scene === 'turn') playTurn();
if (scene === 'many') playMany();

let filter = {};
let recording = scene !== 'off';
const post = (message) => window.postMessage(message, '*');
const show = (entries, reset) => {
  const all = recorder.ring.all();
  post({ type: 'state', recording, choices: choicesOf(all), total: all.length });
  post({ type: 'rows', rows: entries.filter((entry) => matches(entry, filter)).map(toRow), reset });
};
const textOf = (seq) => {
  const entry = recorder.ring.get(seq);
  const shown = entry?.about === undefined ? entry : recorder.ring.get(entry.about);
  return shown ? prettyText(shown) : null;
};

/** What a script that drives the page can reach. */
window.harness = {
  sent: [],
  setTheme,
  /** One more message, as it comes while the page is open. */
  more: (text) => {
    const run = begin('Copilot');
    run.message('in', chunk(text));
    show(recorder.ring.all().slice(-1), false);
  },
};

window.acquireVsCodeApi = () => ({
  postMessage: (message) => {
    window.harness.sent.push(structuredClone(message));
    if (message.type === 'filter') ({ filter } = message);
    if (message.type === 'enable') recording = true;
    if (message.type === 'clear') recorder.ring.clear();
    if (message.type === 'detail') post({ type: 'detail', seq: message.seq, text: textOf(message.seq) });
    if (['ready', 'filter', 'enable', 'clear'].includes(message.type)) show(recorder.ring.all(), true);
  },
  getState: () => null,
  setState: () => undefined,
});
