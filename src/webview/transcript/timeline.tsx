import type { EndEntry, ModelCall, ModelCalls } from '../../core/session/turn';
import { visibleText } from '../../core/visibleText';
import { useEntry, usePage } from '../page';
import type { Store } from '../store';
import { shortTime } from './duration';
import { Icon } from './icon';
import { STATUS_LOOK } from './toolLook';

/** Tool calls that are listed for one model call; the others are counted. */
const MAX_TOOLS = 50;

/** Ids of the tool calls of a turn that ended, by the model calls that asked for them. */
function toolsByCall(store: Store, end: EndEntry): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const { entries } = store.state;
  const last = store.indexOf(end.id);
  let first = last;
  while (entries[first - 1]?.turn === end.turn) first--;
  for (const entry of entries.slice(first, last)) {
    if (entry.kind !== 'tool' || entry.modelCallId === undefined) continue;
    const ids = found.get(entry.modelCallId);
    if (ids) ids.push(entry.id);
    else found.set(entry.modelCallId, [entry.id]);
  }
  return found;
}

/** The time of a turn; in ms since the epoch, and the turn's length. */
interface Span {
  since: number;
  duration: number;
}

/** When something of a turn ran, drawn in proportion to the turn's time. */
function Bar({ kind, from, to, span }: { kind: 'call' | 'tool'; from: number; to: number; span: Span }) {
  const share = (at: number): number =>
    Math.min(1, Math.max(0, (at - span.since) / Math.max(1, span.duration)));
  const [left, right] = [share(from), share(Math.max(from, to))];
  return (
    <span class={`time-track ${kind}`} aria-hidden="true">
      <span style={{ left: `min(${left * 100}%, 100% - 2px)`, width: `${(right - left) * 100}%` }} />
    </span>
  );
}

function Tool({ id, span }: { id: number; span: Span }) {
  const { t } = usePage();
  const entry = useEntry(id, 'tool');
  if (!entry) return null;
  const { title, command, name, toolCallId, status, startedAt, endedAt } = entry;
  const { icon, label, tone } = STATUS_LOOK[status];
  const shown = visibleText(title || command || name || toolCallId);
  return (
    <li class="time-line" data-timeline-tool={toolCallId}>
      <Icon name={icon} label={t(label)} tone={tone} />
      <span class="time-name" dir="auto" title={shown}>
        {shown}
      </span>
      <Bar kind="tool" from={startedAt} to={endedAt ?? span.since + span.duration} span={span} />
      <span class="time-length nums">{endedAt === undefined ? '' : shortTime(endedAt - startedAt)}</span>
    </li>
  );
}

interface CallProps {
  call: ModelCall;
  number: number;
  tools: readonly number[];
  span: Span;
}

function Call({ call, number, tools, span }: CallProps) {
  const { t } = usePage();
  const { startedAt, endedAt, usage } = call;
  const end = endedAt ?? span.since + span.duration;
  return (
    <li class="time-call" data-timeline-call={number}>
      <div class="time-line">
        <span class="time-name">{t('timelineCall', number)}</span>
        <Bar kind="call" from={startedAt} to={end} span={span} />
        <span class="time-length nums">
          {endedAt === undefined ? t('timelineOpen') : shortTime(endedAt - startedAt)}
        </span>
      </div>
      {usage && (
        <div class="time-more nums">
          {t('timelineTokens', usage.input.toLocaleString(), usage.output.toLocaleString())}
        </div>
      )}
      {tools.length > 0 && (
        <ul>
          {tools.slice(0, MAX_TOOLS).map((id) => (
            <Tool key={id} id={id} span={span} />
          ))}
        </ul>
      )}
      {tools.length > MAX_TOOLS && (
        <div class="time-more">{t('timelineMoreTools', tools.length - MAX_TOOLS)}</div>
      )}
    </li>
  );
}

/** The model calls of a turn that ended, each with its tool calls, against the time of the turn. */
export function Timeline({ entry, timeline }: { entry: EndEntry; timeline: ModelCalls }) {
  const { t, store } = usePage();
  const { since, kept, more } = timeline;
  const tools = toolsByCall(store, entry);
  const span = { since, duration: entry.duration };
  return (
    <div class="timeline">
      <ol>
        {kept.map((call, index) => (
          <Call key={call.id} call={call} number={index + 1} tools={tools.get(call.id) ?? []} span={span} />
        ))}
      </ol>
      {more > 0 && <div class="time-more">{t('timelineMoreCalls', more)}</div>}
    </div>
  );
}
