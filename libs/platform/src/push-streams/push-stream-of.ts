import { PushStream } from './push-stream.js';

export const pushStreamOf = <T>(chunks: AsyncIterable<T>): PushStream<T> =>
  chunks instanceof PushStream ? (chunks as PushStream<T>) : new PulledStream(chunks[Symbol.asyncIterator]());

class PulledStream<T> extends PushStream<T> {
  private running = false;
  private full = false;

  constructor(private readonly chunks: AsyncIterator<T>) {
    super();
  }

  override stop(): void {
    super.stop();
    this.full = true;
    this.chunks.return?.().catch(() => undefined);
  }

  protected onDemand(): void {
    this.full = false;
    if (!this.running) void this.run();
  }

  protected onOverflow(): void {
    this.full = true;
  }

  private async run(): Promise<void> {
    this.running = true;
    try {
      while (!this.full) {
        const next = await this.chunks.next();
        if (next.done) return this.finish();
        this.push(next.value);
      }
      this.running = false;
    } catch (error) {
      this.finish({ error });
    }
  }
}
