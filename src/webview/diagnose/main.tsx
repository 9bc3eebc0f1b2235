import { render } from 'preact';
import { englishDiagnoseStrings, type DiagnoseStrings } from '../../core/diagnostics/diagnoseStrings';
import { asObject } from '../../core/json';
import { acquireHost } from '../channel';
import { DiagnoseContext, DiagnoseModel } from './model';
import { DiagnoseView } from './view';

/** The texts that the extension wrote into the page; what is missing is English. */
function readStrings(): DiagnoseStrings {
  const given = asObject(JSON.parse(document.body.dataset['strings'] ?? '{}'));
  const texts = Object.entries(given).filter(([, text]) => typeof text === 'string');
  return { ...englishDiagnoseStrings, ...(Object.fromEntries(texts) as Partial<DiagnoseStrings>) };
}

function start(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root.');
  const model = new DiagnoseModel(acquireHost(), readStrings());
  window.addEventListener('pagehide', () => model.dispose());
  render(
    <DiagnoseContext.Provider value={model}>
      <DiagnoseView />
    </DiagnoseContext.Provider>,
    root,
  );
  model.ready();
}

start();
