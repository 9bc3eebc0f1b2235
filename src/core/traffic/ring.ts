import type { TrafficEntry } from './entry';

/** What is kept of a window's traffic. */
export const MAX_ENTRIES = 2_000;
export const MAX_UNITS = 16 * 1024 * 1024;
/** Of these, what opens connections and sessions, after its turn would have come to go. */
const MAX_OPENING = 100;
const MAX_OPENING_UNITS = 1024 * 1024;

/** The last entries, bounded by their count and by the length of their texts in UTF-16 units. */
export class TrafficRing {
  private entries: TrafficEntry[] = [];
  /** What opens connections and sessions outlives a flood of updates: without it a report could not be played. */
  private opening: TrafficEntry[] = [];
  private units = 0;
  private openingUnits = 0;

  constructor(
    private readonly maxEntries = MAX_ENTRIES,
    private readonly maxUnits = MAX_UNITS,
  ) {}

  add(entry: TrafficEntry): void {
    this.entries.push(entry);
    this.units += entry.text.length;
    while (
      this.entries.length > 1 &&
      (this.entries.length + this.opening.length > this.maxEntries ||
        this.units + this.openingUnits > this.maxUnits)
    )
      this.dropOldest();
  }

  /** Oldest first. */
  all(): readonly TrafficEntry[] {
    return [...this.opening, ...this.entries];
  }

  get(seq: number): TrafficEntry | undefined {
    return this.opening.find((entry) => entry.seq === seq) ?? this.entries.find((entry) => entry.seq === seq);
  }

  /** How many there are. */
  get count(): number {
    return this.opening.length + this.entries.length;
  }

  clear(): void {
    this.entries = [];
    this.opening = [];
    this.units = 0;
    this.openingUnits = 0;
  }

  private dropOldest(): void {
    const oldest = this.entries.shift();
    if (!oldest) return;
    this.units -= oldest.text.length;
    if (oldest.opens) this.keepOpening(oldest);
  }

  private keepOpening(entry: TrafficEntry): void {
    this.opening.push(entry);
    this.openingUnits += entry.text.length;
    const most = Math.min(MAX_OPENING, this.maxEntries / 4);
    while (this.opening.length > most || this.openingUnits > Math.min(MAX_OPENING_UNITS, this.maxUnits / 4)) {
      this.openingUnits -= this.opening.shift()?.text.length ?? 0;
    }
  }
}
