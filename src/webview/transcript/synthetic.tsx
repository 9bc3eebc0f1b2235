import { syntheticTitle } from '../../core/session/synthetic';
import { useEntry, useOpen, usePage } from '../page';
import { OtherBlock } from './blocks';
import { Chevron } from './icon';

/** What the agent told its model in the name of the person: one line that opens, and none of the person's messages. */
export function SyntheticMessage({ id }: { id: number }) {
  const { t } = usePage();
  const entry = useEntry(id, 'synthetic');
  const [open, setOpen] = useOpen(`synthetic:${id}`, false);
  if (!entry) return null;
  const title = syntheticTitle(entry, t);
  return (
    <div
      class="entry synthetic"
      data-entry="synthetic"
      data-entry-id={id}
      data-reason={entry.reason}
      role="group"
      aria-label={title}
    >
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron open={open} />
        <span class="synthetic-title">{title}</span>
      </button>
      {open && (
        <div class="fold-body">
          {entry.blocks
            .filter((block) => !block.hidden)
            .map((block, index) =>
              block.type === 'text' ? (
                <div key={index} class="plain" dir="auto">
                  {block.text}
                </div>
              ) : (
                <OtherBlock key={index} block={block} />
              ),
            )}
        </div>
      )}
    </div>
  );
}
