// Stands for the extension: plays a scene to the page, answers what the page asks for, and keeps its draft over a reload.
import { emptySession } from '../../../src/core/session/state';
import { scenes } from './scenes';

const query = new URLSearchParams(location.search);
document.body.className = `vscode-${query.get('theme') ?? 'dark'}`;
let seq = 0;
let saved = JSON.parse(sessionStorage.getItem('saved') ?? 'null');

const post = (message) => window.postMessage(message, '*');

/** What an intent does to the session. */
const effects = {
  prompt: ({ text }, at) => [{ type: 'promptSubmitted', blocks: [{ type: 'text', text }], at }],
  answerPermission: ({ requestId, optionId }, at) => [
    { type: 'permissionAnswered', requestId, optionId, at },
  ],
  cancelTurn: (_, at) => [{ type: 'cancelRequested', at }],
  setConfig: ({ id, value }) => [{ type: 'configValueSet', id, value }],
  dismissBanner: () => [{ type: 'bannerShown', banner: null }],
};

function answer(message) {
  window.harness.sent.push(message);
  if (message.type === 'draft') {
    sessionStorage.setItem('draft', message.text);
    return;
  }
  if (message.type !== 'intent') {
    const draft = sessionStorage.getItem('draft') ?? '';
    post({ type: 'snapshot', seq, state: emptySession(''), draft });
    window.harness.play(scenes[query.get('scene') ?? 'turn']?.(Date.now()) ?? []);
    return;
  }
  const { refuse } = window.harness;
  window.harness.refuse = null;
  if (refuse === null) window.harness.play(effects[message.intent.type]?.(message.intent, Date.now()) ?? []);
  post({ type: 'reply', id: message.id, error: refuse });
}

/** What a script that drives the page can reach; `refuse` is the error that the next intent gets. */
window.harness = {
  sent: [],
  refuse: null,
  play: (actions) => {
    post({ type: 'actions', seq, actions });
    seq += actions.length;
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
