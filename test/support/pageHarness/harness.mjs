// Stands for the extension: plays a scene to the page, answers what the page asks for, and keeps drafts over a reload.
import { applyAction } from '../../../src/core/session/reduce';
import { emptySession } from '../../../src/core/session/state';
import { listOf } from './lists';
import { queueEffects } from './queueEffects';
import { agentOf, sceneOfSession, scenes } from './scenes';

const query = new URLSearchParams(location.search);
const scene = query.get('scene') ?? 'turn';
document.body.className = `vscode-${query.get('theme') ?? 'dark'}`;
document.documentElement.lang = query.get('lang') ?? 'en';
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

function answer(message) {
  window.harness.sent.push(message);
  if (message.type === 'draft') {
    sessionStorage.setItem(`draft ${message.key}`, JSON.stringify(message.draft));
    return;
  }
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
 * get no reply before `release`.
 */
window.harness = {
  sent: [],
  refuse: null,
  hold: false,
  post,
  play: (actions) => {
    if (actions.length === 0) return;
    post({ type: 'actions', seq, actions });
    seq += actions.length;
    apply(actions);
  },
  show,
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
