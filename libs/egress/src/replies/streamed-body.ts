import { type PushStream, Transform } from '@signalbox/platform';
import { EgressFailed, toEgressError } from '../errors.js';
import type { Lifetime } from '../lifetime.js';
import type { IncrementalScrubber, Scrubber } from '../secrets/scrubber.js';

/** Scrubbed and bounded. Its end or failure ends the call. */
export class StreamedBody extends Transform<Buffer, Buffer> {
  private readonly scrubbing: IncrementalScrubber;
  private left: number;

  constructor(
    chunks: PushStream<Buffer>,
    scrubber: Scrubber,
    private readonly maxBytes: number,
    private readonly lifetime: Lifetime,
  ) {
    super(chunks);
    this.scrubbing = scrubber.incremental();
    this.left = maxBytes;
  }

  chunk(chunk: Buffer): void {
    this.left -= chunk.length;
    if (this.left < 0) return this.refuse();
    const clean = this.scrubbing.push(chunk);
    if (clean.length > 0) this.push(clean);
  }

  end(): void {
    const rest = this.scrubbing.end();
    this.lifetime.end();
    if (rest.length > 0) this.push(rest);
    this.finish();
  }

  fail(error: unknown): void {
    const failure = toEgressError(this.lifetime.causeOf(error));
    this.lifetime.failed(failure);
    this.destroy(failure);
  }

  override stop(): void {
    super.stop();
    this.lifetime.abandon();
  }

  private refuse(): void {
    this.source.stop();
    this.fail(new EgressFailed('too_large', `the answer is longer than ${this.maxBytes} bytes`));
  }
}
