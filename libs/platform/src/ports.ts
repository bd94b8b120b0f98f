import { type IdempotencyClaim } from '@signalbox/contracts';

export type IdempotencyState =
  | { state: 'first' }
  | { state: 'replay'; status: number; body: string }
  | { state: 'running' }
  | { state: 'mismatch' }
  /** The first call had its effect but no final reply: wait for the work it started. */
  | { state: 'resume'; earlier: unknown };

export interface IdempotencyStore {
  /** By the clock of the database. */
  begin(companyId: number, claim: IdempotencyClaim, holdMs: number): Promise<IdempotencyState>;
  /** The call still runs; without effect when another claim holds the key. */
  prolong(companyId: number, claim: IdempotencyClaim, holdMs: number): Promise<void>;
  /**
   * `body` is null when the call had no effect and the key stays free. `effect` is true when the call had one that left
   * no mark in its transaction.
   */
  finish(
    companyId: number,
    claim: IdempotencyClaim,
    status: number,
    body: string | null,
    effect?: boolean,
  ): Promise<void>;
}

export const IDEMPOTENCY = Symbol('idempotency');
export const LOGGER = Symbol('logger');
export const PROBE = Symbol('probe');
export const OBJECT_PROBE = Symbol('object probe');
export type Probe = () => Promise<void>;
export const FLUSH_PENDING = Symbol('flush pending');
/**
 * Resolves when everything accepted of these companies so far can be read, or after a moment; null when nothing of
 * theirs is pending. Does not wait for other companies.
 */
export type FlushPending = (companies: readonly number[]) => Promise<void> | null;
export const FLUSH_ALL = Symbol('flush others');
/**
 * Resolves when all processes of the service have stored what they have accepted, or after some seconds; null when
 * nothing can be pending.
 */
export type FlushAll = () => Promise<unknown> | null;
