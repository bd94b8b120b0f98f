import { ApiError, StatementTimeout } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { BACKOFF_MS } from '../backoff.js';

/** Thrown by a handler to have the job tried again later without counting the attempt. */
export class TryLater extends Error {
  constructor(readonly delayMs: number) {
    super('try later');
  }
}

/** How one kind of long work is performed. */
export interface WorkKind {
  kind: string;
  /** Jobs of this kind at once in this process. */
  concurrency: number;
  /** Jobs of one company at once in this process; default three quarters of all. */
  perCompany?: number | undefined;
  /** How long a worker keeps a job without a heartbeat; default `WORK_LEASE_SECONDS`. */
  leaseMs?: number;
  /** How often rows are looked for that no message has announced; default 1 s. */
  pollMs?: number;
  /** Pauses before the second and later attempts; default 1, 5, 15 and 30 s. */
  backoffMs?: readonly number[];
  /** Tried until it succeeds, from the fifth failure on every five to ten minutes: for work that nobody would ask for again. */
  unlimitedAttempts?: boolean;
  /**
   * Performs the job; may run again after a crash, so every write carries the job's fence. `signal` aborts when the
   * job is lost to another worker or has to end at once; after `stopping` it may throw `TryLater` between two steps,
   * and another process continues it.
   */
  run: (job: Job, signal: AbortSignal, stopping: AbortSignal) => Promise<void>;
  /** Called instead of a sixth attempt, unless the kind has unlimited attempts. */
  exhausted: (job: Job, cause: unknown) => Promise<void>;
}

/** Attempts of a job that fail by its own error. */
export const MAX_ATTEMPTS = 5;

const OUTAGE_MS = 1000;
/** A statement that took too long would take as long again at once: other work on the database is to end first. */
const SLOW_STATEMENT_MS = [15_000, 30_000, 60_000, 120_000];
const UNLIMITED_ATTEMPTS_MS = 300_000;

/** The pause after a failed attempt. */
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

/** The pause after an attempt that met an outage. */
export const outagePause = (): number => OUTAGE_MS * (1 + Math.random());

/** A dependency of the work was away: no failure of the work itself. */
export const isOutage = (error: unknown): boolean => error instanceof ApiError && error.kind === 'unavailable';

/** The share of the slots that one company may use unless a setting says otherwise. */
export const companyShare = ({ concurrency, perCompany }: WorkKind): number =>
  Math.max(1, Math.min(concurrency, perCompany ?? Math.ceil(concurrency * 0.75)));

/** The kind without the process that alone may claim the job: such names would grow the metrics without end. */
export const sharedKind = ({ kind }: Pick<Job, 'kind'>): string => kind.split(/[:@]/, 1)[0] ?? kind;
