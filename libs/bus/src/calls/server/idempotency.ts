import { randomUUID } from 'node:crypto';
import {
  ApiError,
  type Call,
  type Chunk,
  Chunks,
  type Endpoint,
  type ErrorExtras,
  fieldsOf,
  type IdempotencyClaim,
  toApiError,
} from '@signalbox/contracts';
import type { IdempotencyStore } from '@signalbox/platform';
import type { Answer } from './answer.js';

/**
 * Statuses that do not end the work: the caller's deadline passed, or the database was away when the reply was due. A
 * repeat waits for the work again.
 */
const WORK_CONTINUES: readonly number[] = [503, 504];
/** A longer chunked reply is not stored for repeats. */
const MAX_KEPT_CHARS = 20_000_000;

/** Expiry of a claim that is not prolonged: a repeat after a crash waits no longer than this. */
const HOLD_MS = 10_000;
const PROLONG_MS = 3000;

/** Gives a repeated POST with the same key a single effect (api.md 1.9). */
export class Idempotency {
  constructor(private readonly store: IdempotencyStore) {}

  async around(
    endpoint: Endpoint,
    call: Call<object>,
    handle: (call: Call<object>) => Promise<Answer>,
  ): Promise<Answer> {
    const { companyId, idempotency: requested } = call.caller;
    if (!requested) return handle(call);
    const claim = { ...requested, holder: randomUUID(), shownOnce: shownOnceOf(endpoint) };
    const first = { ...call, caller: { ...call.caller, idempotency: claim } };
    const found = await this.store.begin(companyId, claim, HOLD_MS);
    switch (found.state) {
      case 'mismatch':
        throw mismatch();
      case 'running':
        throw running();
      case 'replay':
        return replay(found.status, found.body);
      case 'resume':
        // Only work that outlives its call is waited for again; any other call had its whole effect in one
        // transaction.
        if (!endpoint.slow) return this.settle(claim, companyId, JSON.stringify(found.earlier));
        return this.run(
          endpoint,
          { ...call, caller: { ...call.caller, idempotency: { ...claim, earlier: found.earlier } } },
          claim,
          handle,
        );
      case 'first':
        return this.run(endpoint, first, claim, handle);
    }
  }

  /** Returns the reply that was lost after the effect was committed. */
  private async settle(claim: IdempotencyClaim, companyId: number, text: string): Promise<Answer> {
    const kept = JSON.stringify({ headers: {}, body: text });
    await this.store.finish(companyId, claim, 200, kept);
    return replay(200, kept);
  }

  private async run(
    endpoint: Endpoint,
    call: Call<object>,
    claim: IdempotencyClaim,
    handle: (call: Call<object>) => Promise<Answer>,
  ): Promise<Answer> {
    const { companyId } = call.caller;
    const holding = this.hold(companyId, claim);
    try {
      const answer = await handle(call);
      const kept = JSON.stringify({ headers: answer.headers ?? {}, body: withoutShownOnce(endpoint, answer.text) });
      await this.store.finish(companyId, claim, 200, kept);
      return answer;
    } catch (thrown) {
      throw await this.failed(companyId, claim, thrown);
    } finally {
      clearInterval(holding);
    }
  }

  /** The same for a chunked reply: a repeat gets the same chunks from the start. */
  async aroundPieces(call: Call<object>, handle: (call: Call<object>) => Promise<Chunks>): Promise<Chunks> {
    const { companyId, idempotency: requested } = call.caller;
    if (!requested) return handle(call);
    const claim = { ...requested, holder: randomUUID() };
    const found = await this.store.begin(companyId, claim, HOLD_MS);
    if (found.state === 'mismatch') throw mismatch();
    if (found.state === 'running') throw running();
    if (found.state === 'replay') {
      const { text, headers } = replay(found.status, found.body);
      return new Chunks(single(text), headers);
    }
    const holding = this.hold(companyId, claim);
    try {
      const { chunks, headers } = await handle(call);
      return new Chunks(this.kept(chunks, headers, companyId, claim), headers);
    } catch (thrown) {
      throw await this.failed(companyId, claim, thrown);
    } finally {
      clearInterval(holding);
    }
  }

