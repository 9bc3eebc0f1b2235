import { render } from 'preact';
import { asObject } from '../../core/json';
import { englishTrafficStrings, type TrafficStrings } from '../../core/traffic/trafficStrings';
import { acquireHost } from '../channel';
import { TrafficContext, TrafficModel } from './model';
import { TrafficView } from './view';

/** The texts that the extension wrote into the page; what is missing is English. */
function readStrings(): TrafficStrings {
  const given = asObject(JSON.parse(document.body.dataset['strings'] ?? '{}'));
  const texts = Object.entries(given).filter(([, text]) => typeof text === 'string');
  return { ...englishTrafficStrings, ...(Object.fromEntries(texts) as Partial<TrafficStrings>) };
}

function start(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root.');
  const model = new TrafficModel(acquireHost(), readStrings());
  window.addEventListener('pagehide', () => model.dispose());
  render(
    <TrafficContext.Provider value={model}>
      <TrafficView />
    </TrafficContext.Provider>,
    root,
  );
  model.ready();
}

start();
