import { unaskedBy } from '../../core/session/unasked';
import { visibleText } from '../../core/visibleText';
import { usePage, usePart } from '../page';
import { Icon } from '../transcript/icon';

/** Says for as long as it lasts that the agent acts without asking, with the way to end that. */
export function UnaskedLine() {
  const { t, act, store } = usePage();
  usePart('config');
  usePart('agent');
  const { agent, config } = store.state;
  const unasked = unaskedBy(config);
  const { id, name, off } = unasked ?? {};
  return (
    <div class="unasked-place" role="status">
      {id !== undefined && name !== undefined && (
        <div class="unasked" data-parley="unasked">
          <Icon name="warning" />
          <span class="grow" dir="auto">
            {t('unasked', visibleText(name), agent.title)}
          </span>
          {off !== undefined && (
            <button
              type="button"
              class="button small"
              onClick={() => void act({ type: 'setConfig', id, value: off })}
            >
              {t('unaskedOff')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