  private hold(companyId: number, claim: IdempotencyClaim): NodeJS.Timeout {
    return setInterval(() => {
      // A hold that could not be prolonged expires like that of a crashed process; the effect itself stays unique.
      this.store.prolong(companyId, claim, HOLD_MS).catch(() => undefined);
    }, PROLONG_MS);
  }

  /** Stores how a call failed; returns the error that was thrown. */
  private async failed(companyId: number, claim: IdempotencyClaim, thrown: unknown): Promise<unknown> {
    const error = toApiError(thrown);
    const { status, extras } = error;
    const workContinues = WORK_CONTINUES.includes(status) && !extras.afterEffect;
    const kept = workContinues ? null : keptError(error);
    await this.store.finish(companyId, claim, status, kept, extras.afterEffect === true);
    return thrown;
  }

  /**
   * Forwards chunks and stores them; the last one is sent when all are stored, so that its receiver can repeat at
   * once.
   */
  private async *kept(
    chunks: AsyncIterable<Chunk>,
    headers: Record<string, string>,
    companyId: number,
    claim: IdempotencyClaim,
  ): AsyncGenerator<string> {
    const holding = this.hold(companyId, claim);
    const all: string[] = [];
    let size = 0;
    let held: string | undefined;
    try {
      for await (const chunk of chunks) {
        if (typeof chunk !== 'string') throw new Error('a reply in bytes cannot be kept for a repeat');
        if (held !== undefined) yield held;
        held = chunk;
        if ((size += chunk.length) <= MAX_KEPT_CHARS) all.push(chunk);
      }
      const isKept = size <= MAX_KEPT_CHARS;
      const kept = isKept ? JSON.stringify({ headers, body: all.join('') }) : keptError(tooLong());
      await this.store.finish(companyId, claim, isKept ? 200 : tooLong().status, kept, true);
      if (held !== undefined) yield held;
    } finally {
      clearInterval(holding);
    }
  }
}

async function* single(text: string): AsyncGenerator<string> {
  yield text;
}

/** Error for a repeat whose chunks were not stored; running the handler again would pay for the work again. */
const tooLong = (): ApiError =>
  new ApiError('conflict', 'the reply of this idempotency key was too long to be kept for a repeat');
const keptError = ({ kind, message, extras }: ApiError): string => JSON.stringify({ kind, message, extras });

const mismatch = (): ApiError =>
  new ApiError('refused', 'the idempotency key was used with another body', { code: 'idempotency_conflict' });
const running = (): ApiError =>
  new ApiError('in_progress', 'a call with this idempotency key is still in progress', { retryAfter: 1 });

function shownOnceOf({ output }: Endpoint): string[] {
  if ('kind' in output) return [];
  return [...fieldsOf(output).values()].filter((field) => field.shownOnce).map((field) => field.name);
}

function withoutShownOnce(endpoint: Endpoint, text: string): string {
  const once = shownOnceOf(endpoint);
  if (once.length === 0) return text;
  const value = JSON.parse(text) as Record<string, unknown>;
  for (const name of once) value[name] = null;
  return JSON.stringify(value);
}

function replay(status: number, kept: string): Answer {
  const stored = JSON.parse(kept) as { headers: Record<string, string>; body: string } & {
    kind: never;
    message: string;
    extras: ErrorExtras;
  };
  const replayed = { 'Idempotent-Replayed': 'true' };
  if (status === 200) return { text: stored.body, headers: { ...stored.headers, ...replayed } };
  throw new ApiError(stored.kind, stored.message, {
    ...stored.extras,
    headers: { ...stored.extras.headers, ...replayed },
  });
}
