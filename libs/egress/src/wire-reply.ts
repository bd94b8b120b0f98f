import type { Dispatcher } from 'undici';
import { EgressFailed, type EgressError } from './errors.js';
import type { Lifetime, Stoppable } from './lifetime.js';

/** Bytes that wait for a reader before the socket is held back. */
const MAX_WAITING = 64 * 1024;
const MAX_DISCARDED_BYTES = 64 * 1024;
const MAX_DISCARDING_MS = 1000;

type RawHeaders = Record<string, string | string[] | undefined>;

interface Reader {
  resolve(result: IteratorResult<Buffer, undefined>): void;
  reject(error: unknown): void;
}

const END: IteratorResult<Buffer, undefined> = { done: true, value: undefined };

/**
 * The reply to one request, as undici tells of it chunk by chunk. undici's own `request` wraps every body in a stream
 * and every call in an abort signal; together they cost more than the request itself.
 */
export class WireReply implements Dispatcher.DispatchHandler, Stoppable, AsyncIterableIterator<Buffer, undefined> {
  status = 0;
  raw: RawHeaders = {};
  private controller: Dispatcher.DispatchController | undefined;
  private readonly chunks: Buffer[] = [];
  private waiting = 0;
  private reader: Reader | undefined;
  private failure: { error: unknown } | undefined;
  private ended = false;

  private constructor(
    private readonly lifetime: Lifetime,
    private readonly begun: (reply: WireReply) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Sends a request; resolves as soon as the headers of its reply are there. */
  static to(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, lifetime: Lifetime): Promise<WireReply> {
    return new Promise((resolve, reject) => {
      const reply = new WireReply(lifetime, resolve, reject);
      lifetime.govern(reply);
      if (!reply.failure) dispatcher.dispatch(options, reply);
    });
  }

  /** Ends the request, wherever it is; who waits for it gets the cause. */
  stop(cause: EgressError): void {
    this.chunks.length = 0;
    this.fail(cause);
    this.controller?.abort(cause);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure) controller.abort(this.failure.error as Error);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    // Informational answers come before the one that was asked for.
    if (status < 200) return;
    this.status = status;
    this.raw = headers;
    this.lifetime.touch();
    this.begun(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.lifetime.touch();
    const { reader } = this;
    if (reader) {
      this.reader = undefined;
      return reader.resolve({ done: false, value: chunk });
    }
    this.chunks.push(chunk);
    this.waiting += chunk.length;
    if (this.waiting > MAX_WAITING) controller.pause();
  }

  onResponseEnd(): void {
    this.ended = true;
    this.reader?.resolve(END);
    this.reader = undefined;
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const chunk = this.chunks.shift();
    if (chunk) {
      this.waiting -= chunk.length;
      if (this.waiting <= MAX_WAITING && this.controller?.paused) this.controller.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.failure) return Promise.reject(this.failure.error as Error);
    if (this.ended) return Promise.resolve(END);
    return new Promise((resolve, reject) => (this.reader = { resolve, reject }));
  }

  /** The reader wants no more. */
  return(): Promise<IteratorResult<Buffer, undefined>> {
    if (!this.ended) this.stop(new EgressFailed('aborted', 'the rest of the answer is not wanted'));
    return Promise.resolve(END);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Lets the connection be used again when what is left of the body is short and quick, else ends it. */
  async discard(): Promise<void> {
    let left = MAX_DISCARDED_BYTES;
    const timer = setTimeout(() => void this.return(), MAX_DISCARDING_MS);
    try {
      for await (const { length } of this) if ((left -= length) < 0) break;
    } catch {
      // Nobody wants this body: how it ends is of no interest.
    }
    clearTimeout(timer);
  }

  private fail(error: unknown): void {
    if (this.failure || this.ended) return;
    this.failure = { error };
    if (this.status === 0) this.failed(error);
    this.reader?.reject(error);
    this.reader = undefined;
  }
}
