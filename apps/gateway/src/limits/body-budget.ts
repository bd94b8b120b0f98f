import { ApiError } from '@signalbox/contracts';

export interface BodyBudgetLimits {
  total: number;
  perAddress: number;
}

export class BodyBudget {
  private held = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(private readonly limits: BodyBudgetLimits) {}

  /** Throws 503 when the bytes exceed a limit, and counts nothing then. */
  take(address: string, bytes: number): void {
    const own = (this.byAddress.get(address) ?? 0) + bytes;
    if (own > this.limits.perAddress || this.held + bytes > this.limits.total)
      throw new ApiError('unavailable', 'too many request bodies are being received', { retryAfter: 1 });
    this.held += bytes;
    this.byAddress.set(address, own);
  }

  release(address: string, bytes: number): void {
    this.held -= bytes;
    const own = (this.byAddress.get(address) ?? 0) - bytes;
    if (own > 0) this.byAddress.set(address, own);
    else this.byAddress.delete(address);
  }

  get bytes(): number {
    return this.held;
  }
}
