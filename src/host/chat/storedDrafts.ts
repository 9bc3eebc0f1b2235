import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attachment } from '../../core/chat/attachment';
import { readDraft } from '../../core/chat/pageMessages';
import type { Draft } from '../../core/chat/protocol';
import { afterSent } from '../../core/chat/sentDraft';
import { isKey } from '../../core/history/key';
import { atomicWrite } from '../history/atomicWrite';

/** Longest base64 of an attachment that is kept with a draft. */
const MAX_DATA = 1_048_576;
const END = '.json';

interface Kept {
  draft: Draft;
  /** The file holds another one. */
  isNew: boolean;
}

/**
 * The draft of each session in a file of its own, so that it outlives the page, the window and a crash. VS Code's own memento is
 * written seconds later. A key that cannot be the name of a file has its draft in memory only. No method throws.
 */
export class StoredDrafts {
  private readonly drafts = new Map<string, Kept>();
  private readonly writing = new Map<string, Promise<void>>();

  /** `folder` is made when the first draft is kept. */
  constructor(
    private readonly folder: string,
    private readonly log: (line: string) => void,
  ) {}

  /** What the composer of a session held last; it is for reading only. */
  get(key: string): Draft {
    const known = this.drafts.get(key) ?? { draft: this.read(key), isNew: false };
    this.drafts.set(key, known);
    return known.draft;
  }

  /** Keeps a draft, without images and sounds that are too large for a file that is written while a person types. */
  set(key: string, draft: Draft): void {
    this.drafts.set(key, { draft, isNew: true });
    if (!isKey(key) || this.writing.has(key)) return;
    this.writing.set(key, this.write(key));
  }

  /** Gives the draft of a session to another one. */
  move(from: string, to: string): void {
    this.set(to, this.get(from));
    this.remove(from);
  }

  /** A session has what was sent: forgets that of its draft; what was written or attached since stays, as it does in the page. */
  sent(key: string, sent: Draft): void {
    this.set(key, afterSent(this.get(key), sent));
  }

  /** Forgets the draft of a session. */
  remove(key: string): void {
    this.set(key, { text: '', attachments: [] });
  }

  /** Forgets the drafts of all other sessions: those that were never sent leave no other trace. */
  async prune(keep: Iterable<string>): Promise<void> {
    const stay = new Set([...keep, ...this.drafts.keys()]);
    const names = await readdir(this.folder).catch((): string[] => []);
    for (const name of names) {
      if (!stay.has(name.split('.', 1)[0] ?? '')) await rm(join(this.folder, name)).catch(() => undefined);
    }
  }

  /** Resolves when all drafts are on disk. */
  async flush(): Promise<void> {
    await Promise.all(this.writing.values());
  }

  private file(key: string): string {
    return join(this.folder, `${key}${END}`);
  }

  private read(key: string): Draft {
    try {
      return readDraft(isKey(key) ? JSON.parse(readFileSync(this.file(key), 'utf8')) : undefined);
    } catch {
      return readDraft(undefined); // Nothing was kept, or nothing that can be read.
    }
  }

  /** Writes until the file holds what was set last; the file is never half written. */
  private async write(key: string): Promise<void> {
    await Promise.resolve();
    try {
      for (let kept = this.drafts.get(key); kept?.isNew; kept = this.drafts.get(key)) {
        kept.isNew = false;
        const { text, attachments } = kept.draft;
        const draft = { text, attachments: attachments.filter(isSmall) };
        if (text === '' && draft.attachments.length === 0) await rm(this.file(key), { force: true });
        else await atomicWrite(this.file(key), JSON.stringify(draft));
      }
    } catch (error) {
      this.log(`the draft could not be kept: ${String(error)}`);
    } finally {
      // Not in a `then`: a draft that is set in between would not be written.
      this.writing.delete(key);
    }
  }
}

function isSmall(attachment: Attachment): boolean {
  return !('data' in attachment) || attachment.data.length <= MAX_DATA;
}
