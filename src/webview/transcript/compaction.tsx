import type { CompactionEntry } from '../../core/session/state';
import { visibleText } from '../../core/visibleText';
import { useEntry, useOpen, usePage, type Page } from '../page';
import { Chevron, Icon } from './icon';
import { Block } from './markdown';

function lookOf({ status, error }: CompactionEntry, t: Page['t']): { icon: string; text: string } {
  switch (status) {
    case 'in_progress':
      return { icon: 'loading codicon-modifier-spin', text: t('compacting') };
    case 'completed':
      return { icon: 'fold', text: t('compacted') };
    case 'failed':
      return { icon: 'error', text: error ? t('compactionFailedWhy', error) : t('compactionFailed') };
    case 'cancelled':
      return { icon: 'circle-slash', text: t('compactionCancelled') };
    default:
      return { icon: 'info', text: t('compactionOther', status) };
  }
}

function Summary({ entry }: { entry: CompactionEntry; version: number }) {
  const { t } = usePage();
  const [open, setOpen] = useOpen(`compaction:${entry.id}`, false);
  if (entry.summary.length === 0) return null;
  return (
    <>
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron open={open} />
        {t('compactionSummary')}
      </button>
      {open && (
        <div class="fold-body">
          {entry.summary.map((block, index) => (
            <Block key={index} block={{ ...block }} />
          ))}
        </div>
      )}
    </>
  );
}

/** Where the agent shortened what it remembers, with what it remembers instead (NO-3, NO-4). */
export function Compaction({ id }: { id: number }) {
  const { t } = usePage();
  const entry = useEntry(id, 'compaction');
  if (!entry) return null;
  const { icon, text } = lookOf(entry, t);
  return (
    <div
      class="entry compaction"
      data-entry="compaction"
      data-entry-id={id}
      data-status={entry.status}
      role="group"
      aria-label={visibleText(text)}
    >
      <div class="divider">
        <span class="divider-text" dir="auto">
          <Icon name={icon} />
          {text}
        </span>
      </div>
      <Summary entry={entry} version={entry.version} />
    </div>
  );
}
