import { ApiError, type Caller } from '@signalbox/contracts';
import type { Readable } from 'node:stream';
import type { RequestContext } from '../request/index.js';
import { type BodyBounds, BodyTooSlow, notComplete } from './body-reader.js';

type Uploading = Pick<RequestContext, 'key' | 'request'>;

/** Uploads have their own slots: bodies of other calls arrive within seconds. */
export class UploadSlots {
  constructor(private readonly bounds: BodyBounds) {}

  /** Throws 503 when too many files are being received. */
  async hold<T>(context: Uploading, bytes: number, work: () => Promise<T>): Promise<T> {
    const { budget, uploads, addressOf } = this.bounds;
    const address = addressOf(context.request.raw);
    const leaveCompany = await uploads.companies.slot(String(uploaderOf(context).companyId), tooManyFiles);
    try {
      const leaveAddress = await uploads.addresses.slot(address, tooManyFiles);
      try {
        // The client left while it waited; no event will say so.
        if (context.request.raw.destroyed) throw notComplete();
        budget.take(address, bytes);
        return await work().finally(() => budget.release(address, bytes));
      } finally {
        leaveAddress();
      }
    } finally {
      leaveCompany();
    }
  }
}

const tooManyFiles = (): ApiError =>
  new ApiError('unavailable', 'too many files are being received', { retryAfter: 1 });

const CALL_MS = 30_000;

export const uploaderOf = ({ key, request }: Uploading): Caller => ({
  companyId: key?.companyId ?? 0,
  keyId: key?.keyId ?? null,
  scopes: (key?.scopes ?? []) as Caller['scopes'],
  requestId: request.id,
  deadline: Date.now() + CALL_MS,
});

export class UploadedBody {
  [field: string]: unknown;

  constructor(
    readonly upload: { sha256: string },
    fields: Record<string, unknown> = {},
  ) {
    Object.assign(this, fields);
  }
}

export interface ArrivalLimits {
  /** Allowed before the first bytes, and in total for pauses. */
  graceMs: number;
  bytesPerSecond: number;
}

const ARRIVAL: ArrivalLimits = { graceMs: 30_000, bytesPerSecond: 262_144 };

/**
 * The bytes of a file; throws 400 when they end early or arrive more slowly than the limits allow. Time spent by the
 * consumer is not counted.
 */
export async function* bytesOf(content: Readable, { graceMs, bytesPerSecond } = ARRIVAL): AsyncGenerator<Buffer> {
  // Leaving the loop must not destroy the request: its connection carries the response.
  const chunks = content.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  let bytes = 0;
  let waitedMs = 0;
  for (;;) {
    const since = Date.now();
    const next = await inTime(chunks.next(), graceMs + (bytes / bytesPerSecond) * 1000 - waitedMs);
    waitedMs += Date.now() - since;
    if (next.done) return;
    bytes += next.value.length;
    yield next.value;
  }
}

function inTime<T>(chunk: Promise<T>, leftMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new BodyTooSlow()), leftMs);
    chunk
      .then(resolve, (error: unknown) => reject(error instanceof ApiError ? error : notComplete()))
      .finally(() => clearTimeout(timer));
  });
}
