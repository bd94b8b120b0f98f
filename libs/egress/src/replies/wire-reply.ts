import { PushStream } from '@signalbox/platform';
import type { Dispatcher } from 'undici';
import { EgressFailed, type EgressError } from '../errors.js';
import type { Lifetime, Stoppable } from '../lifetime.js';

/** Buffered bytes at which the socket is paused. */
const MAX_WAITING = 64 * 1024;
const MAX_DISCARDED_BYTES = 64 * 1024;
const MAX_DISCARDING_MS = 1000;

type RawHeaders = Record<string, string | string[] | undefined>;

/**
 * Receives a reply from undici's dispatcher. undici's `request` wraps every body in a stream and every call in an abort
 * signal, which together cost more than the request itself.
 */
export class WireReply extends PushStream<Buffer> implements Dispatcher.DispatchHandler, Stoppable {
  status = 0;
  raw: RawHeaders = {};
  private controller: Dispatcher.DispatchController | undefined;
  private failure: { error: unknown } | undefined;
  private ended = false;

  private constructor(
    private readonly lifetime: Lifetime,
    private readonly begun: (reply: WireReply) => void,
    private readonly failed: (error: unknown) => void,
  ) {
    super();
  }

  static ask(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, lifetime: Lifetime): Promise<WireReply> {
    return new Promise((resolve, reject) => {
      const reply = new WireReply(lifetime, resolve, reject);
      lifetime.govern(reply);
      if (!reply.failure) dispatcher.dispatch(options, reply);
    });
  }

  /** Aborts in any state; waiting readers get the cause. */
  cut(cause: EgressError): void {
    if (this.fail(cause)) this.destroy(cause);
    this.controller?.abort(cause);
  }

  override stop(): void {
    super.stop();
    if (!this.ended) this.cut(new EgressFailed('aborted', 'the rest of the answer is not wanted'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure) controller.abort(this.failure.error as Error);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    // Informational responses precede the final one.
    if (status < 200) return;
    this.status = status;
    this.raw = headers;
    this.lifetime.touch();
    this.begun(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.lifetime.touch();
    this.push(chunk);
  }

  onResponseEnd(): void {
    this.ended = true;
    this.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.fail(error)) this.finish({ error });
  }

  /** Drains the rest of a short body to reuse the connection; otherwise closes it. */
  discard(): void {
    let left = MAX_DISCARDED_BYTES;
    const timer = setTimeout(() => this.stop(), MAX_DISCARDING_MS);
    const over = (): void => clearTimeout(timer);
    const chunk = ({ length }: Buffer): void => {
      if ((left -= length) >= 0) return;
      over();
      this.stop();
    };
    this.to({ chunk, end: over, fail: over });
  }

  protected onDemand(): void {
    if (this.controller?.paused) this.controller.resume();
  }

  protected onOverflow(waiting: readonly Buffer[]): void {
    if (waiting.reduce((bytes, { length }) => bytes + length, 0) > MAX_WAITING) this.controller?.pause();
  }

  private fail(error: unknown): boolean {
    if (this.failure || this.ended) return false;
    this.failure = { error };
    if (this.status === 0) this.failed(error);
    return true;
  }
}
