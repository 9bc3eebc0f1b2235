import { useComputed } from '@preact/signals';
import type { BlockView } from '../../core/session/state';
import { usePage, useEntry } from '../page';
import { OtherBlock } from './blocks';
import { EntryBlocks } from './markdown';

const isOther = (block: BlockView): block is Exclude<BlockView, { type: 'text' }> => block.type !== 'text';

/** What the person asked: text as it was typed, and what was attached. */
export function UserMessage({ id }: { id: number }) {
  const entry = useEntry(id, 'user');
  if (!entry) return null;
  const others = entry.blocks.filter(isOther);
  return (
    <div class="entry me" data-entry="user">
      {entry.blocks.map((block, index) =>
        block.type === 'text' ? (
          <div key={index} class="plain" dir="auto">
            {block.text}
          </div>
        ) : null,
      )}
      {others.length > 0 && (
        <div class="chips">
          {others.map((block, index) => (
            <OtherBlock key={index} block={block} />
          ))}
        </div>
      )}
    </div>
  );
}

/** What the agent says. Drawn again only when a block is added; text streams below. */
export function AgentMessage({ id }: { id: number }) {
  const { store } = usePage();
  const count = useComputed(() => {
    store.follow(`entry:${id}`);
    const entry = store.entry(id);
    return entry?.kind === 'agent' ? entry.blocks.length : 0;
  });
  const entry = store.entry(id);
  if (count.value === 0 || entry?.kind !== 'agent') return null;
  return (
    <div class="entry say" data-entry="agent">
      <EntryBlocks id={id} blocks={entry.blocks.slice()} />
    </div>
  );
}
