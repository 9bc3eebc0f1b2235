import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DraftKeeper } from './webviewChannel';

/**
 * The draft in a file of the workspace's storage, so that it outlives the page, the window and a crash. VS Code's own memento is
 * written seconds later.
 */
export class StoredDraft implements DraftKeeper {
  private current: string | undefined;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly file: string,
    private readonly log: (line: string) => void,
  ) {}

  get text(): string {
    return (this.current ??= this.read());
  }

  set text(text: string) {
    this.current = text;
    this.writing ??= this.write().finally(() => (this.writing = undefined));
  }

  private read(): string {
    try {
      return readFileSync(this.file, 'utf8');
    } catch {
      return ''; // Nothing was kept yet.
    }
  }

  /** Writes until the file holds what was set last; the file is never half written. */
  private async write(): Promise<void> {
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      for (let written: string | undefined; written !== this.current;) {
        written = this.current ?? '';
        await writeFile(`${this.file}.new`, written);
        await rename(`${this.file}.new`, this.file);
      }
    } catch (error) {
      this.log(`the draft could not be kept: ${String(error)}`);
    }
  }
}
