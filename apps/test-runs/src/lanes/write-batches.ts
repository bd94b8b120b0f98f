import { ApiError } from '@signalbox/contracts';

/** A write that waits for its batch. */
interface Waiting<W, R> {
  write: W;
  /** Until when it may wait for others, in milliseconds of `performance.now()`. */
  until: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** Outcome of one write of a batch: its result, or why it alone was refused. */
export type WriteResult<R> = { result: R } | { refused: Error };

/** Most writes of one transaction. */
const MAX_BATCH = 64;

/**
 * Joins the writes of the lanes of a company into one transaction: what arrives while a batch is being committed
 * becomes the next batch. With one lane nothing waits; with a hundred, a commit is shared by as many as arrived.
 *
 * When a batch fails, each of its writes is performed alone, so that only the bad one fails; all of them fail when the
 * database is away.
 */
export class WriteBatches<W, R> {
  private readonly waiting = new Map<number, Waiting<W, R>[]>();

  constructor(private readonly perform: (companyId: number, writes: readonly W[]) => Promise<WriteResult<R>[]>) {}

  /** Performs a write, which may wait some milliseconds for others to share its transaction. */
  add(companyId: number, write: W, mayWait = 0): Promise<R> {
    const until = performance.now() + mayWait;
    return new Promise<R>((resolve, reject) => {
      const queue = this.waiting.get(companyId);
      if (queue) {
        queue.push({ write, until, resolve, reject });
        return;
      }
      this.waiting.set(companyId, [{ write, until, resolve, reject }]);
      // The other lanes whose calls have ended in this turn of the event loop come along.
      setImmediate(() => void this.drain(companyId));
    });
  }

  private async drain(companyId: number): Promise<void> {
    const queue = this.waiting.get(companyId) ?? [];
    while (queue.length > 0) {
      const wait = Math.min(...queue.map(({ until }) => until)) - performance.now();
      if (wait >= 1 && queue.length < MAX_BATCH) await new Promise((resolve) => setTimeout(resolve, wait));
      await this.settle(companyId, queue.splice(0, MAX_BATCH));
    }
    this.waiting.delete(companyId);
  }

  private async settle(companyId: number, batch: readonly Waiting<W, R>[]): Promise<void> {
    try {
      const outcomes = await this.perform(
        companyId,
        batch.map(({ write }) => write),
      );
      batch.forEach(({ resolve, reject }, at) => {
        const outcome = outcomes[at];
        if (outcome && 'result' in outcome) resolve(outcome.result);
        else reject(outcome?.refused ?? new Error('a write of a batch has no outcome'));
      });
    } catch (error) {
      const [only] = batch;
      // While the database is away each of them would wait for it in turn.
      if (error instanceof ApiError && error.kind === 'unavailable') for (const { reject } of batch) reject(error);
      else if (batch.length === 1) only?.reject(error);
      else for (const each of batch) await this.settle(companyId, [each]);
    }
  }
}
