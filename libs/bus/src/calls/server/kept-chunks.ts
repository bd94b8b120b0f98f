import { ApiError, type Chunk } from '@signalbox/contracts';

/** Longer replies are not stored for repeats. */
const MAX_KEPT_CHARS = 20_000_000;

export interface ChunksEnd {
  /** Null when the text is too long to be kept. */
  complete(text: string | null): Promise<void>;
  failed(error: unknown): Promise<void>;
  /** Always called, last. */
  over(): void;
}

const END = { done: true, value: undefined } as const;

/**
 * Forwards the chunks of a reply and reports their text for repeats. The last chunk is sent after all are stored, so
 * that its receiver can repeat at once. A receiver that stops reading, even before the first chunk, is reported as a
 * failure.
 */
export class KeptChunks implements AsyncIterableIterator<string, undefined> {
  private readonly source: AsyncIterator<Chunk>;
  private readonly all: string[] = [];
  private size = 0;
  private held: string | undefined;
  private isOver = false;

  constructor(
    chunks: AsyncIterable<Chunk>,
    private readonly end: ChunksEnd,
  ) {
    this.source = chunks[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    try {
      while (!this.isOver) {
        const { done, value } = await this.source.next();
        const { held } = this;
        if (done) await this.settle(() => this.end.complete(this.text));
        else this.keep(value);
        if (!done && held !== undefined) return { done: false, value: held };
      }
    } catch (error) {
      await this.settle(() => this.end.failed(error));
      throw error;
    }
    return this.last();
  }

  /** The receiver has disconnected. What it was sent is paid for and not made again. */
  async return(): Promise<IteratorResult<string, undefined>> {
    this.held = undefined;
    await this.settle(async () => {
      this.source.return?.().catch(() => undefined);
      await this.end.failed(new ApiError('timeout', 'the caller disconnected', { code: 'client_disconnected' }));
    });
    return END;
  }

  private get text(): string | null {
    return this.size <= MAX_KEPT_CHARS ? this.all.join('') : null;
  }

  private keep(chunk: Chunk): void {
    if (typeof chunk !== 'string') throw new Error('a reply in bytes cannot be kept for a repeat');
    this.held = chunk;
    this.size += chunk.length;
    if (this.size <= MAX_KEPT_CHARS) this.all.push(chunk);
    else this.all.length = 0;
  }

  private last(): IteratorResult<string, undefined> {
    const { held } = this;
    this.held = undefined;
    return held === undefined ? END : { done: false, value: held };
  }

  private async settle(store: () => Promise<void>): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    try {
      await store();
    } finally {
      this.end.over();
    }
  }
}
