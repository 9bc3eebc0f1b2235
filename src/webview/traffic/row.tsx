import type { EntryKind } from '../../core/traffic/entry';
import type { TrafficRow } from '../../core/traffic/trafficProtocol';
import type { TrafficString } from '../../core/traffic/trafficStrings';
import { visibleText } from '../../core/visibleText';
import { Icon } from '../transcript/icon';
import { useTraffic, type TrafficModel } from './model';

const LOOKS: Record<EntryKind, { icon: string; label: TrafficString }> = {
  in: { icon: 'arrow-left', label: 'kindIn' },
  out: { icon: 'arrow-right', label: 'kindOut' },
  stderr: { icon: 'output', label: 'kindStderr' },
  line: { icon: 'question', label: 'kindLine' },
  start: { icon: 'debug-start', label: 'kindStart' },
  exit: { icon: 'debug-stop', label: 'kindExit' },
  fault: { icon: 'warning', label: 'kindFault' },
};

/** Id of a row's element, by which the list names it. */
export const rowId = (seq: number): string => `row-${seq}`;

interface RowProps {
  row: TrafficRow;
  top: number;
  place: number;
  count: number;
  selected: boolean;
  onPress: () => void;
}

/** One message in the list. */
export function Row({ row, top, place, count, selected, onPress }: RowProps) {
  const { t } = useTraffic();
  const { icon, label } = LOOKS[row.kind];
  return (
    <div
      id={rowId(row.seq)}
      class="traffic-row"
      role="option"
      aria-selected={selected}
      aria-setsize={count}
      aria-posinset={place}
      data-kind={row.kind}
      data-seq={row.seq}
      data-error={row.answer === 'error' || undefined}
      style={{ top: `${top}px` }}
      onClick={onPress}
    >
      <span class="row-time nums dim">{timeOf(row.at)}</span>
      <Icon name={icon} label={t(label)} />
      <span class="cut row-what" dir="auto">
        <Subject row={row} />
      </span>
      <span class="cut row-agent dim">{visibleText(row.agent)}</span>
      <span class="cut row-session dim">{visibleText(row.sessionId ?? '')}</span>
      <span class="row-ms nums dim">{row.ms === undefined ? '' : t('milliseconds', row.ms)}</span>
      <span class="row-size nums dim">{sizeOf(row.size, t)}</span>
    </div>
  );
}

function Subject({ row }: { row: TrafficRow }) {
  const { t } = useTraffic();
  const { head, rest } = subjectOf(row, t);
  return (
    <>
      <span>{visibleText(head)}</span>
      {rest !== '' && <span class="dim"> {visibleText(rest)}</span>}
    </>
  );
}

/** What a row says: what it is, and what stands out in it. */
export function subjectOf(row: TrafficRow, t: TrafficModel['t']): { head: string; rest: string } {
  const { kind, method = '', answer, what = '', excerpt = '', fault } = row;
  switch (kind) {
    case 'fault':
      return { head: fault?.duty ?? '', rest: fault ? faultText(fault, t) : '' };
    case 'stderr':
    case 'line':
      return { head: t(LOOKS[kind].label), rest: excerpt };
    case 'start':
      return { head: t(row.midway ? 'startedBefore' : 'started'), rest: '' };
    case 'exit':
      return { head: t('ended', what), rest: '' };
    case 'in':
    case 'out': {
      if (answer === undefined) return { head: method, rest: what };
      return { head: t(answer === 'error' ? 'errorTo' : 'answerTo', method), rest: what };
    }
  }
}

function faultText({ side, code, args }: NonNullable<TrafficRow['fault']>, t: TrafficModel['t']): string {
  return `${t(side === 'agent' ? 'sideAgent' : 'sideClient')} ${t(`fault_${code}`, ...args)}`;
}

function sizeOf(bytes: number, t: TrafficModel['t']): string {
  if (bytes === 0) return '';
  return bytes < 1024 ? t('bytes', bytes) : t('kilobytes', (bytes / 1024).toFixed(1));
}

let clock: Intl.DateTimeFormat | undefined;

function timeOf(at: number): string {
  clock ??= new Intl.DateTimeFormat(document.documentElement.lang || 'en', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  });
  return clock.format(at);
}
