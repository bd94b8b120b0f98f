/** For a call that waits in this process for a run executed here. */
class PendingReply<Ended> {
  private run: Ended | null = null;
  private isFirst = true;

  ended(run: Ended): void {
    this.run = run;
  }

  /** Reads the run unless this process knows it; not the first time, when it has just started. */
  find(read: () => Promise<Ended | null>): Promise<Ended | null> {
    const isNew = this.isFirst && this.run === null;
    this.isFirst = false;
    return isNew ? Promise.resolve(null) : this.run ? Promise.resolve(this.run) : read();
  }
}

/**
 * Runs that this process started in the transaction that accepts them: its worker executes them without a look-up and
 * passes their end to the waiting caller. In memory only: a run that is not found here is read.
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
      // The commit has begun the run: its worker has taken it by now, or reads it.
      this.withdraw(id);
    }
  }

  /** The worker begins right after the commit; `isAwaited` when a call in this process waits for the end. */
  offer(run: Run, isAwaited: boolean): void {
    this.runs.set(run.id, run);
    if (isAwaited) this.replies.set(run.id, new PendingReply());
  }

  /** Once; null when the run was not offered. */
  take(id: string): Run | null {
    const run = this.runs.get(id);
    this.runs.delete(id);
    if (run) this.begun.add(run);
    return run ?? null;
  }

  /** No earlier attempt has begun the run. */
  isFresh(run: Run): boolean {
    return this.begun.has(run);
  }

  withdraw(id: string): void {
    this.runs.delete(id);
  }

  replyOf(id: string): PendingReply<Ended> | undefined {
    return this.replies.get(id);
  }

  forgetReply(id: string): void {
    this.replies.delete(id);
  }
}
