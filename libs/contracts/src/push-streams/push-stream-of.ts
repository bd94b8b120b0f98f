import { PushStream } from './push-stream.js';

/** Returns a push stream that reads an async iterable; a push stream is returned unchanged. */
export const pushStreamOf = <T>(parts: AsyncIterable<T>): PushStream<T> =>
  parts instanceof PushStream ? (parts as PushStream<T>) : new PulledStream(parts[Symbol.asyncIterator]());

class PulledStream<T> extends PushStream<T> {
  private running = false;
  private full = false;

  constructor(private readonly parts: AsyncIterator<T>) {
    super();
  }

  override stop(): void {
    super.stop();
    this.full = true;
    this.parts.return?.().catch(() => undefined);
  }

  protected wanted(): void {
    this.full = false;
    if (!this.running) void this.run();
  }

  protected tooFast(): void {
    this.full = true;
  }

  private async run(): Promise<void> {
    this.running = true;
    try {
      while (!this.full) {
        const next = await this.parts.next();
        if (next.done) return this.finish();
        this.give(next.value);
      }
      this.running = false;
    } catch (error) {
      this.finish({ error });
    }
  }
}
