import { Emitter, type Event } from '../../core/emitter';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { ChangeRecords } from './changeRecords';
import { pendingFiles, type PendingFile } from './pending';

/** A file that waits for a review, with the session whose agent changed it. */
export interface IndexedFile extends PendingFile {
  key: string;
}

export interface PendingIndexOptions {
  records: ChangeRecords;
  /** Keys of the open sessions; where several changed a file, the first of them counts. */
  keys(): string[];
  onDidChangeKeys: Event<void>;
}

/** The files of all open sessions that wait for a review. */
export class PendingIndex implements Disposable {
  private readonly scope = new DisposableStore();
  private readonly byKey = new Map<string, PendingFile[]>();
  private keys: string[] = [];
  private readonly changed = this.scope.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly options: PendingIndexOptions) {
    this.scope.add(options.records.onDidChange((key) => void this.read(key)));
    this.scope.add(options.onDidChangeKeys(() => this.follow()));
    this.follow();
  }

  /** One entry for each path. */
  files(): IndexedFile[] {
    const found = new Map<string, IndexedFile>();
    for (const key of this.keys)
      for (const file of this.byKey.get(key) ?? [])
        if (!found.has(file.path)) found.set(file.path, { ...file, key });
    return [...found.values()];
  }

  find(path: string): IndexedFile | undefined {
    return this.files().find((file) => file.path === path);
  }

  dispose(): void {
    this.scope.dispose();
  }

  private follow(): void {
    const keys = this.options.keys();
    if (keys.join('\n') === this.keys.join('\n')) return;
    const added = keys.filter((key) => !this.byKey.has(key));
    this.keys = keys;
    for (const key of [...this.byKey.keys()]) if (!keys.includes(key)) this.byKey.delete(key);
    for (const key of added) void this.read(key);
    this.changed.fire();
  }

  private async read(key: string): Promise<void> {
    if (!this.keys.includes(key)) return;
    const turns = await this.options.records.turns(key);
    // Closed meanwhile.
    if (!this.keys.includes(key)) return;
    this.byKey.set(key, pendingFiles(turns, 'session'));
    this.changed.fire();
  }
}
