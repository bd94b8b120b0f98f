import { ApiError, StatementTimeout } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { BACKOFF_MS } from '../backoff.js';

/** The job is tried again later; the attempt does not count. */
export class TryLater extends Error {
  constructor(readonly delayMs: number) {
    super('try later');
  }
}

export interface WorkKind {
  kind: string;
  /** Per process. */
  concurrency: number;
  /** Per process; default three quarters of `concurrency`. */
  perCompany?: number | undefined;
  /** Lease without a heartbeat; default `WORK_LEASE_SECONDS`. */
  leaseMs?: number;
  /** Poll for rows that no message announced; default 1 s. */
  pollMs?: number;
  /** Before the second and later attempts; default 1, 5, 15 and 30 s. */
  backoffMs?: readonly number[];
  /** Repeated every five to ten minutes from the fifth failure on: for work that nobody would ask for again. */
  unlimitedAttempts?: boolean;
  /**
   * May run again after a crash, so every write carries the fence of the job. `signal` aborts when another worker has
   * the job or it has to end at once; after `stopping` it may throw `TryLater` between two steps, and another process
   * continues it.
   */
  run: (job: Job, signal: AbortSignal, stopping: AbortSignal) => Promise<void>;
  /** Called instead of a sixth attempt, unless attempts are unlimited. */
  exhausted: (job: Job, cause: unknown) => Promise<void>;
}

/** Attempts that fail by the job's own error. */
export const MAX_ATTEMPTS = 5;

const OUTAGE_MS = 1000;
/** A statement that timed out would take as long again at once: other load is to end first. */
const SLOW_STATEMENT_MS = [15_000, 30_000, 60_000, 120_000];
const UNLIMITED_ATTEMPTS_MS = 300_000;

export function backoffOf(
  { backoffMs = BACKOFF_MS, unlimitedAttempts }: WorkKind,
  attempt: number,
  error: unknown,
): number {
  const isSlow = error instanceof StatementTimeout;
  const pauses = isSlow ? SLOW_STATEMENT_MS : backoffMs;
  if (unlimitedAttempts && attempt > pauses.length) return UNLIMITED_ATTEMPTS_MS * (1 + Math.random());
  return (pauses[attempt - 1] ?? 30_000) * (isSlow ? 1 + Math.random() : 1);
}

export const outagePause = (): number => OUTAGE_MS * (1 + Math.random());

/** A dependency was down: not a failure of the work itself. */
export const isOutage = (error: unknown): boolean => error instanceof ApiError && error.kind === 'unavailable';

export const companyShare = ({ concurrency, perCompany }: WorkKind): number =>
  Math.max(1, Math.min(concurrency, perCompany ?? Math.ceil(concurrency * 0.75)));

/** Without the process that alone may claim the job: such names would grow the metrics without bound. */
export const sharedKind = ({ kind }: Pick<Job, 'kind'>): string => kind.split(/[:@]/, 1)[0] ?? kind;
