// Stands for the extension: plays a scene to the page, answers what the page asks for, and keeps drafts over a reload.
import { rankMentions } from '../../../src/core/chat/mentions';
import { englishStrings } from '../../../src/core/chat/strings';
import { applyAction } from '../../../src/core/session/reduce';
import { emptySession } from '../../../src/core/session/state';
import { codeAnswer, forgetCode } from './codeAnswers.mjs';
import { setLanguage } from './language.mjs';
import { listOf } from './lists';
import { mentionItems } from './mentionItems';
import { queueEffects } from './queueEffects';
import { startOf } from './startScenes';
import { PIXEL } from './turnScenes';
import { agentOf, sceneOfSession, scenes } from './scenes';
import { setTheme } from './setTheme.mjs';

const query = new URLSearchParams(location.search);
const scene = query.get('scene') ?? 'turn';
setTheme(query.get('theme') ?? 'dark');
setLanguage(query.get('lang') ?? 'en', englishStrings);
let seq = 0;
/** The session that is shown. */
let key = sessionStorage.getItem('key') ?? 'k1';
/** What the page should hold by now. */
let state = emptySession('');
let held = [];
let saved = JSON.parse(sessionStorage.getItem('saved') ?? 'null');
let list = listOf(scene, Date.now());

const post = (message) => window.postMessage(message, '*');
const noDraft = { text: '', attachments: [] };
const draftOf = (session) => JSON.parse(sessionStorage.getItem(`draft ${session}`) ?? 'null') ?? noDraft;

function apply(actions) {
  for (const action of structuredClone(actions)) applyAction(state, action, () => undefined);
}

function show(session, name) {
  key = session;
  sessionStorage.setItem('key', key);
  seq = 0;
  state = emptySession(agentOf(name));
  apply(scenes[name]?.(Date.now()) ?? []);
  post({ type: 'snapshot', seq, key, state: structuredClone(state), draft: draftOf(key) });
  setRows(list.rows.map((row) => ({ ...row, current: row.key === key })));
}

function setRows(rows) {
  list = { ...list, rows };
  post({ type: 'sessions', list });
}

const drop = (wanted) => setRows(list.rows.filter((row) => row.key !== wanted.key));

/** What an intent does to the session. */
const effects = {
  ...queueEffects,
  answerPermission: ({ requestId, optionId }, at) => [
    { type: 'permissionAnswered', requestId, optionId, at },
  ],
  answerElicitation: ({ requestId, action }) => [{ type: 'elicitationAnswered', requestId, action }],
  setConfig: ({ id, value }) => [{ type: 'configValueSet', id, value }],
  dismissBanner: () => [{ type: 'bannerShown', banner: null }],
};

/** What an intent does beside the session. */
const sideEffects = {
  listSessions: () => post({ type: 'sessions', list }),
  showSession: (intent) => show(intent.key, sceneOfSession(scene, intent.key)),
  newSession: () => show(`new${window.harness.sent.length}`, 'ready'),
  closeSession: drop,
  deleteSession: drop,
};

function findMentions({ id, query }) {
  const { mute } = window.harness;
  if (!mute) post({ type: 'mentions', id, items: rankMentions(query, mentionItems), done: true });
}

const mentioned = (source) =>
  typeof source === 'object'
    ? {
        kind: 'selection',
        path: source.path,
        name: 'a.ts',
        fromLine: source.line,
        toLine: 9,
        text: source.name,
      }
    : { kind: 'text', name: 'Problems', text: `all ${source}` };

function takeMention({ id, source }) {
  const { refuse } = window.harness;
  window.harness.refuse = null;
  if (refuse === null) post({ type: 'attach', attachments: [mentioned(source)] });
  post({ type: 'reply', id, error: refuse });
}

function takeDropped({ id, uris }) {
  const attachments = uris.map((uri) => ({
    kind: uri.endsWith('/') ? 'folder' : 'file',
    path: decodeURIComponent(new URL(uri).pathname),
    name: uri.split('/').filter(Boolean).at(-1),
  }));
  post({ type: 'attach', attachments });
  post({ type: 'reply', id, error: null });
}

function readPicture({ key: session, path }) {
  const data = window.harness.pictures[path] ?? null;
  post({ type: 'picture', key: session, path, data });
}

function highlight(request) {
  const { codeTheme } = window.harness;
  if (codeTheme !== null) post(codeAnswer(request, codeTheme));
}

function answer(message) {
  window.harness.sent.push(message);
  if (message.type === 'draftText') {
    const draft = { ...draftOf(message.key), text: message.text };
    sessionStorage.setItem(`draft ${message.key}`, JSON.stringify(draft));
    return;
  }
  if (message.type === 'draft') {
    sessionStorage.setItem(`draft ${message.key}`, JSON.stringify(message.draft));
    return;
  }
  if (message.type === 'findMentions') return findMentions(message);
  if (message.type === 'takeMention') return takeMention(message);
  if (message.type === 'readPicture') return readPicture(message);
  if (message.type === 'takeDropped') return takeDropped(message);
  if (message.type === 'highlight') return highlight(message);
  if (message.type === 'lookAround') return post({ type: 'start', view: startOf(scene) });
  if (['focused', 'failed', 'painted', 'lookForModels'].includes(message.type)) return;
  if (message.type !== 'intent') return show(key, key === 'k1' ? scene : sceneOfSession(scene, key));
  const { refuse, hold } = window.harness;
  window.harness.refuse = null;
  if (refuse === null) {
    sideEffects[message.intent.type]?.(message.intent);
    window.harness.play(effects[message.intent.type]?.(message.intent, Date.now(), state) ?? []);
  }
  if (hold) held.push(message.id);
  else post({ type: 'reply', id: message.id, error: refuse });
}

/**
 * What a script that drives the page can reach: `refuse` is the error that the next intent gets, and while `hold` is true intents
 * get no reply before `release`. While `mute` is true nothing answers what can be mentioned.
 * `pictures` are the pictures of the workspace by path. `codeTheme` names the colours that code gets; null leaves it without an answer.
 */
window.harness = {
  sent: [],
  codeTheme: 'first',
  forgetCode,
  refuse: null,
  hold: false,
  mute: false,
  pictures: { 'docs/cart.png': `data:image/png;base64,${PIXEL}` },
  post,
  setTheme,
  play: (actions) => {
    if (actions.length === 0) return;
    post({ type: 'actions', seq, actions });
    seq += actions.length;
    apply(actions);
  },
  show,
  setBadge: (wanted, badge) =>
    setRows(list.rows.map((row) => (row.key === wanted ? { ...row, badge } : row))),
  release: (error) => {
    window.harness.hold = false;
    for (const id of held) post({ type: 'reply', id, error });
    held = [];
  },
};

window.acquireVsCodeApi = () => ({
  postMessage: answer,
  getState: () => saved,
  setState: (state) => {
    saved = state;
    sessionStorage.setItem('saved', JSON.stringify(state));
  },
});
