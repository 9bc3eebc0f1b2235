import { useComputed } from '@preact/signals';
import { isBusy } from '../../core/session/select';
import { useEntry, useOpen, usePage } from '../page';
import { Chevron } from './icon';
import { EntryBlocks } from './markdown';

/** What the agent thinks, as one line that opens. */
export function Thought({ id }: { id: number }) {
  const { t, store } = usePage();
  const entry = useEntry(id, 'thought');
  const isLast = useComputed(() => {
    store.follow('turn');
    store.follow('entries');
    return isBusy(store.state) && store.state.entries.at(-1)?.id === id;
  });
  const [open, setOpen] = useOpen(`thought:${id}`, false);
  if (!entry) return null;
  const streams = isLast.value;
  const seconds = Math.round((entry.lastAt - entry.startedAt) / 1000);
  const over = seconds < 1 ? t('thought') : seconds === 1 ? t('thoughtForOne') : t('thoughtForMany', seconds);
  return (
    <div class="entry thought" data-entry="thought" data-entry-id={id} role="group" aria-label={over}>
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron open={open} />
        <span class={streams ? 'shimmer' : ''}>{streams ? t('thinking') : over}</span>
      </button>
      {open && (
        <div class="fold-body">
          <EntryBlocks id={id} blocks={entry.blocks.slice()} />
        </div>
      )}
    </div>
  );
}
