/** Receives the parts of a stream as they arrive. */
export interface Sink<T> {
  part(part: T): void;
  /** The stream is complete. */
  end(): void;
  /** The stream failed; no further part arrives. */
  fail(error: unknown): void;
}

/**
 * A stream that pushes its parts. Each part reaches the sink in the event loop turn in which it arrived, without a
 * promise in between. A paused sink receives nothing until `resume`, except the notification that the source aborted.
 * Async iteration is available for callers that pull.
 */
export abstract class PushStream<T> implements AsyncIterable<T> {
  private sink: Sink<T> | undefined;
  private paused = true;
  private waiting: T[] = [];
  private outcome: { error: unknown } | 'complete' | undefined;
  private emitted = false;

  /** Attaches a sink; buffered parts are delivered to it first. */
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
    while (!this.paused && this.waiting.length > 0) this.sink?.part(this.waiting.shift() as T);
    if (this.paused) return;
    if (this.outcome) this.emitOutcome();
    else this.wanted();
  }

  /** Cancels the stream: the remaining parts and the outcome are discarded. */
  stop(): void {
    this.emitted = true;
    this.waiting = [];
    this.sink = undefined;
  }

  /** Iterates over the parts; breaking out of the loop stops the stream. */
  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return new Pull(this);
  }

  /** Called when the sink can receive more parts. */
  protected abstract wanted(): void;

  /** Called with the buffered parts when the sink does not consume them. */
  protected abstract tooFast(waiting: readonly T[]): void;

  protected give(part: T): void {
    if (!this.paused && this.waiting.length === 0) return this.sink?.part(part);
    this.waiting.push(part);
    this.tooFast(this.waiting);
  }

  /** Ends the stream after all buffered parts; with an error when it is incomplete. */
  protected finish(outcome: { error: unknown } | 'complete' = 'complete'): void {
    this.outcome ??= outcome;
    if (!this.paused && this.waiting.length === 0) this.emitOutcome();
  }

  /** Ends the stream at once, even when the sink is paused: buffered parts are discarded. */
  protected breakOff(error: unknown): void {
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

/** Adapts a push stream to async iteration. */
class Pull<T> implements Sink<T>, AsyncIterator<T, undefined> {
  private readonly parts: T[] = [];
  private outcome: { error: unknown } | 'complete' | undefined;
  private reader: Reader<T> | undefined;

  constructor(private readonly stream: PushStream<T>) {
    stream.to(this);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const { parts, outcome } = this;
    if (parts.length > 0) {
      const value = parts.shift() as T;
      if (parts.length === 0) this.stream.resume();
      return Promise.resolve({ done: false, value });
    }
    if (outcome === 'complete') return Promise.resolve(END);
    if (outcome) return Promise.reject(outcome.error as Error);
    return new Promise((resolve, reject) => (this.reader = { resolve, reject }));
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.outcome ??= 'complete';
    this.stream.stop();
    return Promise.resolve(END);
  }

  part(part: T): void {
    const { reader } = this;
    this.reader = undefined;
    if (reader) return reader.resolve({ done: false, value: part });
    this.parts.push(part);
    this.stream.pause();
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
