/** UTF-16 units that are remembered in all. */
const MAX_UNITS = 32 << 20;

/** A text of a file as an agent knows it. */
export interface Seen {
  /** What it last read or wrote. */
  text: string;
  /** What the editor made of that when it saved, formatted say: no change of anybody else. */
  saved?: string;
}

/** What the agent of each session last read or wrote in each file: what its next text of the file is based on. The oldest is forgotten. */
export class LastSeen {
  private readonly all = new Map<string, Seen>();
  private units = 0;

  constructor(private readonly max = MAX_UNITS) {}

  /** `real` is a real path. */
  get(key: string, real: string): Seen | undefined {
    return this.all.get(nameOf(key, real));
  }

  set(key: string, real: string, seen: Seen): void {
    const name = nameOf(key, real);
    this.forget(name);
    // It would drive out all others and then itself.
    if (sizeOf(seen) > this.max) return;
    this.all.set(name, seen);
    this.units += sizeOf(seen);
    for (const oldest of this.all.keys()) {
      if (this.units <= this.max) break;
      this.forget(oldest);
    }
  }

  private forget(name: string): void {
    const seen = this.all.get(name);
    if (!seen) return;
    this.all.delete(name);
    this.units -= sizeOf(seen);
  }
}

const nameOf = (key: string, real: string): string => `${key}\0${real}`;
const sizeOf = ({ text, saved }: Seen): number => text.length + (saved?.length ?? 0);
