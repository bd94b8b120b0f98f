import { Feed, type Taker } from './feed.js';

/** A feed made of another one, part by part. */
export abstract class Stage<In, Out> extends Feed<Out> implements Taker<In> {
  private begun = false;

  constructor(protected readonly source: Feed<In>) {
    super();
  }

  abstract part(part: In): void;
  abstract end(): void;
  abstract fail(error: unknown): void;

  override stop(): void {
    super.stop();
    this.source.stop();
  }

  protected wanted(): void {
    if (this.begun) return this.source.resume();
    this.begun = true;
    this.source.to(this);
  }

  protected tooFast(): void {
    this.source.pause();
  }
}
