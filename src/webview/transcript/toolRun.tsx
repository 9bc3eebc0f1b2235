import { Fragment } from 'preact';
import type { ToolEntry } from '../../core/session/state';
import { useOpen, usePage, type Page } from '../page';
import { Chevron } from './icon';
import { ToolCall } from './toolCall';
import { isQuiet } from './toolLook';
import { visibleText } from '../../core/visibleText';

type Group = readonly number[];

function toolOf(page: Page, id: number): ToolEntry | undefined {
  const entry = page.store.entry(id);
  return entry?.kind === 'tool' ? entry : undefined;
}

/** True for a call that needs no line of its own: it looked at something, went well, and nobody opened it. */
function isFoldable(page: Page, id: number): boolean {
  const entry = toolOf(page, id);
  return entry?.status === 'completed' && isQuiet(entry) && page.persisted.isOpen(`tool:${id}`) !== true;
}

/** Splits calls that follow each other into groups to fold, and single ones. */
export function groupCalls(ids: readonly number[], foldable: (id: number) => boolean): number[][] {
  const groups: number[][] = [];
  let last: number[] | undefined;
  for (const id of ids) {
    const folds = foldable(id);
    if (folds && last) last.push(id);
    else {
      const group = [id];
      groups.push(group);
      last = folds ? group : undefined;
    }
  }
  return groups;
}

function summary(entries: readonly ToolEntry[], t: Page['t']): string {
  const all = (kind: string): boolean => entries.every((entry) => entry.toolKind === kind);
  if (all('read')) return t('runRead', entries.length);
  if (all('search')) return t('runSearch', entries.length);
  return t('runSteps', entries.length);
}

function shortName({ locations, title, toolCallId }: ToolEntry): string {
  const [place] = locations;
  const name = place && locations.length === 1 ? place.path.split(/[\\/]/).at(-1) : undefined;
  return visibleText(name ?? (title || toolCallId));
}

function FoldedRun({ ids }: { ids: Group }) {
  const page = usePage();
  const [open, setOpen] = useOpen(`run:${ids[0] ?? 0}`, false);
  const entries = ids.map((id) => toolOf(page, id)).filter((entry) => entry !== undefined);
  return (
    <div
      class={`run${open ? ' open' : ''}`}
      data-first-id={ids[0]}
      role="group"
      aria-label={summary(entries, page.t)}
    >
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron open={open} />
        <span class="cut">
          {summary(entries, page.t)}
          {!open &&
            entries.map((entry, index) => (
              <Fragment key={entry.id}>
                {index === 0 ? ' ' : ', '}
                <span
                  class="run-item"
                  data-entry="tool"
                  data-tool-call-id={entry.toolCallId}
                  data-status={entry.status}
                  data-kind={entry.toolKind}
                >
                  {shortName(entry)}
                </span>
              </Fragment>
            ))}
        </span>
      </button>
      {open && (
        <div class="fold-body">
          {ids.map((id) => (
            <ToolCall key={id} id={id} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Calls that follow each other; those that only looked at something are folded into one line. */
export function ToolRun({ ids }: { ids: string }) {
  const page = usePage();
  const all = ids.split(',').map(Number);
  for (const id of all) page.store.follow(`entry:${id}`);
  const groups = groupCalls(all, (id) => isFoldable(page, id));
  return (
    <>
      {groups.map((group) =>
        group.length > 1 ? (
          <FoldedRun key={group[0]} ids={group} />
        ) : (
          group.map((id) => <ToolCall key={id} id={id} />)
        ),
      )}
    </>
  );
}
