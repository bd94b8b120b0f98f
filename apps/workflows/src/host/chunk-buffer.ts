/** Chunks above which the sender waits until they are read. */
const MAX_WAITING = 256;

/** What one side adds while it arrives and the other side takes as a whole; the sender waits for a slow reader. */
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

  /** Everything was added. */
  end(): void {
    this.over = {};
    this.wakeReader();
  }

  /** Nothing more follows: the reader receives what waits, and then the error. */
  fail(error: unknown): void {
    this.over = { error };
    this.wakeReader();
  }

  /** All that waits, as soon as there is something; one reader at a time. */
  async take(): Promise<{ chunks: T[]; done: boolean }> {
    while (this.waiting.length === 0 && !this.over) await new Promise<void>((resolve) => (this.wakeReader = resolve));
    const chunks = this.waiting;
    this.waiting = [];
    this.wakeSender();
    if (this.over && 'error' in this.over && chunks.length === 0) throw this.over.error;
    return { chunks, done: this.over !== undefined && !('error' in this.over) };
  }
}
