import { ApiError, type Endpoint } from '@signalbox/contracts';
import type { FlushAll, FlushPending } from '@signalbox/platform';

/** Writes acknowledged before they are stored; reads of endpoints with `readsAfter` wait for them. */
export class PendingWrites {
  constructor(
    private readonly flushPending?: FlushPending,
    private readonly flushAll?: FlushAll,
  ) {}

  before({ readsAfter }: Endpoint, companies: () => readonly number[]): Promise<void> | null {
    return readsAfter === undefined || !this.flushPending ? null : this.flushPending(companies());
  }

  /** A missing record may be pending in this process or in another one: both flush before the read is repeated. */
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
