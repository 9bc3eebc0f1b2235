/** The editors of the window, as it is now. */
export interface Editors<E> {
  active: E | undefined;
  visible: readonly E[];
  /** Whether a person can write in the text of an editor. */
  isWritable: (editor: E) => boolean;
}

/** Remembers which editor of a text was active last: while a page has the focus, none is. */
export class LastEditor<E> {
  private last: E | undefined;

  /** Takes each editor that becomes active; undefined where a page does. */
  remember(editor: E | undefined, isWritable: (editor: E) => boolean): void {
    if (editor !== undefined && isWritable(editor)) this.last = editor;
  }

  /** The editor that a person means; undefined where that is not clear. */
  choose({ active, visible, isWritable }: Editors<E>): E | undefined {
    if (active !== undefined && isWritable(active)) return active;
    const writable = visible.filter(isWritable);
    if (this.last !== undefined && writable.includes(this.last)) return this.last;
    return writable.length === 1 ? writable[0] : undefined;
  }
}
