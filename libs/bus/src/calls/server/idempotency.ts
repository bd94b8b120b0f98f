import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
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
import { CallLost } from '../../resume/call-lost.js';
import type { Answer } from './answer.js';
import { KeptChunks } from './kept-chunks.js';

/** The caller's deadline passed, or the database was down when the reply was due: a repeat waits for the same work. */
const WORK_CONTINUES: readonly number[] = [503, 504];

/** Expiry of a claim that is not extended, and so the longest wait of a repeat after a crash. */
const HOLD_MS = 10_000;
const PROLONG_MS = 3000;
/** Before a reply is stored again; together shorter than what is left of a hold. */
const STORE_PAUSES_MS = [250, 750, 1500, 3000];

/** Gives a repeated POST with the same key a single effect (docs/api/idempotency.md). */
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
        // Work of slow calls outlives the call; any other call had its whole effect in one transaction.
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

  /** The reply was lost after the effect was committed. */
  private async settle(claim: IdempotencyClaim, companyId: number, text: string): Promise<Answer> {
    const kept = JSON.stringify({ headers: {}, body: text });
    await this.finish(companyId, claim, 200, kept);
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
      await this.finish(companyId, claim, 200, kept);
      return answer;
    } catch (thrown) {
      throw await this.failed(companyId, claim, thrown);
    } finally {
      clearInterval(holding);
    }
  }

  /** A repeat gets the same chunks from the start, or the error that ended them. */
  async aroundChunks(call: Call<object>, handle: (call: Call<object>) => Promise<Chunks>): Promise<Chunks> {
    const { companyId, idempotency: requested } = call.caller;
    if (!requested) return handle(call);
    const claim: IdempotencyClaim = { ...requested, holder: randomUUID() };
    const found = await this.store.begin(companyId, claim, HOLD_MS);
    if (found.state === 'mismatch') throw mismatch();
    if (found.state === 'running') throw running();
    if (found.state === 'replay') {
      const { text, headers } = replay(found.status, found.body);
      return new Chunks(single(text), headers);
    }
    const held = found.state === 'resume' ? { ...claim, earlier: found.earlier } : claim;
    const holding = this.hold(companyId, claim);
    try {
      const { chunks, headers } = await handle({ ...call, caller: { ...call.caller, idempotency: held } });
      return new Chunks(this.kept(chunks, headers, { companyId, claim, holding }), headers);
    } catch (thrown) {
      clearInterval(holding);
      throw await this.failed(companyId, claim, thrown);
    }
  }

  private kept(
    chunks: AsyncIterable<Chunk>,
    headers: Record<string, string>,
    { companyId, claim, holding }: { companyId: number; claim: IdempotencyClaim; holding: NodeJS.Timeout },
  ): KeptChunks {
    return new KeptChunks(chunks, {
      complete: (text) => {
        const [status, kept] =
          text === null ? [tooLong().status, keptError(tooLong())] : [200, JSON.stringify({ headers, body: text })];
        return this.finish(companyId, claim, status, kept, true);
      },
      failed: async (thrown) => {
        // Another process continues the call; every other failure of a reply that has begun is final.
        if (thrown instanceof CallLost) return void (await this.failed(companyId, claim, thrown));
        const error = toApiError(thrown);
        const extras: ErrorExtras = { ...error.extras, headers, afterEffect: true };
        await this.finish(companyId, claim, error.status, keptError(error, extras), true);
      },
      over: () => clearInterval(holding),
    });
  }

  private hold(companyId: number, claim: IdempotencyClaim): NodeJS.Timeout {
    return setInterval(() => {
      // When extending fails the claim expires as after a crash; the effect stays unique.
      this.store.prolong(companyId, claim, HOLD_MS).catch(() => undefined);
    }, PROLONG_MS);
  }

  private async failed(companyId: number, claim: IdempotencyClaim, thrown: unknown): Promise<unknown> {
    const error = toApiError(thrown);
    const { status, extras } = error;
    const workContinues = WORK_CONTINUES.includes(status) && !extras.afterEffect;
    const kept = workContinues ? null : keptError(error);
    await this.finish(companyId, claim, status, kept, extras.afterEffect === true);
    return thrown;
  }

  /**
   * A reply that cannot be stored now is given all the same, and stored a little later: a caller that got an error
   * instead would repeat the call, and pay for it again.
   */
  private async finish(
    companyId: number,
    claim: IdempotencyClaim,
    status: number,
    kept: string | null,
    effect = false,
  ): Promise<void> {
    const store = (): Promise<void> => this.store.finish(companyId, claim, status, kept, effect);
    await store().catch(() => void storedLater(store));
  }
}

/** When this fails too, the claim expires as after a crash. */
async function storedLater(store: () => Promise<void>): Promise<void> {
  for (const pauseMs of STORE_PAUSES_MS) {
    await delay(pauseMs, undefined, { ref: false });
    const isStored = await store().then(
      () => true,
      () => false,
    );
    if (isStored) return;
  }
}

async function* single(text: string): AsyncGenerator<string> {
  yield text;
}

/** Running the handler again would pay for the work again. */
const tooLong = (): ApiError =>
  new ApiError('conflict', 'the reply of this idempotency key was too long to be kept for a repeat');
const keptError = ({ kind, message, extras }: ApiError, all = extras): string =>
  JSON.stringify({ kind, message, extras: all });

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
