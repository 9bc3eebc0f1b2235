import { render } from 'preact';
import { englishStrings, type PageStrings } from '../core/chat/strings';
import { asObject } from '../core/json';
import { Boundary } from './boundary';
import { acquireHost } from './channel';
import { runClock } from './clock';
import { watchFailures } from './failures';
import { Page, PageContext } from './page';
import { Panel } from './panel';

/** The texts that the extension wrote into the page; what is missing is English. */
function readStrings(): PageStrings {
  const given = asObject(JSON.parse(document.body.dataset['strings'] ?? '{}'));
  const texts = Object.entries(given).filter(([, text]) => typeof text === 'string');
  return { ...englishStrings, ...(Object.fromEntries(texts) as Partial<PageStrings>) };
}

function start(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root.');
  const page = new Page(acquireHost(), readStrings());
  const stopClock = runClock(page);
  const stopWatching = watchFailures((report) => page.channel.failed(report));
  window.addEventListener('focus', () => page.channel.focused());
  window.addEventListener('pagehide', () => {
    stopClock();
    stopWatching();
    page.channel.dispose();
  });
  render(
    <PageContext.Provider value={page}>
      <Boundary name="page">
        <Panel />
      </Boundary>
    </PageContext.Provider>,
    root,
  );
  page.channel.ready();
  if (document.hasFocus()) page.channel.focused();
}

start();
