import { PushStream, type Sink } from './push-stream.js';

export abstract class Transform<In, Out> extends PushStream<Out> implements Sink<In> {
  private begun = false;

  constructor(protected readonly source: PushStream<In>) {
    super();
  }

  abstract chunk(chunk: In): void;
  abstract end(): void;
  abstract fail(error: unknown): void;

  override stop(): void {
    super.stop();
    this.source.stop();
  }

  protected onDemand(): void {
    if (this.begun) return this.source.resume();
    this.begun = true;
    this.source.to(this);
  }

  protected onOverflow(): void {
    this.source.pause();
  }
}
