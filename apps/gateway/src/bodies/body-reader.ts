import { ApiError } from '@signalbox/contracts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyBudget, ConcurrencyQueue } from '../limits/index.js';

/** Bodies up to this size are read without a slot for large ones. */
export const SMALL_BYTES = 1_048_576;
const ARRIVAL_MS = 30_000;
/** Larger bodies count as held until their call has its reply: the values parsed from them live as long. */
const UNCOUNTED_BYTES = 65_536;

type Received = (error: Error | null, body?: Buffer) => void;

export interface Incoming {
  raw: IncomingMessage;
  response: ServerResponse;
  /** Null while the body itself brings the key. */
  companyId: number | null;
}

export interface SharedSlots {
  companies: ConcurrencyQueue;
  addresses: ConcurrencyQueue;
}

export interface BodyBounds {
  budget: BodyBudget;
  /** Slots for bodies of more than 1 MiB. */
  large: SharedSlots;
  uploads: SharedSlots;
  addressOf: (request: IncomingMessage) => string;
}

export class BodyReader {
  constructor(private readonly bounds: BodyBounds) {}

  /**
   * Rejects with 413 or 503 as soon as the body exceeds its limit or those of the process. Reading pauses while a large
   * body waits for its slot, so that a waiting body holds no more than 1 MiB.
   */
  read(incoming: Incoming, limit: number): Promise<Buffer> {
    if (Number(incoming.raw.headers['content-length']) > limit) return Promise.reject(tooLarge());
    return new Promise((resolve, reject) =>
      new Reading(incoming, this.bounds, limit, (error, body) =>
        body ? resolve(body) : reject(error as Error),
      ).begin(),
    );
  }
}

class Reading {
  private readonly raw: IncomingMessage;
  private readonly address: string;
  private chunks: Buffer[] = [];
  private bytes = 0;
  private readonly slots: (() => void)[] = [];
  private stopWaiting: (() => void) | undefined;
  private arrival: NodeJS.Timeout | undefined;

  constructor(
    private readonly incoming: Incoming,
    private readonly bounds: BodyBounds,
    private readonly limit: number,
    private readonly done: Received,
  ) {
    this.raw = incoming.raw;
    this.address = bounds.addressOf(this.raw);
  }

  begin(): void {
    // The client left before; no event will say so.
    if (this.raw.destroyed) return this.close();
    this.arrival = setTimeout(() => this.fail(new BodyTooSlow()), ARRIVAL_MS);
    // `finish` removes them all; `once` would allocate a wrapper for each.
    this.raw.on('data', this.receive).on('end', this.end).on('error', this.fail).on('close', this.close);
  }

  private readonly receive = (chunk: Buffer): void => {
    if (this.bytes + chunk.length > this.limit) return this.fail(tooLarge());
    try {
      this.bounds.budget.take(this.address, chunk.length);
    } catch (error) {
      return this.fail(error as Error);
    }
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    if (this.bytes > SMALL_BYTES && this.slots.length === 0 && !this.stopWaiting) this.waitForSlot();
  };

  private waitForSlot(): void {
    const { companies, addresses } = this.bounds.large;
    this.raw.pause();
    this.enter(companies, String(this.incoming.companyId ?? 0), () =>
      this.enter(addresses, this.address, () => this.raw.resume()),
    );
  }

  private enter(queue: ConcurrencyQueue, name: string, entered: () => void): void {
    let isAnswered = false;
    const stop = queue.enter(name, (leave) => {
      isAnswered = true;
      this.stopWaiting = undefined;
      if (!leave) return this.fail(tooManyBodies());
      this.slots.push(leave);
      entered();
    });
    if (!isAnswered) this.stopWaiting = stop;
  }

  private readonly end = (): void => {
    const body = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks, this.bytes);
    // A received body is parsed at once, so its slot is free for the next one.
    this.finish(this.bytes > UNCOUNTED_BYTES);
    this.done(null, body);
  };

  private readonly fail = (error: Error): void => {
    this.finish(false);
    // The rest may still fail to arrive; an error event without a listener would end the process.
    this.raw.on('error', () => undefined);
    this.done(error);
  };

  private readonly close = (): void => this.fail(notComplete());

  private finish(held: boolean): void {
    clearTimeout(this.arrival);
    this.raw.off('data', this.receive).off('end', this.end).off('error', this.fail).off('close', this.close);
    this.stopWaiting?.();
    for (const leave of this.slots) leave();
    this.chunks = [];
    const { address, bytes } = this;
    const release = (): void => this.bounds.budget.release(address, bytes);
    const { response } = this.incoming;
    if (held && !response.closed) response.once('close', release);
    else release();
  }
}

/** Its connection is closed with the response. */
export class BodyTooSlow extends ApiError {
  constructor() {
    super('invalid', 'the request did not arrive in time');
  }
}

export const notComplete = (): ApiError => new ApiError('invalid', 'the body is not complete');
const tooLarge = (): ApiError => new ApiError('too_large', 'the body is too large');
const tooManyBodies = (): ApiError =>
  new ApiError('unavailable', 'too many large request bodies are being received', { retryAfter: 1 });
