/** Above this number the sender waits. */
const MAX_WAITING = 256;

/** A queue whose reader takes all waiting chunks at once, with backpressure to the sender. */
export class ChunkBuffer<T> {
  private waiting: T[] = [];
  private over: { error?: unknown } | undefined;
  private wakeReader: () => void = () => undefined;
  private wakeSender: () => void = () => undefined;

  /** Resolves when there is room for another chunk; rejects once `signal` is aborted. */
  async add(chunk: T, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.waiting.push(chunk);
    this.wakeReader();
    if (this.waiting.length < MAX_WAITING) return;
    await new Promise<void>((resolve) => {
      this.wakeSender = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    signal.throwIfAborted();
  }

  end(): void {
    this.over = {};
    this.wakeReader();
  }

  /** The reader gets the waiting chunks first, then the error. */
  fail(error: unknown): void {
    this.over = { error };
    this.wakeReader();
  }

  /** Waits for at least one chunk or the end; one reader at a time. */
  async take(): Promise<{ chunks: T[]; done: boolean }> {
    while (this.waiting.length === 0 && !this.over) await new Promise<void>((resolve) => (this.wakeReader = resolve));
    const chunks = this.waiting;
    this.waiting = [];
    this.wakeSender();
    if (this.over && 'error' in this.over && chunks.length === 0) throw this.over.error;
    return { chunks, done: this.over !== undefined && !('error' in this.over) };
  }
}
