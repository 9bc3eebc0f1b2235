import { render } from 'preact';
import { asObject } from '../../core/json';
import { englishRulesStrings, type RulesStrings } from '../../core/permission/rulesStrings';
import { acquireHost } from '../channel';
import { RulesModel, RulesContext } from './model';
import { RulesView } from './view';

/** The texts that the extension wrote into the page; what is missing is English. */
function readStrings(): RulesStrings {
  const given = asObject(JSON.parse(document.body.dataset['strings'] ?? '{}'));
  const texts = Object.entries(given).filter(([, text]) => typeof text === 'string');
  return { ...englishRulesStrings, ...(Object.fromEntries(texts) as Partial<RulesStrings>) };
}

function start(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root.');
  const model = new RulesModel(acquireHost(), readStrings());
  window.addEventListener('pagehide', () => model.dispose());
  render(
    <RulesContext.Provider value={model}>
      <RulesView />
    </RulesContext.Provider>,
    root,
  );
  model.ready();
}

start();
