import type { ToolEntry } from '../../core/session/state';
import { useEntry, useOpen, usePage } from '../page';
import { DiffCount } from './diff';
import { runningTime, shortTime } from './duration';
import { Chevron, Cut, Icon } from './icon';
import { PermissionLines } from './permissionLines';
import { Locations, RawDetails, ToolContents } from './toolContent';
import { isOpenByDefault, isQuiet, kindLook, STATUS_LOOK } from './toolLook';
import { visibleText } from '../../core/visibleText';
import { splitForCut } from './cut';

/** Calls that are shorter than this need no time beside them. */
const WORTH_A_TIME = 1000;

function Elapsed({ entry }: { entry: ToolEntry; version: number }) {
  const { now } = usePage();
  // A terminal tells the time itself.
  if (entry.content.some((item) => item.type === 'terminal')) return null;
  if (entry.status === 'pending' || entry.status === 'waiting') return null;
  // It did not run: this is the time that the person took.
  if (entry.status === 'rejected') return null;
  if (entry.endedAt !== undefined) {
    const ms = entry.endedAt - entry.startedAt;
    return ms < WORTH_A_TIME ? null : <span class="time nums">{shortTime(ms)}</span>;
  }
  const ms = now.value - entry.startedAt;
  return ms < WORTH_A_TIME ? null : <span class="time nums">{runningTime(ms)}</span>;
}

function Counts({ entry }: { entry: ToolEntry; version: number }) {
  const total = { added: 0, removed: 0 };
  for (const item of entry.content) {
    if (item.type !== 'diff') continue;
    total.added += item.diff.added;
    total.removed += item.diff.removed;
  }
  return <DiffCount diff={total} />;
}

function Status({ entry }: { entry: ToolEntry; version: number }) {
  const { t } = usePage();
  const { icon, label, tone } = STATUS_LOOK[entry.status];
  return <Icon name={icon} label={t(label)} tone={`status ${tone}`} />;
}

function hasInside(entry: ToolEntry): boolean {
  const { content, locations, rawInput, rawOutput } = entry;
  return content.length > 0 || locations.length > 0 || !!rawInput || !!rawOutput;
}

/** Some agents write a command as Markdown code; the card is monospaced anyway. */
function titleOf(entry: ToolEntry): string {
  const title = entry.toolKind === 'execute' ? entry.title.replace(/^`([^`]+)`$/, '$1') : entry.title;
  return visibleText(title || entry.command || entry.name || '');
}

function Head(props: {
  entry: ToolEntry;
  version: number;
  open: boolean;
  quiet: boolean;
  toggle: () => void;
}) {
  const { entry, version, open, quiet, toggle } = props;
  const { t } = usePage();
  const { icon, label } = kindLook(entry.toolKind);
  const title = titleOf(entry) || t(label);
  const showStatus = !quiet || entry.status !== 'completed';
  return (
    <button
      type="button"
      class={quiet ? 'fold tool-line' : 'tool-head'}
      aria-expanded={hasInside(entry) ? open : undefined}
      onClick={toggle}
    >
      {quiet ? <Chevron open={open} /> : <Icon name={icon} label={t(label)} tone="dim" />}
      <span class={`grow tool-title${entry.toolKind === 'execute' ? ' mono' : ''}`} dir="auto">
        <Cut parts={splitForCut(title)} title={title} />
      </span>
      <Counts entry={entry} version={version} />
      <Elapsed entry={entry} version={version} />
      {showStatus && <Status entry={entry} version={version} />}
    </button>
  );
}

/** A call of a tool: a card, or one line if it only looked at something. */
export function ToolCall({ id }: { id: number }) {
  const { t } = usePage();
  const entry = useEntry(id, 'tool');
  const [open, setOpen] = useOpen(`tool:${id}`, entry ? isOpenByDefault(entry) : false);
  if (!entry) return null;
  const { version, toolCallId, status, toolKind } = entry;
  const quiet = isQuiet(entry);
  return (
    <div
      class={`entry tool ${quiet ? 'quiet' : 'card'}`}
      data-entry="tool"
      data-entry-id={id}
      data-tool-call-id={toolCallId}
      data-status={status}
      data-kind={toolKind}
      role="group"
      aria-label={t('toolLabel', titleOf(entry) || t(kindLook(toolKind).label), t(STATUS_LOOK[status].label))}
    >
      <Head entry={entry} version={version} open={open} quiet={quiet} toggle={() => setOpen(!open)} />
      {open && (
        <div class="tool-body">
          <ToolContents entry={entry} version={version} />
          <Locations entry={entry} version={version} />
          <RawDetails entry={entry} version={version} />
        </div>
      )}
      <PermissionLines id={id} />
    </div>
  );
}
