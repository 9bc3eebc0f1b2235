/** Keeps what was used last, so many values at most and of so much weight together. */
export class Cache<V> {
  private readonly kept = new Map<string, { value: V; weight: number }>();
  private weight = 0;

  constructor(
    private readonly maxCount: number,
    private readonly maxWeight = Infinity,
  ) {}

  get(key: string): V | undefined {
    const found = this.kept.get(key);
    if (!found) return undefined;
    this.kept.delete(key);
    this.kept.set(key, found);
    return found.value;
  }

  set(key: string, value: V, weight = 1): void {
    this.remove(key);
    this.kept.set(key, { value, weight });
    this.weight += weight;
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= this.maxCount && this.weight <= this.maxWeight) return;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    this.weight -= this.kept.get(key)?.weight ?? 0;
    this.kept.delete(key);
  }
}
