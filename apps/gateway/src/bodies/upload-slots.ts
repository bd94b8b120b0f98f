import { ApiError, type Caller } from '@signalbox/contracts';
import type { Readable } from 'node:stream';
import type { RequestContext } from '../request/index.js';
import { type BodyBounds, BodyTooSlow } from './body-reader.js';

/** The request of an upload, and its key. */
type Uploading = Pick<RequestContext, 'key' | 'request'>;

/** The slots and the memory of uploads. They are not those of large bodies, which arrive within seconds. */
export class UploadSlots {
  constructor(private readonly bounds: BodyBounds) {}

  /**
   * Works while the upload holds a slot of its company and of its address, and so many bytes; 503 when too many files
   * are being received.
   */
  async hold<T>(context: Uploading, bytes: number, work: () => Promise<T>): Promise<T> {
    const { budget, uploads, addressOf } = this.bounds;
    const address = addressOf(context.request.raw);
    const leaveCompany = await uploads.companies.slot(String(uploaderOf(context).companyId), tooManyFiles);
    try {
      const leaveAddress = await uploads.addresses.slot(address, tooManyFiles);
      try {
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

/** On whose behalf a part of an upload is stored. */
export const uploaderOf = ({ key, request }: Uploading): Caller => ({
  companyId: key?.companyId ?? 0,
  keyId: key?.keyId ?? null,
  scopes: (key?.scopes ?? []) as Caller['scopes'],
  requestId: request.id,
  deadline: Date.now() + CALL_MS,
});

/** The body of a call whose file was uploaded, with the other fields of its form. */
export class UploadedBody {
  [field: string]: unknown;

  constructor(
    readonly upload: { sha256: string },
    fields: Record<string, unknown> = {},
  ) {
    Object.assign(this, fields);
  }
}

/** How slowly a file may arrive. */
export interface ArrivalLimits {
  /** For the first bytes, and for pauses on the way. */
  graceMs: number;
  bytesPerSecond: number;
}

const ARRIVAL: ArrivalLimits = { graceMs: 30_000, bytesPerSecond: 262_144 };

/**
 * The bytes of a file; 400 when they end early, or when waiting for them takes longer than the limits allow. The time
 * that the reader takes is not counted.
 */
export async function* bytesOf(content: Readable, { graceMs, bytesPerSecond } = ARRIVAL): AsyncGenerator<Buffer> {
  // Leaving the loop must not destroy the request: its connection still carries the response.
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
      .then(resolve, (error: unknown) =>
        reject(error instanceof ApiError ? error : new ApiError('invalid', 'the body is not complete')),
      )
      .finally(() => clearTimeout(timer));
  });
}
