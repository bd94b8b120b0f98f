export interface Sink<T> {
  chunk(chunk: T): void;
  end(): void;
  fail(error: unknown): void;
}

/**
 * Each chunk reaches the sink in the event-loop turn in which it arrived, without a promise in between. A paused sink
 * receives nothing until `resume`, except the notification that the source aborted. Callers that pull can use async
 * iteration.
 */
export abstract class PushStream<T> implements AsyncIterable<T> {
  private sink: Sink<T> | undefined;
  private paused = true;
  private waiting: T[] = [];
  private outcome: { error: unknown } | 'complete' | undefined;
  private emitted = false;

  /** Buffered chunks are delivered first. */
  to(sink: Sink<T>): void {
    this.sink = sink;
    this.emitted = false;
    this.resume();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    while (!this.paused && this.waiting.length > 0) this.sink?.chunk(this.waiting.shift() as T);
    if (this.paused) return;
    if (this.outcome) this.emitOutcome();
    else this.onDemand();
  }

  /** Discards the remaining chunks and the outcome. */
  stop(): void {
    this.emitted = true;
    this.waiting = [];
    this.sink = undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return new Pull(this);
  }

  /** The sink can receive more chunks. */
  protected abstract onDemand(): void;

  /** The sink does not consume these buffered chunks. */
  protected abstract onOverflow(waiting: readonly T[]): void;

  protected push(chunk: T): void {
    if (!this.paused && this.waiting.length === 0) return this.sink?.chunk(chunk);
    this.waiting.push(chunk);
    this.onOverflow(this.waiting);
  }

  /** Ends the stream after all buffered chunks; with an error when it is incomplete. */
  protected finish(outcome: { error: unknown } | 'complete' = 'complete'): void {
    this.outcome ??= outcome;
    if (!this.paused && this.waiting.length === 0) this.emitOutcome();
  }

  /** Ends the stream at once, even a paused one: buffered chunks are discarded. */
  protected destroy(error: unknown): void {
    if (this.outcome && this.emitted) return;
    this.outcome = { error };
    this.waiting = [];
    if (this.sink) this.emitOutcome();
  }

  private emitOutcome(): void {
    if (this.emitted || !this.outcome) return;
    this.emitted = true;
    if (this.outcome === 'complete') this.sink?.end();
    else this.sink?.fail(this.outcome.error);
  }
}

interface Reader<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

const END: IteratorResult<never, undefined> = { done: true, value: undefined };

class Pull<T> implements Sink<T>, AsyncIterator<T, undefined> {
  private readonly chunks: T[] = [];
  private outcome: { error: unknown } | 'complete' | undefined;
  private reader: Reader<T> | undefined;

  constructor(private readonly stream: PushStream<T>) {
    stream.to(this);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const { chunks, outcome } = this;
    if (chunks.length > 0) {
      const value = chunks.shift() as T;
      if (chunks.length === 0) this.stream.resume();
      return Promise.resolve({ done: false, value });
    }
    if (outcome === 'complete') return Promise.resolve(END);
    if (outcome) return Promise.reject(outcome.error as Error);
    return new Promise((resolve, reject) => (this.reader = { resolve, reject }));
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.outcome ??= 'complete';
    this.stream.stop();
    this.reader?.resolve(END);
    return Promise.resolve(END);
  }

  chunk(chunk: T): void {
    const { reader } = this;
    this.reader = undefined;
    if (reader) return reader.resolve({ done: false, value: chunk });
    this.chunks.push(chunk);
    this.stream.pause();
  }

  end(): void {
    this.outcome = 'complete';
    this.reader?.resolve(END);
  }

  fail(error: unknown): void {
    this.chunks.length = 0;
    this.outcome = { error };
    this.reader?.reject(error);
  }
}
