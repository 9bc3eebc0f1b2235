import type { TrafficDirection, TrafficFilter } from '../../core/traffic/filter';
import type { TrafficString } from '../../core/traffic/trafficStrings';
import { visibleText } from '../../core/visibleText';
import { useTraffic } from './model';

const SIDES: Record<TrafficDirection, TrafficString> = {
  in: 'fromAgent',
  out: 'toAgent',
  process: 'processOnly',
  fault: 'faultsOnly',
};

/** What narrows the list. */
export function Filters() {
  const model = useTraffic();
  const { t, state, filter } = model;
  const { agents = [], sessions = [], methods = [] } = state.value?.choices ?? {};
  return (
    <div class="traffic-filters" role="search" aria-label={t('filters')}>
      <input
        type="search"
        class="input"
        aria-label={t('filterText')}
        placeholder={t('filterText')}
        value={filter.value.text ?? ''}
        onInput={({ currentTarget }) => model.setFilter({ text: currentTarget.value })}
      />
      <Choice name="direction" label="filterDirection" all="allDirections" items={Object.keys(SIDES)} />
      <Choice name="method" label="filterMethod" all="allMethods" items={methods} />
      <Choice name="sessionId" label="filterSession" all="allSessions" items={sessions} />
      <Choice name="agent" label="filterAgent" all="allAgents" items={agents} />
    </div>
  );
}

interface ChoiceProps {
  name: Exclude<keyof TrafficFilter, 'text'>;
  label: TrafficString;
  all: TrafficString;
  items: readonly string[];
}

function Choice({ name, label, all, items }: ChoiceProps) {
  const model = useTraffic();
  const { t, filter } = model;
  const chosen = filter.value[name] ?? '';
  // What is chosen stays a choice when the last message with it has gone.
  const listed = chosen === '' || items.includes(chosen) ? items : [chosen, ...items];
  return (
    <select
      class="input"
      aria-label={t(label)}
      value={chosen}
      onChange={({ currentTarget }) => model.setFilter({ [name]: currentTarget.value })}
    >
      <option value="">{t(all)}</option>
      {listed.map((item) => (
        <option key={item} value={item}>
          {name === 'direction' ? t(SIDES[item as TrafficDirection]) : visibleText(item)}
        </option>
      ))}
    </select>
  );
}
