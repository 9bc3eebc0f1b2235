// Keeps its sessions in a file, so that they last over a restart: node sessions.mjs --store FILE [--page N] [--endless] [--without LIST]
//   --page N        sessions in a page of session/list (2)
//   --endless       each page names one more, the same cursor for ever
//   --http          MCP servers may be reached by http
//   --without LIST  capabilities that are not there, with commas: load, resume, list, close, delete, roots
// A prompt is remembered and said back; the first one becomes the title. "gone" forgets the session (-32002 from then on);
// "list" says the ids of all; "roots" says the folders that the session has.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { argument, Failure, flag, say, serve, textOf, update, words } from './line.mjs';

const file = argument('store');
const size = Number(argument('page', '2'));
const without = new Set(argument('without', '').split(','));
const stored = () =>
  file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { last: 0, sessions: {} };
let data = stored();
const live = new Set();
const save = () => file && writeFileSync(file, JSON.stringify(data));
const has = (name) => (without.has(name) ? {} : { [name]: {} });

function find(sessionId, among = Object.keys(data.sessions)) {
  if (!among.includes(sessionId)) throw new Failure(-32002, 'Session not found', { sessionId });
  return data.sessions[sessionId];
}

function open(sessionId, { cwd, additionalDirectories = [] }) {
  Object.assign(find(sessionId), { cwd, additionalDirectories });
  live.add(sessionId);
  save();
  return {};
}

function prompt({ sessionId, prompt: blocks }) {
  const session = find(sessionId, [...live]);
  const text = textOf(blocks);
  if (text === 'gone') {
    delete data.sessions[sessionId];
    live.delete(sessionId);
    throw (save(), new Failure(-32002, 'Session not found', { sessionId }));
  }
  const said = {
    list: () => Object.keys(data.sessions).join(' '),
    roots: () => JSON.stringify([session.cwd, ...session.additionalDirectories]),
  };
  const answer = said[text]?.() ?? `${text}, the ${session.turns.length + 1}. prompt`;
  say(sessionId, answer);
  session.turns.push([text, answer]);
  session.title ??= text;
  session.updatedAt = new Date().toISOString();
  update(sessionId, {
    sessionUpdate: 'session_info_update',
    title: session.title,
    updatedAt: session.updatedAt,
  });
  save();
  return { stopReason: 'end_turn' };
}

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'sessions', title: 'Sessions', version: '1.0.0' },
    agentCapabilities: {
      loadSession: !without.has('load'),
      ...(flag('http') ? { mcpCapabilities: { http: true } } : {}),
      sessionCapabilities: {
        ...has('list'),
        ...has('resume'),
        ...has('close'),
        ...has('delete'),
        ...(without.has('roots') ? {} : { additionalDirectories: {} }),
      },
    },
  }),
  'session/new': (place) => {
    const sessionId = `kept-${++data.last}`;
    data.sessions[sessionId] = { turns: [] };
    open(sessionId, place);
    return { sessionId };
  },
  'session/load': ({ sessionId, ...place }) => {
    for (const [user, agent] of find(sessionId).turns) {
      update(sessionId, words(user, 'user_message_chunk'));
      say(sessionId, agent);
    }
    return open(sessionId, place);
  },
  'session/resume': ({ sessionId, ...place }) => open(sessionId, place),
  'session/list': ({ cwd, cursor }) => {
    if (flag('endless')) return { sessions: [{ sessionId: 'again', cwd: cwd ?? '/' }], nextCursor: 'again' };
    const all = Object.entries(data.sessions).filter(([, session]) => !cwd || session.cwd === cwd);
    const start = cursor ? Number(Buffer.from(cursor, 'base64')) : 0;
    const sessions = all
      .slice(start, start + size)
      .map(([sessionId, { turns, ...session }]) => ({ sessionId, ...session }));
    const next =
      start + size < all.length ? { nextCursor: Buffer.from(String(start + size)).toString('base64') } : {};
    return { sessions, ...next };
  },
  'session/close': ({ sessionId }) => {
    find(sessionId, [...live]);
    live.delete(sessionId);
    return {};
  },
  'session/delete': ({ sessionId }) => {
    delete data.sessions[sessionId];
    live.delete(sessionId);
    save();
    return {};
  },
  'session/prompt': prompt,
});
