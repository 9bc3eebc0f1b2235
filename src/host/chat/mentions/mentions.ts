import type { Attachment } from '../../../core/chat/attachment';
import { mentionId, rankMentions, SYMBOL_MARK, workspaceItems } from '../../../core/chat/mentions';
import type { MentionItem, MentionSource, SymbolPlace, WorkspaceFile } from '../../../core/chat/mentions';
import type { Event } from '../../../core/emitter';
import type { Disposable } from '../../../core/lifecycle';

/** What mentions need of the editor. */
export interface MentionEditor {
  /** All files of the workspace, without what the person excludes. Rejects where they can't be listed. */
  list(): Promise<WorkspaceFile[]>;
  /** A file came or went, or other ones are excluded. */
  readonly onDidChange: Event<void>;
  /** The files that are open, the one in front first. */
  open(): MentionItem[];
  /** What there is to attach besides files. */
  sources(): MentionItem[];
  /** The symbols of the file in front, in its order. */
  ownSymbols(): Promise<MentionItem[]>;
  /** The symbols of the workspace that may match. */
  symbols(query: string): Promise<MentionItem[]>;
  /** Makes the attachment; rejects with a sentence for the person where there is nothing to attach. */
  take(source: MentionSource | SymbolPlace): Promise<Attachment>;
  /** The folders of the shown session; none: those of the workspace. */
  folders(): readonly string[];
}

/** Who asked for the list. */
export interface MentionAsker {
  /** False as soon as something else was typed. */
  isCurrent: () => boolean;
  /** May be called several times; `done` with the last. */
  show: (items: MentionItem[], done: boolean) => void;
}

/** Items that are ranked at a time, so that the extension host stays free for others. */
const PART = 4_000;

/** ms that nothing more is typed before language services are asked, which may work for seconds. */
const PAUSE = 120;

/** ms that language services get; what is found without them is shown meanwhile. */
const SYMBOL_TIME = 3_000;

/** Shortest name that symbols are looked for by, where files are as well. */
const MIN_SYMBOL = 2;

/** Open files that are shown before anything is typed: the rest of the list must be in sight as well. */
const FIRST_OPEN = 8;

/**
 * Finds what can be mentioned. The files of the workspace are listed when first asked for, and again when asked for after a change; what
 * is known is shown at once, and never waits for the listing.
 */
export class Mentions implements Disposable {
  private known: readonly MentionItem[] = [];
  private isStale = true;
  private listing: Promise<void> | undefined;
  private asking: Promise<unknown> | undefined;
  private readonly subscription: Disposable;

  constructor(private readonly editor: MentionEditor) {
    this.subscription = editor.onDidChange(() => (this.isStale = true));
  }

  /** Shows what matches, best first. Rejects where the files can't be listed, after the rest was shown. */
  async find(query: string, asker: MentionAsker): Promise<void> {
    if (query.startsWith(SYMBOL_MARK)) return this.findSymbols(query, query.slice(SYMBOL_MARK.length), asker);
    const listing = this.refresh();
    const symbols = query.length < MIN_SYMBOL ? undefined : this.workspaceSymbols(query, asker);
    await this.rank(query, asker, { done: !listing && !symbols });
    try {
      await listing;
    } finally {
      if (listing) await this.rank(query, asker, { done: !symbols });
      if (symbols) await this.rank(query, asker, { symbols: await symbols, done: true });
    }
  }

  /** Makes the attachment of what is no file; rejects with a sentence for the person. */
  take(source: MentionSource | SymbolPlace): Promise<Attachment> {
    return this.editor.take(source);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Lists the files anew where that is needed; undefined: what is known holds. */
  private refresh(): Promise<void> | undefined {
    if (!this.isStale) return this.listing;
    this.listing ??= this.list().finally(() => (this.listing = undefined));
    return this.listing;
  }

  private async list(): Promise<void> {
    // Before it begins: a change meanwhile may be missing in what is listed.
    this.isStale = false;
    try {
      this.known = workspaceItems(await this.editor.list());
    } catch (error) {
      this.isStale = true;
      throw error;
    }
  }

  /** Shows the symbols of the file in front at once, and those of the workspace when they have come. */
  private async findSymbols(query: string, name: string, asker: MentionAsker): Promise<void> {
    const own = await within(SYMBOL_TIME, this.editor.ownSymbols());
    if (asker.isCurrent()) asker.show(rankMentions(query, own), name === '');
    if (name === '' || !asker.isCurrent()) return;
    const all = [...own, ...(await this.workspaceSymbols(name, asker))];
    const once = new Map(all.map((item) => [mentionId(item), item]));
    if (asker.isCurrent()) asker.show(rankMentions(query, [...once.values()]), true);
  }

  /** Asks the language services when the person has paused, one question at a time. Never rejects: symbols are an extra. */
  private async workspaceSymbols(query: string, asker: MentionAsker): Promise<MentionItem[]> {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    await this.asking;
    if (!asker.isCurrent()) return [];
    const asking = within(SYMBOL_TIME, this.editor.symbols(query));
    this.asking = asking;
    return asking;
  }

  private async rank(
    query: string,
    asker: MentionAsker,
    { symbols = [], done }: { symbols?: readonly MentionItem[]; done: boolean },
  ): Promise<void> {
    const { editor, known } = this;
    const open = query === '' ? editor.open().slice(0, FIRST_OPEN) : editor.open();
    const first = new Set(open.map(pathOf));
    const inside = insideOf(editor.folders());
    let best = rankMentions(query, [...open, ...editor.sources(), ...symbols]);
    for (let from = 0; from < known.length && asker.isCurrent(); from += PART) {
      const part = known.slice(from, from + PART);
      const fresh = part.filter((item) => !first.has(pathOf(item)) && inside(pathOf(item) ?? ''));
      best = rankMentions(query, fresh, best);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (asker.isCurrent()) asker.show(best, done);
  }
}

/** What was found in so many ms, nothing after that or where it failed. */
async function within(time: number, found: Promise<MentionItem[]>): Promise<MentionItem[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<MentionItem[]>((resolve) => {
    timer = setTimeout(() => resolve([]), time);
  });
  // An extension of another may fail; its own log tells why.
  const safe = found.catch((): MentionItem[] => []);
  return Promise.race([safe, late]).finally(() => clearTimeout(timer));
}

function pathOf(item: MentionItem): string | undefined {
  return item.kind === 'file' || item.kind === 'folder' ? item.path : undefined;
}

function insideOf(folders: readonly string[]): (path: string) => boolean {
  if (folders.length === 0) return () => true;
  const starts = folders.map((folder) => folder.replace(/[\\/]$/, ''));
  return (path) =>
    starts.some(
      (start) =>
        path.startsWith(start) && (path.length === start.length || /[\\/]/.test(path[start.length] ?? '')),
    );
}
