// Stands for the extension: shows a report to the diagnostics page, and answers what is pressed there.
import { englishDiagnoseStrings } from '../../../src/core/diagnostics/diagnoseStrings';
import { diagnoseScenes, notStarted } from './diagnoseScenes';
import { setLanguage } from './language.mjs';
import { setTheme } from './setTheme.mjs';

const query = new URLSearchParams(location.search);
setTheme(query.get('theme') ?? 'dark');
setLanguage(query.get('lang') ?? 'en', englishDiagnoseStrings);

const scenes = { ...diagnoseScenes, notStarted };
const post = (message) => window.postMessage(message, '*');

/** What a script that drives the page can reach: `refuse` is the error that the next press gets. */
window.harness = {
  sent: [],
  refuse: null,
  setTheme,
  show: (scene) => post({ type: 'report', report: scenes[scene] }),
};

window.acquireVsCodeApi = () => ({
  postMessage: (message) => {
    window.harness.sent.push(structuredClone(message));
    if (message.type === 'ready') return window.harness.show(query.get('scene') ?? 'running');
    const { refuse } = window.harness;
    window.harness.refuse = null;
    post({ type: 'done', action: message.action, error: refuse });
  },
  getState: () => null,
  setState: () => undefined,
});
