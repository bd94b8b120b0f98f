import { ApiError, type Endpoint } from '@signalbox/contracts';
import type { FlushAll, FlushPending } from '@signalbox/platform';

/** Writes that were acknowledged before they were stored: reads of endpoints with `readsAfter` wait for them. */
export class PendingWrites {
  constructor(
    private readonly flushPending?: FlushPending,
    private readonly flushAll?: FlushAll,
  ) {}

  /** The pending writes of this process that a read of some companies waits for; null when there are none. */
  before({ readsAfter }: Endpoint, companies: () => readonly number[]): Promise<void> | null {
    return readsAfter === undefined || !this.flushPending ? null : this.flushPending(companies());
  }

  /**
   * The reply to a read; a record that is missing may be pending in this process or in another one, and both flush
   * first.
   */
  async found<T>(endpoint: Endpoint, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      const isMiss = endpoint.readsAfter !== undefined && error instanceof ApiError && error.kind === 'not_found';
      const flushing = isMiss ? this.flushAll?.() : null;
      if (!flushing) throw error;
      await flushing;
      return read();
    }
  }
}
