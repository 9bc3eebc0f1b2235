import { textOf } from '../../core/session/select';
import type { SessionState } from '../../core/session/state';

/** The prompts of a session, oldest first; one that was sent again at once is listed once. */
export function promptsOf({ entries }: Pick<SessionState, 'entries'>): string[] {
  const prompts: string[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'user') continue;
    const text = textOf(entry.blocks.filter((block) => !block.hidden));
    if (text.trim() !== '' && text !== prompts.at(-1)) prompts.push(text);
  }
  return prompts;
}

/** What a press of an arrow key meets in the composer. */
export interface Field {
  text: string;
  /** The selection in it; equal where there is none. */
  from: number;
  to: number;
}

/** What the composer shows next; `draft` where that is what the person was writing. */
export interface Shown {
  text: string;
  caret: number;
  draft: boolean;
  /** The draft, while something else is shown. */
  waiting: string;
}

/** The earlier prompts of a session in the composer. What was being written, and what was changed on the way, comes back. */
export class PromptHistory {
  private prompts: readonly string[] = [];
  /** The one that is shown; as many as there are prompts: the draft. */
  private at = 0;
  /** Texts that differ from the prompts, and the draft, by index; none while the draft is shown. */
  private texts: Map<number, string> | undefined;

  /**
   * @param read gives the prompts, oldest first
   * @param onLeave hears that no earlier prompt is shown any more
   */
  constructor(
    private readonly read: () => readonly string[],
    private readonly onLeave: () => void = () => undefined,
  ) {}

  /** What an arrow key shows; undefined where the key is for the text. */
  step(key: 'ArrowUp' | 'ArrowDown', field: Field): Shown | undefined {
    if (!this.isMeant(key, field)) return undefined;
    if (!this.texts) this.begin();
    const next = this.at + (key === 'ArrowUp' ? -1 : 1);
    const text = this.textAt(next, field.text);
    if (text === undefined) return undefined;
    const draft = next === this.prompts.length;
    const waiting = this.texts?.get(this.prompts.length) ?? '';
    if (draft) this.leave();
    return { text, caret: key === 'ArrowUp' ? 0 : text.length, draft, waiting };
  }

  /** What is shown is sent, or another session is: gives the draft that waited, empty where none did. */
  leave(): string {
    const waiting = this.texts?.get(this.prompts.length) ?? '';
    this.texts = undefined;
    this.onLeave();
    return waiting;
  }

  private begin(): void {
    this.prompts = this.read();
    this.at = this.prompts.length;
    this.texts = new Map();
  }

  private textAt(next: number, shown: string): string | undefined {
    const { texts, prompts } = this;
    if (!texts || next < 0 || next > prompts.length) {
      if (this.at === prompts.length) this.texts = undefined;
      return undefined;
    }
    texts.set(this.at, shown);
    this.at = next;
    return texts.get(next) ?? prompts[next];
  }

  private isMeant(key: string, { text, from, to }: Field): boolean {
    if (from !== to) return false;
    if (key === 'ArrowUp')
      return from === 0 || (this.isAsSent(text) && from === text.length && !text.includes('\n'));
    return this.texts !== undefined && (from === text.length || (from === 0 && this.isAsSent(text)));
  }

  /** True for an earlier prompt that was not changed. */
  private isAsSent(text: string): boolean {
    return this.texts !== undefined && this.prompts[this.at] === text;
  }
}
