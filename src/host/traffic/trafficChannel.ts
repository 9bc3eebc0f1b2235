import { DisposableStore, type Disposable } from '../../core/lifecycle';
import { matches, type TrafficFilter } from '../../core/traffic/filter';
import type { TrafficEntry } from '../../core/traffic/entry';
import type { TrafficRecorder } from '../../core/traffic/recorder';
import {
  choicesOf,
  prettyText,
  readTrafficMessage,
  toRow,
  type HostToTraffic,
  type TrafficToHost,
} from '../../core/traffic/trafficProtocol';

/** ms between two sendings to the page, so that a flood of messages does not become one of repaints. */
const INTERVAL = 100;

/** What the traffic page shows and does. */
export interface TrafficPageSource {
  recorder: Pick<TrafficRecorder, 'ring' | 'onDidAdd'>;
  isEnabled(): boolean;
  /** Turns the setting on. */
  enable(): Promise<void>;
  /** Saves a bug report. */
  save(): Promise<void>;
  copy(text: string): Promise<void>;
}

/** A page, as `vscode.Webview` has it. */
export interface TrafficPagePort {
  postMessage(message: HostToTraffic): unknown;
  onDidReceiveMessage(listener: (message: unknown) => void): Disposable;
}

/** Connects one traffic page to what is recorded. */
export class TrafficChannel implements Disposable {
  private readonly store = new DisposableStore();
  private filter: TrafficFilter = {};
  private ready = false;
  private paused = false;
  /** What the page does not have yet. */
  private fresh: TrafficEntry[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** @param failed tells the person. */
  constructor(
    private readonly page: TrafficPagePort,
    private readonly source: TrafficPageSource,
    private readonly failed: (error: unknown) => void,
  ) {
    this.store.add(page.onDidReceiveMessage((message) => this.receive(message)));
    this.store.add(source.recorder.onDidAdd((entry) => this.added(entry)));
  }

  /** Sends all anew, as after a change of the setting. */
  show(): void {
    if (this.ready) this.send(this.source.recorder.ring.all(), true);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.store.dispose();
  }

  private added(entry: TrafficEntry): void {
    if (!this.ready || this.paused) return;
    this.fresh.push(entry);
    this.timer ??= setTimeout(() => this.send(this.fresh, false), INTERVAL);
  }

  private send(entries: readonly TrafficEntry[], reset: boolean): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.fresh = [];
    const { ring } = this.source.recorder;
    const choices = choicesOf(ring.all());
    this.page.postMessage({ type: 'state', recording: this.source.isEnabled(), choices, total: ring.count });
    const rows = entries.filter((entry) => matches(entry, this.filter)).map(toRow);
    if (reset || rows.length > 0) this.page.postMessage({ type: 'rows', rows, reset });
  }

  private receive(value: unknown): void {
    const message = readTrafficMessage(value);
    if (!message) this.failed(new Error('The traffic page sent a message that is not understood.'));
    else void this.perform(message).catch((error: unknown) => this.failed(error));
  }

  private async perform(message: TrafficToHost): Promise<void> {
    const { source } = this;
    if (message.type === 'copy') await source.copy(this.textOf(message.seq) ?? '');
    else if (message.type === 'save') await source.save();
    else if (message.type === 'enable') await source.enable();
    else this.look(message);
  }

  private look(message: Exclude<TrafficToHost, { type: 'copy' | 'save' | 'enable' }>): void {
    if (message.type === 'detail') {
      const { seq } = message;
      this.page.postMessage({ type: 'detail', seq, text: this.textOf(seq) });
      return;
    }
    if (message.type === 'ready') this.ready = true;
    if (message.type === 'filter') this.filter = message.filter;
    if (message.type === 'pause') this.paused = message.paused;
    if (message.type === 'clear') this.source.recorder.ring.clear();
    if (!this.paused || message.type !== 'pause') this.show();
  }

  private textOf(seq: number): string | null {
    const { ring } = this.source.recorder;
    const entry = ring.get(seq);
    // A fault shows the message that it is in.
    const shown = entry?.about === undefined ? entry : ring.get(entry.about);
    return shown ? prettyText(shown) : null;
  }
}
