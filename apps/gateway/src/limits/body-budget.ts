import { ApiError } from '@signalbox/contracts';

/** How many bytes of bodies may be in memory at once. */
export interface BodyBudgetLimits {
  total: number;
  perAddress: number;
}

/** Counts the bytes of bodies held in memory, of the process and of each client address. */
export class BodyBudget {
  private held = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(private readonly limits: BodyBudgetLimits) {}

  /** Counts bytes that were received; throws 503 when they exceed a limit, and counts nothing then. */
  take(address: string, bytes: number): void {
    const own = (this.byAddress.get(address) ?? 0) + bytes;
    if (own > this.limits.perAddress || this.held + bytes > this.limits.total)
      throw new ApiError('unavailable', 'too many request bodies are being received', { retryAfter: 1 });
    this.held += bytes;
    this.byAddress.set(address, own);
  }

  /** Releases bytes counted before. */
  release(address: string, bytes: number): void {
    this.held -= bytes;
    const own = (this.byAddress.get(address) ?? 0) - bytes;
    if (own > 0) this.byAddress.set(address, own);
    else this.byAddress.delete(address);
  }

  /** Bytes counted now. */
  get bytes(): number {
    return this.held;
  }
}
