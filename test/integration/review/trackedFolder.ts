import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileChange, TurnRecord, Version } from '../../../src/host/review/changeRecords';
import { ChangeTracker, type ChangeTrackerOptions } from '../../../src/host/review/changeTracker';
import type { FolderPort } from '../../../src/host/review/folderWatch';

/** The editor, played by the test. */
class PlayedFolders implements FolderPort {
  private readonly watchers = new Map<(path: string) => void, string>();
  private readonly savers = new Set<(path: string, bytes?: Promise<Uint8Array>) => void>();
  /** Unsaved bytes by path. */
  readonly unsaved = new Map<string, string>();

  get watched(): string[] {
    return [...this.watchers.values()];
  }

  watch(folder: string, onEvent: (path: string) => void) {
    this.watchers.set(onEvent, folder);
    return { dispose: () => void this.watchers.delete(onEvent) };
  }

  onDidSave(listener: (path: string, bytes?: Promise<Uint8Array>) => void) {
    this.savers.add(listener);
    return { dispose: () => void this.savers.delete(listener) };
  }

  unsavedBytes({ path }: { path: string }): Promise<Uint8Array | undefined> {
    const text = this.unsaved.get(path);
    return Promise.resolve(text === undefined ? undefined : Buffer.from(text));
  }

  tellChanged(path: string): void {
    for (const [onEvent, folder] of this.watchers) if (path.startsWith(folder)) onEvent(path);
  }

  tellSaved(path: string): void {
    const bytes = existsSync(path) ? Promise.resolve(readFileSync(path)) : undefined;
    for (const listener of this.savers) listener(path, bytes);
  }
}

/** A tracker of a folder on disk. */
export class TrackedFolder {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'parley-changes-')));
  readonly root = join(this.home, 'work');
  readonly storage = join(this.home, 'storage');
  readonly folders = new PlayedFolders();
  readonly log: string[] = [];
  now = () => Date.now();
  tracker: ChangeTracker;
  private readonly trackers: ChangeTracker[] = [];
  private turns = 0;

  constructor(private readonly options: Partial<ChangeTrackerOptions> = {}) {
    mkdirSync(this.root);
    this.tracker = this.build();
  }

  /** The tracker of the window after a reload. */
  build(): ChangeTracker {
    this.tracker = new ChangeTracker({
      storage: this.storage,
      folders: this.folders,
      isTrusted: () => true,
      environment: () => Promise.resolve(process.env),
      log: (line) => this.log.push(line),
      now: () => this.now(),
      pause: 5,
      ...this.options,
    });
    this.trackers.push(this.tracker);
    return this.tracker;
  }

  git(...args: string[]): void {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    execFileSync('git', ['-C', this.root, ...identity, ...args], { stdio: 'pipe' });
  }

  /** A repository with everything committed that is there. */
  commitAll(): void {
    this.git('init', '-q');
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'All');
  }

  path(name: string): string {
    return join(this.root, name);
  }

  /** Writes a file as of long ago, or now. */
  write(name: string, content: string | Buffer, when: 'old' | 'now' = 'now'): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    if (when === 'old') utimesSync(path, 1_000_000, 1_000_000);
    return path;
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'latin1');
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true });
  }

  begin(key = 'key', roots = [this.root]): Promise<void> {
    return this.tracker.begin(key, ++this.turns, roots);
  }

  /** Runs one turn. */
  async turn(work: () => unknown, key = 'key'): Promise<FileChange[]> {
    await this.begin(key);
    await work();
    await this.tracker.end(key);
    return (await this.records(key)).at(-1)?.files ?? [];
  }

  async records(key = 'key'): Promise<readonly TurnRecord[]> {
    return this.tracker.records.turns(key);
  }

  async changesOf(key = 'key'): Promise<FileChange[]> {
    return (await this.records(key)).at(-1)?.files ?? [];
  }

  async text(version: Version): Promise<string> {
    if (typeof version === 'string') return version;
    const bytes = await this.tracker.contents.get(version);
    return bytes ? Buffer.from(bytes).toString('latin1') : 'lost';
  }

  /** What a turn did, as `name: before → after`, sorted. */
  async told(files: readonly FileChange[]): Promise<string[]> {
    const lines = files.map(async ({ path, before, after, shared }) => {
      assert.ok(path.startsWith(this.root), path);
      const name = path.slice(this.root.length + 1);
      return `${name}: ${await this.text(before)} → ${await this.text(after)}${shared ? ' (shared)' : ''}`;
    });
    return (await Promise.all(lines)).sort();
  }

  async end(): Promise<void> {
    for (const tracker of this.trackers) await tracker.dispose();
    rmSync(this.home, { recursive: true, force: true });
  }
}
