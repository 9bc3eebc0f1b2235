import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { format } from '../../core/chat/strings';
import type { Disposable } from '../../core/lifecycle';
import type { TrafficFilter } from '../../core/traffic/filter';
import { MAX_ENTRIES } from '../../core/traffic/ring';
import {
  readHostMessage,
  type HostToTraffic,
  type TrafficRow,
  type TrafficToHost,
} from '../../core/traffic/trafficProtocol';
import type { TrafficString, TrafficStrings } from '../../core/traffic/trafficStrings';
import type { HostApi } from '../channel';

type State = Omit<HostToTraffic & { type: 'state' }, 'type'>;

/** All that the views of the traffic page share. */
export class TrafficModel implements Disposable {
  readonly state = signal<State | null>(null);
  /** Those that match the filter, oldest first. */
  readonly rows = signal<readonly TrafficRow[]>([]);
  readonly filter = signal<TrafficFilter>({});
  /** `seq` of the row that the keys are on. */
  readonly active = signal<number | null>(null);
  /** The message that is read; `undefined` until it is here, `null` where it is not kept any more. */
  readonly detail = signal<{ seq: number; text?: string | null } | null>(null);
  readonly paused = signal(false);
  /** The list stays at its end. */
  readonly follow = signal(true);

  constructor(
    private readonly host: HostApi,
    private readonly strings: TrafficStrings,
  ) {
    window.addEventListener('message', this.receive);
  }

  /** A text of the page. */
  readonly t = (key: TrafficString, ...args: readonly (string | number)[]): string =>
    format(this.strings[key], ...args);

  ready(): void {
    this.post({ type: 'ready' });
  }

  dispose(): void {
    window.removeEventListener('message', this.receive);
  }

  setFilter(part: TrafficFilter): void {
    this.filter.value = { ...this.filter.peek(), ...part };
    this.post({ type: 'filter', filter: this.filter.peek() });
  }

  setPaused(paused: boolean): void {
    this.paused.value = paused;
    this.post({ type: 'pause', paused });
  }

  /** Puts the keys on a row and shows its message. */
  select(row: TrafficRow | undefined): void {
    if (!row) return;
    this.active.value = row.seq;
    if (this.detail.peek()?.seq === row.seq) return;
    this.detail.value = { seq: row.seq };
    this.post({ type: 'detail', seq: row.seq });
  }

  closeDetail(): void {
    this.detail.value = null;
  }

  copy(seq: number): void {
    this.post({ type: 'copy', seq });
  }

  clear(): void {
    this.closeDetail();
    this.active.value = null;
    this.post({ type: 'clear' });
  }

  save(): void {
    this.post({ type: 'save' });
  }

  enable(): void {
    this.post({ type: 'enable' });
  }

  private post(message: TrafficToHost): void {
    this.host.postMessage(message);
  }

  private readonly receive = (event: MessageEvent<unknown>): void => {
    const message = readHostMessage(event.data);
    if (message?.type === 'state') {
      const { type: _type, ...state } = message;
      this.state.value = state;
    } else if (message?.type === 'rows') {
      const before = message.reset ? [] : this.rows.peek();
      this.rows.value = [...before, ...message.rows].slice(-MAX_ENTRIES);
    } else if (message && this.detail.peek()?.seq === message.seq) {
      this.detail.value = { seq: message.seq, text: message.text };
    }
  };
}

/** Carries the page to its views. */
export const TrafficContext = createContext<TrafficModel | undefined>(undefined);

export function useTraffic(): TrafficModel {
  const model = useContext(TrafficContext);
  if (!model) throw new Error('A view was drawn outside the page.');
  return model;
}
