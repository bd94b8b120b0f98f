import { ApiError } from '@signalbox/contracts';
import { ByteShares, requireNoTransaction } from '@signalbox/platform';

/** The part of the connections that one company may use at once. */
const SHARE = 0.75;

/**
 * Fair turns of companies at the pool, which serves in order of arrival: without them many or blocked statements of one
 * company would hold up those of all others.
 */
export class ConnectionTurns {
  private readonly shares: ByteShares;

  constructor(
    connections: number,
    private readonly waitMs: () => number,
  ) {
    const perCompany = Math.max(1, Math.ceil(connections * SHARE));
    this.shares = new ByteShares({ total: connections, perCompany, perHolder: 1 });
  }

  /** How many calls have no turn yet, and are not among those that wait at the pool. */
  get waiting(): number {
    return this.shares.waiting;
  }

  /** Runs work that uses one connection; 503 when its company has no turn in time. */
  async run<T>(companyId: number, work: () => Promise<T>): Promise<T> {
    requireNoTransaction('a second connection');
    const done = this.shares.takeFree(companyId, work, 1) ?? (await this.turn(companyId));
    try {
      return await work();
    } finally {
      done();
    }
  }

  private turn(companyId: number): Promise<() => void> {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(inUse()), this.waitMs());
    return this.shares.take(companyId, waiting, 1, waiting.signal).finally(() => clearTimeout(timer));
  }
}

const inUse = (): ApiError =>
  new ApiError('unavailable', 'all connections to the database that a company may use are in use', { retryAfter: 1 });
