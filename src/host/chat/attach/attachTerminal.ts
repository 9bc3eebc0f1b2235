/** What is needed to read the selection of a terminal, for which VS Code has no call. */
export interface ClipboardPort {
  read: () => PromiseLike<string>;
  write: (text: string) => PromiseLike<void>;
  /** Copies the selection of the active terminal; leaves the clipboard where nothing is selected. */
  copySelection: () => PromiseLike<unknown>;
  /** A text that nobody has selected. */
  mark: () => string;
}

/** `lost`: the clipboard held no text, so what it held, if anything, could not be put back. */
export interface TerminalSelection {
  text: string;
  lost: boolean;
}

/** Reads the selection of the active terminal by way of the clipboard, which gets its text back; one read at a time. */
export class TerminalSelections {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly clipboard: ClipboardPort) {}

  /** The selected text, empty where nothing is selected. */
  take(): Promise<TerminalSelection> {
    // A second read would take the mark of the first one for the person's text.
    const taken = this.last.then(() => this.read());
    this.last = taken.catch(() => undefined);
    return taken;
  }

  private async read(): Promise<TerminalSelection> {
    const { clipboard } = this;
    const before = await clipboard.read();
    // No text may mean a picture, which nothing can put back: it stays unless something is selected.
    const mark = before === '' ? '' : clipboard.mark();
    if (mark !== '') await clipboard.write(mark);
    let copied = mark;
    try {
      await clipboard.copySelection();
      copied = await clipboard.read();
    } finally {
      await this.putBack(before, copied);
    }
    return copied === mark ? { text: '', lost: false } : { text: copied, lost: before === '' };
  }

  /** Leaves what another program has copied meanwhile. */
  private async putBack(before: string, copied: string): Promise<void> {
    const now = await this.clipboard.read();
    if (now === copied && now !== before) await this.clipboard.write(before);
  }
}
