/// <reference lib="esnext.disposable" preserve="true" />
import { SignalboxError } from './errors.js';
import type { PreparedCall } from './operation.js';
import type { Transport } from './transport.js';

/** A stream that ends when its loop is left, and when it or its client is closed from outside the loop. */
export abstract class ClosableStream<T> implements AsyncIterable<T>, AsyncDisposable {
  protected readonly call: PreparedCall;
  private readonly closing = new AbortController();

  constructor(
    protected readonly transport: Transport,
    call: PreparedCall,
  ) {
    const signals = [call.options.signal, this.closing.signal].filter((signal) => signal !== undefined);
    this.call = { ...call, options: { ...call.options, signal: AbortSignal.any(signals) } };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    const { signal } = this.closing;
    if (signal.aborted) return;
    const forget = this.transport.track(this.closing);
    try {
      yield* this.items();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      forget();
    }
  }

  /** Closes the connection; a loop that waits for the next item ends. */
  close(): void {
    this.closing.abort(new SignalboxError('the stream is closed'));
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  protected abstract items(): AsyncGenerator<T>;
}
