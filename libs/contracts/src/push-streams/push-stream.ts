/** Takes the parts of something while they come. */
export interface Sink<T> {
  part(part: T): void;
  /** That was all. */
  end(): void;
  /** The rest does not come. */
  fail(error: unknown): void;
}

/**
 * Something that comes in parts. Each is pushed to its taker in the very turn of the event loop in which it came, with
 * no promise in between; a taker who is too slow says `pause`, and gets nothing until `resume` but the news that the
 * source has broken off. Whoever prefers to ask for the parts iterates.
 */
export abstract class PushStream<T> implements AsyncIterable<T> {
  private taker: Sink<T> | undefined;
  private paused = true;
  private waiting: T[] = [];
  private outcome: { error: unknown } | 'complete' | undefined;
  private told = false;

  /** From now on the parts go to this taker, those that wait for one first. */
  to(taker: Sink<T>): void {
    this.taker = taker;
    this.told = false;
    this.resume();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    while (!this.paused && this.waiting.length > 0) this.taker?.part(this.waiting.shift() as T);
    if (this.paused) return;
    if (this.outcome) this.tell();
    else this.wanted();
  }

  /** Nobody wants the rest, or to hear of it. */
  stop(): void {
    this.told = true;
    this.waiting = [];
    this.taker = undefined;
  }

  /** The parts one by one; leaving the loop stops the feed. */
  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return new Pull(this);
  }

  /** More can be taken. */
  protected abstract wanted(): void;

  /** So many parts wait because nobody takes them. */
  protected abstract tooFast(waiting: readonly T[]): void;

  protected give(part: T): void {
    if (!this.paused && this.waiting.length === 0) return this.taker?.part(part);
    this.waiting.push(part);
    this.tooFast(this.waiting);
  }

  /** The end, behind all parts; with an error when there should have been more. */
  protected finish(outcome: { error: unknown } | 'complete' = 'complete'): void {
    this.outcome ??= outcome;
    if (!this.paused && this.waiting.length === 0) this.tell();
  }

  /** The end, at once, even if nobody takes anything: parts that wait are not wanted any more. */
  protected breakOff(error: unknown): void {
    if (this.outcome && this.told) return;
    this.outcome = { error };
    this.waiting = [];
    if (this.taker) this.tell();
  }

  private tell(): void {
    if (this.told || !this.outcome) return;
    this.told = true;
    if (this.outcome === 'complete') this.taker?.end();
    else this.taker?.fail(this.outcome.error);
  }
}

interface Reader<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

const END: IteratorResult<never, undefined> = { done: true, value: undefined };

/** The parts of a feed for somebody who asks for them. */
class Pull<T> implements Sink<T>, AsyncIterator<T, undefined> {
  private readonly parts: T[] = [];
  private outcome: { error: unknown } | 'complete' | undefined;
  private reader: Reader<T> | undefined;

  constructor(private readonly feed: PushStream<T>) {
    feed.to(this);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const { parts, outcome } = this;
    if (parts.length > 0) {
      const value = parts.shift() as T;
      if (parts.length === 0) this.feed.resume();
      return Promise.resolve({ done: false, value });
    }
    if (outcome === 'complete') return Promise.resolve(END);
    if (outcome) return Promise.reject(outcome.error as Error);
    return new Promise((resolve, reject) => (this.reader = { resolve, reject }));
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.outcome ??= 'complete';
    this.feed.stop();
    return Promise.resolve(END);
  }

  part(part: T): void {
    const { reader } = this;
    this.reader = undefined;
    if (reader) return reader.resolve({ done: false, value: part });
    this.parts.push(part);
    this.feed.pause();
  }

  end(): void {
    this.outcome = 'complete';
    this.reader?.resolve(END);
  }

  fail(error: unknown): void {
    this.parts.length = 0;
    this.outcome = { error };
    this.reader?.reject(error);
  }
}
