import { Injectable } from '@nestjs/common';
import { type ChatResult, nullIfNotFound, type RecordedRequest } from '@signalbox/contracts';
import { RequestReader } from '../request-reads/index.js';
import { type ProviderReply, resultOf } from './chat-call.js';

/** Longer than a record takes to reach the database. */
const KEPT_MS = 60_000;

/**
 * A repeat of a call (same request id) waits for the first one, or gets the answer that was recorded, so that a service
 * whose worker was lost does not pay for the answer twice. Calls that have failed are made again.
 */
@Injectable()
export class RepeatedCalls {
  private readonly calls = new Map<string, SharedCall>();

  constructor(private readonly requests: RequestReader) {}

  once(
    companyId: number,
    requestId: string,
    signal: AbortSignal,
    call: (signal: AbortSignal) => Promise<ChatResult>,
  ): Promise<ChatResult> {
    const key = `${companyId}/${requestId}`;
    const known = this.calls.get(key);
    if (known?.isWanted) return known.join(signal);
    const made = new SharedCall(async (stop) => (await this.recorded(companyId, requestId)) ?? call(stop));
    this.calls.set(key, made);
    const forget = (): void => void (this.calls.get(key) === made && this.calls.delete(key));
    made.result.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
    return made.join(signal);
  }

  private async recorded(companyId: number, requestId: string): Promise<ChatResult | null> {
    const recorded = await this.requests.get(companyId, requestId).catch(nullIfNotFound);
    if (!recorded) return null;
    const { status, model, response, usage } = JSON.parse(recorded.text) as RecordedRequest;
    if (status !== 'COMPLETED' || !response) return null;
    return resultOf(requestId, model, response as unknown as ProviderReply, usage);
  }
}

/** A call that several callers wait for: it is cancelled when all of them have left. */
class SharedCall {
  readonly result: Promise<ChatResult>;
  private readonly stop = new AbortController();
  private waiting = 0;

  constructor(call: (signal: AbortSignal) => Promise<ChatResult>) {
    this.result = call(this.stop.signal);
  }

  get isWanted(): boolean {
    return !this.stop.signal.aborted;
  }

  join(signal: AbortSignal): Promise<ChatResult> {
    const leave = (): void => {
      if (--this.waiting === 0) this.stop.abort(signal.reason);
    };
    this.waiting++;
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    return this.result.finally(() => signal.removeEventListener('abort', leave));
  }
}
