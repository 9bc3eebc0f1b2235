import type { Pause } from '../abort';
import type { ModelEvent } from './model';

/** Streams texts as a model would: a few words at a time. */
export class Speech {
  constructor(
    private readonly pause: Pause,
    private readonly signal: AbortSignal,
    /** Milliseconds between two pieces. */
    private readonly gap: number,
  ) {}

  async *say(text: string): AsyncGenerator<ModelEvent> {
    yield* this.pieces('text', text);
  }

  async *think(text: string): AsyncGenerator<ModelEvent> {
    yield* this.pieces('thought', text);
  }

  /** Pieces that come from a function, with a gap after each. */
  async *repeat(times: number, piece: (n: number) => string): AsyncGenerator<ModelEvent> {
    for (let n = 1; n <= times; n++) {
      yield { type: 'text', text: piece(n) };
      await this.wait(this.gap);
    }
  }

  async wait(milliseconds: number): Promise<void> {
    await this.pause(milliseconds, this.signal);
  }

  private async *pieces(type: 'text' | 'thought', text: string): AsyncGenerator<ModelEvent> {
    for (const piece of text.match(/(?:\S+\s*|\s+){1,3}/g) ?? []) {
      yield { type, text: piece };
      await this.wait(this.gap);
    }
  }
}
