import type { QueuedPrompt } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import { usePage } from '../page';
import { Icon, IconButton } from '../transcript/icon';

/** What a person can do with a prompt that waits. */
export interface QueueItemActions {
  edit: () => void;
  /** By so many places, negative to the front. */
  move: (by: number) => void;
  remove: () => void;
  sendNow: () => void;
}

/** What a key on an item stands for; undefined for any other key. */
function actionOf(event: KeyboardEvent, actions: QueueItemActions): (() => void) | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (ctrlKey || metaKey || shiftKey) return undefined;
  const step = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
  if (altKey) return step === 0 ? undefined : () => actions.move(step);
  // A key on one of the buttons is for the button.
  if (event.target !== event.currentTarget) return undefined;
  if (key === 'Delete') return actions.remove;
  return key === 'Enter' || key === 'F2' ? actions.edit : undefined;
}

interface ItemProps {
  item: QueuedPrompt;
  /** 0-based. */
  index: number;
  count: number;
  actions: QueueItemActions;
}

/** A prompt that waits, with what can be done with it. */
export function QueueItem({ item, index, count, actions }: ItemProps) {
  const { t } = usePage();
  const text = visibleText(item.text);
  const attached = item.attachments.length;
  return (
    <li
      class="queue-item"
      data-queue-id={item.id}
      tabIndex={0}
      aria-label={t('queueItem', index + 1, count, text)}
      aria-keyshortcuts="Enter Delete Alt+ArrowUp Alt+ArrowDown"
      onKeyDown={(event) => {
        const action = actionOf(event, actions);
        if (!action) return;
        event.preventDefault();
        action();
      }}
    >
      <span class="cut grow" dir="auto" title={text}>
        {text.replace(/\s+/g, ' ')}
      </span>
      {attached > 0 && (
        <span class="nums dim" title={t('queueAttached', attached)}>
          <Icon name="attach" />
          {attached}
        </span>
      )}
      <Tools index={index} count={count} actions={actions} />
    </li>
  );
}

function Tools({ index, count, actions }: Omit<ItemProps, 'item'>) {
  const { t } = usePage();
  return (
    <span class="queue-tools">
      <IconButton icon="edit" label={t('queueEdit')} onPress={actions.edit} />
      {count > 1 && (
        <>
          <IconButton
            icon="arrow-up"
            label={t('queueUp')}
            disabled={index === 0}
            onPress={() => actions.move(-1)}
          />
          <IconButton
            icon="arrow-down"
            label={t('queueDown')}
            disabled={index === count - 1}
            onPress={() => actions.move(1)}
          />
        </>
      )}
      <IconButton icon="trash" label={t('queueRemove')} onPress={actions.remove} />
      <IconButton icon="send" label={t('queueSendNow')} onPress={actions.sendNow} />
    </span>
  );
}
