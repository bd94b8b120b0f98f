import { EgressFailed, toEgressError } from './errors.js';
import type { Lifetime } from './lifetime.js';
import type { IncrementalScrubber, Scrubber } from './scrubber.js';

const END: IteratorResult<Buffer, undefined> = { done: true, value: undefined };

/** A body as it arrives, scrubbed and bounded. Its end is the end of its call, however it ends. */
export class StreamedBody implements AsyncIterableIterator<Buffer, undefined> {
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly scrubbing: IncrementalScrubber;
  private left: number;
  private ended = false;

  constructor(
    chunks: AsyncIterable<Buffer>,
    scrubber: Scrubber,
    private readonly maxBytes: number,
    private readonly lifetime: Lifetime,
  ) {
    this.chunks = chunks[Symbol.asyncIterator]();
    this.scrubbing = scrubber.incremental();
    this.left = maxBytes;
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    try {
      while (!this.ended) {
        const result = await this.chunks.next();
        this.ended = result.done === true;
        const clean = result.done ? this.scrubbing.end() : this.scrubbed(result.value);
        if (this.ended) this.lifetime.end();
        if (clean.length > 0) return { done: false, value: clean };
      }
      return END;
    } catch (error) {
      this.ended = true;
      const failure = toEgressError(this.lifetime.causeOf(error));
      this.lifetime.abandon();
      throw failure;
    }
  }

  /** Ends the call. */
  async return(): Promise<IteratorResult<Buffer, undefined>> {
    this.ended = true;
    this.lifetime.abandon();
    await this.chunks.return?.();
    return END;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private scrubbed(chunk: Buffer): Buffer {
    this.left -= chunk.length;
    if (this.left < 0) throw new EgressFailed('too_large', `the answer is longer than ${this.maxBytes} bytes`);
    return this.scrubbing.push(chunk);
  }
}
