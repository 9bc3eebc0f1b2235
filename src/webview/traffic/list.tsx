import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TrafficRow } from '../../core/traffic/trafficProtocol';
import { useTraffic } from './model';
import { Row, rowId } from './row';

/** Height of a row in CSS pixels; traffic.css has it, too. */
const ROW = 24;
/** Rows that are drawn above and below those in view. */
const MARGIN = 12;
/** Pixels from the end within which the list still counts as being there. */
const NEAR = 4;

/** The messages as a list of which only what is in view is drawn; arrow keys go through all of them. */
export function List() {
  const model = useTraffic();
  const { t, state, follow, active } = model;
  const rows = model.rows.value;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const look = (): void => {
    const element = box.current;
    if (element) setView({ top: element.scrollTop, height: element.clientHeight });
  };
  useResize(box, look);
  useStill(box, rows, follow.value);
  const at = rows.findIndex(({ seq }) => seq === active.value);
  const reading = model.detail.value !== null;
  useLayoutEffect(() => {
    // The message that is read takes room from the list.
    if (box.current && at >= 0) scrollTo(box.current, at);
  }, [reading]);
  const move = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    model.select(rows[next]);
    if (box.current) scrollTo(box.current, next);
  };
  return (
    <>
      <div
        ref={box}
        class="traffic-list"
        role="listbox"
        tabIndex={0}
        aria-label={t('list')}
        aria-activedescendant={at < 0 ? undefined : rowId(rows[at]?.seq ?? 0)}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          follow.value = scrollTop + clientHeight >= scrollHeight - NEAR;
          look();
        }}
        onKeyDown={(event) => {
          const page = Math.max(1, Math.floor(view.height / ROW) - 1);
          const target = targetOf(event.key, { at, page, last: rows.length - 1 });
          if (target === undefined) return;
          event.preventDefault();
          move(target);
        }}
      >
        <Rows rows={rows} view={view} at={at} />
      </div>
      <p class="dim traffic-count" role="status">
        {rows.length > 0
          ? t('shown', rows.length, state.value?.total ?? 0)
          : t(state.value?.total ? 'nothingMatches' : 'empty')}
      </p>
    </>
  );
}

interface RowsProps {
  rows: readonly TrafficRow[];
  view: { top: number; height: number };
  /** Index of the active row, which is drawn in any case, since it is named by the list. */
  at: number;
}

function Rows({ rows, view, at }: RowsProps) {
  const { active, select } = useListActions();
  const first = Math.max(0, Math.floor(view.top / ROW) - MARGIN);
  const end = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW) + MARGIN);
  const drawn = rows.slice(first, end).map((row, index) => ({ row, index: first + index }));
  const kept = rows[at];
  if (kept && (at < first || at >= end)) drawn.push({ row: kept, index: at });
  return (
    <div class="traffic-rows" role="presentation" style={{ height: `${rows.length * ROW}px` }}>
      {drawn.map(({ row, index }) => (
        <Row
          key={row.seq}
          row={row}
          top={index * ROW}
          place={index + 1}
          count={rows.length}
          selected={row.seq === active}
          onPress={() => select(row)}
        />
      ))}
    </div>
  );
}

function useListActions() {
  const model = useTraffic();
  return { active: model.active.value, select: (row: TrafficRow) => model.select(row) };
}

/** Looks again when the list is drawn first and when its size changes. */
function useResize(box: { current: HTMLDivElement | null }, look: () => void): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}

/** Keeps the list at its end, or what is read where it is though rows before it go. */
function useStill(
  box: { current: HTMLDivElement | null },
  rows: readonly TrafficRow[],
  follow: boolean,
): void {
  const before = useRef<readonly TrafficRow[]>([]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const first = rows[0]?.seq ?? 0;
    const gone = before.current.findIndex(({ seq }) => seq >= first);
    before.current = rows;
    if (follow) element.scrollTop = element.scrollHeight;
    else if (gone > 0) element.scrollTop -= gone * ROW;
  }, [rows, follow]);
}

function scrollTo(element: HTMLElement, index: number): void {
  const top = index * ROW;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + ROW > element.scrollTop + element.clientHeight)
    element.scrollTop = top + ROW - element.clientHeight;
}

/** The row that a key leads to. */
function targetOf(
  key: string,
  { at, page, last }: { at: number; page: number; last: number },
): number | undefined {
  // From nowhere, the keys begin at the end, where the newest is.
  const from = at < 0 ? last + 1 : at;
  switch (key) {
    case 'ArrowUp':
      return from - 1;
    case 'ArrowDown':
      return at < 0 ? last : at + 1;
    case 'PageUp':
      return from - page;
    case 'PageDown':
      return at < 0 ? last : at + page;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
