/** Runs tasks on one path after the other, and tasks on different paths side by side. */
export class PathQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  run<T>(path: string, task: () => Promise<T>): Promise<T> {
    const before = this.tails.get(path) ?? Promise.resolve();
    const result = before.then(task);
    // A failed task does not stop the next one.
    const tail = result.catch(() => undefined);
    this.tails.set(path, tail);
    void tail.then(() => {
      if (this.tails.get(path) === tail) this.tails.delete(path);
    });
    return result;
  }
}
