import { Injectable } from '@nestjs/common';
import { ApiError, type ChatResult, type RecordedRequest } from '@signalbox/contracts';
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
  private readonly calls = new Map<string, Promise<ChatResult>>();

  constructor(private readonly requests: RequestReader) {}

  async once(companyId: number, requestId: string, call: () => Promise<ChatResult>): Promise<ChatResult> {
    const key = `${companyId}/${requestId}`;
    const known = this.calls.get(key);
    if (known) return known;
    const made = this.recorded(companyId, requestId).then((answer) => answer ?? call());
    this.calls.set(key, made);
    const forget = (): void => void this.calls.delete(key);
    made.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
    return made;
  }

  private async recorded(companyId: number, requestId: string): Promise<ChatResult | null> {
    try {
      const { text } = await this.requests.get(companyId, requestId);
      const { status, model, response, usage } = JSON.parse(text) as RecordedRequest;
      if (status !== 'COMPLETED' || !response) return null;
      return resultOf(requestId, model, response as unknown as ProviderReply, usage);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'not_found') return null;
      throw error;
    }
  }
}
