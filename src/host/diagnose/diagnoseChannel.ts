import {
  readDiagnoseMessage,
  type DiagnoseAction,
  type HostToDiagnose,
} from '../../core/diagnostics/diagnoseProtocol';
import type { AgentReport } from '../../core/diagnostics/report';
import { toErrorView } from '../../core/errors';
import type { Event } from '../../core/emitter';
import { DisposableStore, type Disposable } from '../../core/lifecycle';

/** A page, as `vscode.Webview` has it. */
export interface DiagnosePagePort {
  postMessage(message: HostToDiagnose): unknown;
  onDidReceiveMessage(listener: (message: unknown) => void): Disposable;
}

/** What the page shows and does. Each rejects with a sentence for the person. */
export interface DiagnoseSource {
  collect(): Promise<AgentReport>;
  /** Fires when something else would be collected. */
  onDidChange: Event<void>;
  copy(report: AgentReport): Promise<void>;
  restart(): Promise<void>;
  showLog(): void;
}

/** Connects one diagnostics page to its agent. */
export class DiagnoseChannel implements Disposable {
  private readonly store = new DisposableStore();
  private shown: AgentReport | undefined;
  private ready = false;
  private disposed = false;
  private collecting: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly page: DiagnosePagePort,
    private readonly source: DiagnoseSource,
    private readonly log: (line: string) => void,
  ) {
    this.store.add(page.onDidReceiveMessage((message) => this.receive(message)));
    this.store.add(source.onDidChange(() => this.changed()));
  }

  dispose(): void {
    this.disposed = true;
    this.store.dispose();
  }

  private receive(value: unknown): void {
    const message = readDiagnoseMessage(value);
    if (message?.type === 'act') void this.act(message.action);
    else if (message) {
      this.ready = true;
      this.changed();
    } else this.log('the diagnostics page sent a message that is not understood');
  }

  private changed(): void {
    if (!this.ready || this.disposed) return;
    this.send().catch((error: unknown) => this.log(`diagnostics: ${toErrorView(error).message}`));
  }

  /** Resolves when the page has a report that was begun after the call; several calls meanwhile share one. */
  private async send(): Promise<void> {
    if (this.collecting) this.again = true;
    await (this.collecting ??= this.collectAll());
  }

  private async collectAll(): Promise<void> {
    try {
      do {
        this.again = false;
        this.shown = await this.source.collect();
        if (this.disposed) return;
        this.page.postMessage({ type: 'report', report: this.shown });
      } while (this.again);
    } finally {
      // At once: a change between the last look and a later moment would be lost.
      this.collecting = undefined;
    }
  }

  private async act(action: DiagnoseAction): Promise<void> {
    let error: string | null = null;
    try {
      await this.run(action);
    } catch (failure) {
      error = toErrorView(failure).message;
    }
    if (!this.disposed) this.page.postMessage({ type: 'done', action, error });
  }

  private run(action: DiagnoseAction): Promise<void> | void {
    const { source } = this;
    switch (action) {
      case 'refresh':
        return this.send();
      case 'copy':
        return this.copy();
      case 'restart':
        return source.restart();
      case 'showLog':
        return source.showLog();
    }
  }

  /** What is copied is what is seen. */
  private async copy(): Promise<void> {
    await this.source.copy(this.shown ?? (await this.source.collect()));
  }
}
