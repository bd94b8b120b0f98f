/**
 * Runs the bulk imports of a set one after another within this process. Concurrent imports of the same sources then
 * read them once, and do not wait for the lock of the set with a database connection each.
 */
export class SetQueues {
  private readonly last = new Map<string, Promise<unknown>>();

  /** After all earlier work for the same set. */
  async run<T>(companyId: number, setId: number, work: () => Promise<T>): Promise<T> {
    const key = `${companyId} ${setId}`;
    const before = this.last.get(key);
    const result = before ? before.then(work, work) : work();
    this.last.set(key, result);
    try {
      return await result;
    } finally {
      if (this.last.get(key) === result) this.last.delete(key);
    }
  }
}
