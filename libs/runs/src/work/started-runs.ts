/** The reply of a call that waits in this process for a run which this process executes. */
class PendingReply<Ended> {
  private run: Ended | null = null;
  private isFirst = true;

  /** Sets the run as it has ended; called after the commit of its end. */
  ended(run: Ended): void {
    this.run = run;
  }

  /** The ended run; reads it when this process does not know it, except at the first time, when it has just started. */
  find(read: () => Promise<Ended | null>): Promise<Ended | null> {
    const isNew = this.isFirst && this.run === null;
    this.isFirst = false;
    return isNew ? Promise.resolve(null) : this.run ? Promise.resolve(this.run) : read();
  }
}

/**
 * Runs that this process has started in the transaction that accepts them: its worker executes them without a look-up,
 * and passes their end to the caller that waits for it. All of it is memory: a run that is not found here is read.
 */
export class StartedRuns<Run extends { id: string }, Ended> {
  private readonly runs = new Map<string, Run>();
  private readonly begun = new WeakSet<Run>();
  private readonly replies = new Map<string, PendingReply<Ended>>();

  async accepting<T>(id: string, transaction: () => Promise<T>): Promise<T> {
    try {
      return await transaction();
    } catch (error) {
      this.forgetReply(id);
      throw error;
    } finally {
      // The commit begins the run: its worker has taken it by now, or reads it.
      this.withdraw(id);
    }
  }

  /**
   * Offers a run to the worker, which begins with it right after the commit; `isAwaited` when a call in this process
   * waits for its end.
   */
  offer(run: Run, isAwaited: boolean): void {
    this.runs.set(run.id, run);
    if (isAwaited) this.replies.set(run.id, new PendingReply());
  }

  /** The run, once; null when it was not offered. */
  take(id: string): Run | null {
    const run = this.runs.get(id);
    this.runs.delete(id);
    if (run) this.begun.add(run);
    return run ?? null;
  }

  /** True for a run that no earlier attempt has begun. */
  isFresh(run: Run): boolean {
    return this.begun.has(run);
  }

  /** Ends the offer of an attempt of the transaction that was rolled back. */
  withdraw(id: string): void {
    this.runs.delete(id);
  }

  replyOf(id: string): PendingReply<Ended> | undefined {
    return this.replies.get(id);
  }

  /** Forgets the reply of a call that does not wait any longer. */
  forgetReply(id: string): void {
    this.replies.delete(id);
  }
}
