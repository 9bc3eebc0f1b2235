import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LineEnd } from '../../../src/core/files/eol';
import { ContentStore } from '../../../src/host/review/contents';
import type { FileChange, TurnRecord, Version } from '../../../src/host/review/changeRecords';
import { pendingFiles } from '../../../src/host/review/pending';
import { Review } from '../../../src/host/review/review';
import type {
  PlannedFile,
  Purpose,
  Remark,
  ReviewScreen,
  Trouble,
} from '../../../src/host/review/reviewPorts';
import { SessionRecords } from '../../../src/host/review/sessionRecords';
import { WorkingFiles, type OpenText } from '../../../src/host/review/workingFiles';
import { makeFolders, type Folders } from '../files/folders';

export const KEY = 'b9d8c3a0-0000-4000-8000-000000000001';

/** A person who answers as a test says, and a record of what they were shown. */
export class FakeScreen implements ReviewScreen {
  /** What each question before files are changed is answered with; a function may change things while it is shown. */
  answer: boolean | (() => Promise<boolean>) = true;
  choice: 'keep' | 'earlier' | undefined = 'earlier';
  readonly opened: string[][] = [];
  readonly confirmed: { purpose: Purpose; plans: Record<string, string> }[] = [];
  readonly resolved: string[] = [];
  readonly remarks: Remark[] = [];
  problems: { path: string; reason: Trouble }[] = [];
  redo: (() => Promise<void>) | undefined;

  constructor(readonly nameOf: (path: string) => string) {}

  open(_key: string, _scope: string, paths: readonly string[]): Promise<void> {
    this.opened.push(paths.map((path) => this.nameOf(path)));
    return Promise.resolve();
  }

  async confirm(purpose: Purpose, files: readonly PlannedFile[]): Promise<boolean> {
    const plans = Object.fromEntries(files.map(({ path, plan }) => [this.nameOf(path), plan.kind]));
    this.confirmed.push({ purpose, plans });
    return typeof this.answer === 'function' ? this.answer() : this.answer;
  }

  resolve({ path }: PlannedFile): Promise<'keep' | 'earlier' | undefined> {
    this.resolved.push(this.nameOf(path));
    return Promise.resolve(this.choice);
  }

  tell(remark: Remark): void {
    this.remarks.push(remark);
  }

  tellProblems(problems: readonly { path: string; reason: Trouble }[]): void {
    this.problems = problems.map(({ path, reason }) => ({ path: this.nameOf(path), reason }));
  }

  tellUndone(_count: number, redo: () => Promise<void>): void {
    this.redo = redo;
  }
}

/** A document of an editor that reads and saves in one encoding. */
export class FakeDocument implements OpenText {
  isDirty = false;
  lineEnd: LineEnd = '\n';
  refusesToSave = false;
  saved = 0;

  constructor(
    private readonly path: string,
    public text: string,
    private readonly encoding: BufferEncoding = 'utf8',
  ) {}

  /** A person writes and does not save. */
  type(text: string): void {
    this.text = text;
    this.isDirty = true;
  }

  decode(bytes: Uint8Array): Promise<string> {
    return Promise.resolve(Buffer.from(bytes).toString(this.encoding));
  }

  encode(text: string): Promise<Uint8Array> {
    return Promise.resolve(Buffer.from(text, this.encoding));
  }

  replace(text: string): Promise<boolean> {
    this.type(text);
    return Promise.resolve(true);
  }

  async save(): Promise<boolean> {
    if (this.refusesToSave) return false;
    await writeFile(this.path, await this.encode(this.text));
    this.isDirty = false;
    this.saved++;
    return true;
  }
}

/** A review of real files with real records; turns of an agent are played by writing. */
export class ReviewHarness {
  readonly screen: FakeScreen;
  readonly documents = new Map<string, FakeDocument>();
  readonly records: SessionRecords;
  readonly contents: ContentStore;
  readonly review: Review;
  busy = false;
  /** Files that were written for the person. */
  readonly written: string[] = [];

  private constructor(readonly folders: Folders) {
    const log = (line: string): void => console.log(line);
    this.records = new SessionRecords({ folder: join(folders.outside, 'records'), log, now: Date.now });
    this.contents = new ContentStore({
      folder: join(folders.outside, 'contents'),
      references: () => this.records.references(),
      log,
      now: Date.now,
    });
    this.screen = new FakeScreen((path) => path.slice(folders.root.length + 1));
    this.review = this.reviewAnew();
  }

  /** A review as after a restart, which remembers no question. */
  reviewAnew(): Review {
    const { folders } = this;
    return new Review({
      records: this.records,
      contents: this.contents,
      files: new WorkingFiles({
        find: (path) => this.documents.get(path),
        roots: () => [folders.root],
        onWritten: (path) => this.written.push(this.screen.nameOf(path)),
      }),
      screen: this.screen,
      isBusy: () => this.busy,
    });
  }

  static async create(): Promise<ReviewHarness> {
    return new ReviewHarness(await makeFolders());
  }

  async remove(): Promise<void> {
    await this.records.flush();
    await this.folders.remove();
  }

  path(name: string): string {
    return join(this.folders.root, name);
  }

  /** Opens a file in the editor. */
  async edit(name: string, encoding: BufferEncoding = 'utf8'): Promise<FakeDocument> {
    const text = (await readFile(this.path(name))).toString(encoding);
    const document = new FakeDocument(this.path(name), text, encoding);
    this.documents.set(this.path(name), document);
    return document;
  }

  /** A null takes the file away. */
  async write(files: Record<string, string | Uint8Array | null>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(this.path(name)), { recursive: true });
      if (text === null) await rm(this.path(name), { force: true });
      else await writeFile(this.path(name), text);
    }
  }

  /** An agent changes files in one turn. */
  async turn(files: Record<string, string | Uint8Array | null>): Promise<void> {
    const changes: FileChange[] = [];
    for (const name of Object.keys(files)) {
      const before = await this.version(name);
      await this.write({ [name]: files[name] ?? null });
      const after = await this.version(name);
      changes.push({ path: this.path(name), before, after, base: before, binary: false, shared: false });
    }
    await this.records.update(KEY, (turns) => [...turns, { number: turns.length + 1, files: changes }]);
  }

  /** The text of a file; undefined for none. */
  async text(name: string): Promise<string | undefined> {
    return existsSync(this.path(name)) ? readFile(this.path(name), 'latin1') : undefined;
  }

  /** Names of the files that wait for a review. */
  async waiting(): Promise<string[]> {
    const turns = await this.records.turns(KEY);
    return pendingFiles(turns, 'session').map(({ path }) => path.slice(this.folders.root.length + 1));
  }

  turns(): Promise<readonly TurnRecord[]> {
    return this.records.turns(KEY);
  }

  /** The earlier text of a file that waits for a review. */
  async base(name: string): Promise<string | undefined> {
    const bytes = await this.review.baseOf(KEY, 'session', this.path(name));
    return bytes ? Buffer.from(bytes).toString('latin1') : undefined;
  }

  private async version(name: string): Promise<Version> {
    return existsSync(this.path(name)) ? this.contents.put(await readFile(this.path(name))) : 'absent';
  }
}
