import { type IdempotencyClaim } from '@signalbox/contracts';

/** The state of a call by its idempotency record. */
export type IdempotencyState =
  | { state: 'first' }
  | { state: 'replay'; status: number; body: string }
  | { state: 'running' }
  | { state: 'mismatch' }
  /** The first call had its effect but its final reply was never sent: wait for the work it started. */
  | { state: 'resume'; earlier: unknown };

/** The idempotency records of a schema (docs/api/idempotency.md). */
export interface IdempotencyStore {
  /** Claims a key for a time by the clock of the database, or returns the state that an earlier call has left. */
  begin(companyId: number, claim: IdempotencyClaim, holdMs: number): Promise<IdempotencyState>;
  /** Prolongs the hold to that time from now, if this claim still holds the key: the call still runs. */
  prolong(companyId: number, claim: IdempotencyClaim, holdMs: number): Promise<void>;
  /**
   * Stores the final reply; `body` is null when the call had no effect and the key stays free. `effect` is true when
   * the call had one that left no mark in its transaction.
   */
  finish(
    companyId: number,
    claim: IdempotencyClaim,
    status: number,
    body: string | null,
    effect?: boolean,
  ): Promise<void>;
}

/** Nest token of the idempotency records. */
export const IDEMPOTENCY = Symbol('idempotency');
/** Nest token of the logger of the process. */
export const LOGGER = Symbol('logger');
/** Nest token of a probe that reads from the database of the service. */
export const PROBE = Symbol('probe');
/** Nest token of a probe that writes to and reads from the object store of the service. */
export const OBJECT_PROBE = Symbol('object probe');
/** Resolves when the dependency replies. */
export type Probe = () => Promise<void>;
/** Nest token of the function that waits for accepted calls that are not stored yet. */
export const FLUSH_PENDING = Symbol('flush pending');
/**
 * Resolves when everything that was accepted of some companies so far can be read, or after a moment; null when nothing of
 * theirs is pending. What others have pending is not waited for.
 */
export type FlushPending = (companies: readonly number[]) => Promise<void> | null;
/** Nest token of the function that makes all processes of a service store what they have accepted. */
export const FLUSH_ALL = Symbol('flush others');
/** Resolves when all have stored what they have accepted, or after some seconds; null when nothing can be pending. */
export type FlushAll = () => Promise<unknown> | null;
