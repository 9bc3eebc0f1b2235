/** Entries that are drawn and taken away together. */
export const SECTION = 25;

/** Height (px) of a section of which nothing is known. */
const GUESS = 1600;
/** Least height (px) to which the guess for a section is cut. */
const LEAST = 100;

/** The heights (px) of the sections of a conversation: measured where one has been drawn, else a guess. */
export class SectionHeights {
  private readonly heights: number[] = [];
  private readonly measured = new Set<number>();
  private guess = GUESS;
  private sum = 0;

  /** Of all sections together. */
  get total(): number {
    return this.sum;
  }

  get count(): number {
    return this.heights.length;
  }

  /** Makes it that many sections. */
  grow(count: number): void {
    while (this.heights.length < count) {
      this.heights.push(this.guess);
      this.sum += this.guess;
    }
  }

  of(section: number): number {
    return this.heights[section] ?? 0;
  }

  /** Takes what a section really measures. */
  measure(section: number, height: number): void {
    if (section >= this.heights.length) return;
    this.measured.add(section);
    this.put(section, height);
  }

  /** Guesses anew what was never measured, from what was. */
  calibrate(): void {
    const full = [...this.measured].filter((section) => section < this.heights.length - 1);
    if (full.length === 0) return;
    this.guess = Math.max(LEAST, full.reduce((sum, section) => sum + this.of(section), 0) / full.length);
    this.heights.forEach((_, section) => {
      if (!this.measured.has(section)) this.put(section, this.guess);
    });
  }

  /** Where a section begins, below the first one. */
  top(section: number): number {
    return this.span(0, section);
  }

  /** Height of the sections from one to another, the latter left out. */
  span(from: number, to: number): number {
    let sum = 0;
    for (let i = from; i < to; i++) sum += this.of(i);
    return sum;
  }

  /** The section at a height below the beginning of the first one; the nearest where there is none. Fast at the end. */
  at(y: number): number {
    let [low, high] = [0, this.sum];
    if (y > this.sum / 2) {
      for (let i = this.heights.length - 1; i > 0; i--) {
        high -= this.of(i);
        if (y >= high) return i;
      }
      return 0;
    }
    for (let i = 0; i < this.heights.length - 1; i++) {
      low += this.of(i);
      if (y < low) return i;
    }
    return Math.max(0, this.heights.length - 1);
  }

  /** Makes sections that are not drawn higher, or lower by at most what a guess allows. */
  stretch(from: number, to: number, by: number): void {
    const before = this.span(from, to);
    if (before === 0) return;
    const factor = (before + by) / before;
    for (let i = from; i < to; i++) this.put(i, Math.max(Math.min(this.of(i), LEAST), this.of(i) * factor));
  }

  private put(section: number, height: number): void {
    this.sum += height - this.of(section);
    this.heights[section] = height;
  }
}
