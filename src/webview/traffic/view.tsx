import { Icon } from '../transcript/icon';
import { Detail } from './detail';
import { Filters } from './filters';
import { List } from './list';
import { useTraffic } from './model';

/** The whole page. */
export function TrafficView() {
  const { state, t } = useTraffic();
  if (!state.value) return null;
  return (
    <main class="traffic-page">
      <div class="traffic-head">
        <h1>{t('trafficTitle')}</h1>
        <Tools />
      </div>
      <Off />
      <Filters />
      <List />
      <Detail />
    </main>
  );
}

function Tools() {
  const model = useTraffic();
  const { t, paused, follow } = model;
  return (
    <div class="traffic-tools" role="group" aria-label={t('trafficTitle')}>
      <Toggle icon="debug-pause" label={t('pause')} on={paused.value} onPress={(on) => model.setPaused(on)} />
      <Toggle icon="arrow-down" label={t('follow')} on={follow.value} onPress={(on) => (follow.value = on)} />
      <button type="button" class="button small" onClick={() => model.clear()}>
        <Icon name="clear-all" />
        {t('clear')}
      </button>
      <button type="button" class="button small" onClick={() => model.save()}>
        <Icon name="bug" />
        {t('save')}
      </button>
    </div>
  );
}

interface ToggleProps {
  icon: string;
  label: string;
  on: boolean;
  onPress: (on: boolean) => void;
}

function Toggle({ icon, label, on, onPress }: ToggleProps) {
  return (
    <button type="button" class="button small" aria-pressed={on} onClick={() => onPress(!on)}>
      <Icon name={icon} />
      {label}
    </button>
  );
}

/** Says that nothing is kept, with the way to change that. */
function Off() {
  const model = useTraffic();
  const { t, state } = model;
  return (
    <div role="status">
      {state.value?.recording === false && (
        <p class="traffic-off">
          <Icon name="info" />
          <span class="grow">{t('off')}</span>
          <button type="button" class="button small primary" onClick={() => model.enable()}>
            {t('turnOn')}
          </button>
        </p>
      )}
    </div>
  );
}
