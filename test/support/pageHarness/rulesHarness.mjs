// Stands for the extension: shows rules to the rules page, and keeps those that it saves.
import { englishRulesStrings } from '../../../src/core/permission/rulesStrings';
import { setLanguage } from './language.mjs';
import { setTheme } from './setTheme.mjs';

const query = new URLSearchParams(location.search);
const scene = query.get('scene') ?? 'rules';
setTheme(query.get('theme') ?? 'dark');
setLanguage(query.get('lang') ?? 'en', englishRulesStrings);

const at = new Date('2026-03-04T10:20:30').getTime();
const scoped = (scope, ...rules) => rules.map((rule) => ({ rule, scope }));
const view = {
  rules: [
    ...scoped('session', { effect: 'allow', kind: 'edit', path: 'src/**' }),
    ...scoped(
      'workspace',
      { effect: 'allow', command: 'npm test' },
      { effect: 'ask', agent: 'Gemini', kind: 'fetch', tool: 'mcp__github__*' },
    ),
    ...scoped(
      'user',
      { effect: 'deny', path: '~/.ssh/**' },
      { effect: 'allow', command: 'ls', always: true },
    ),
  ],
  problems: [
    { scope: 'user', index: 2, reason: 'unknown', field: 'comand' },
    { scope: 'user', index: 3, reason: 'effect' },
  ],
  audit: [
    { at, agent: 'Copilot', what: 'npm test', effect: 'allow', rules: ['npm test'], scope: 'workspace' },
    {
      at: at - 60_000,
      agent: 'Gemini',
      what: '/home/ada/.ssh/id_\u202Eed25519 <b>and a long name that does not fit into one line</b>',
      effect: 'deny',
      rules: ['~/.ssh/**'],
      scope: 'user',
    },
  ],
  sessionTitle: 'Fix the date',
  workspaceTrusted: true,
  context: { roots: ['/home/ada/shop'], home: '/home/ada', windows: false, ignoreCase: false },
  agents: ['Copilot', 'Gemini'],
};
if (scene === 'untrusted') view.workspaceTrusted = false;
if (scene === 'empty') {
  Object.assign(view, { rules: [], problems: [], audit: [] });
  delete view.sessionTitle;
}

const post = (message) => window.postMessage(message, '*');
const show = () => post({ type: 'view', view: structuredClone(view) });

/** What a script that drives the page can reach: `refuse` is the error that the next change gets. */
window.harness = { sent: [], refuse: null, post, show, view, setTheme };

window.acquireVsCodeApi = () => ({
  postMessage: (message) => {
    window.harness.sent.push(structuredClone(message));
    if (message.type === 'ready') return show();
    const { refuse } = window.harness;
    window.harness.refuse = null;
    if (refuse === null) {
      const others = view.rules.filter(({ scope }) => scope !== message.scope);
      view.rules = [...others, ...scoped(message.scope, ...message.rules)];
      show();
    }
    post({ type: 'reply', id: message.id, error: refuse });
  },
  getState: () => null,
  setState: () => undefined,
});
