import type { DeliveryStatus } from '@signalbox/contracts';

/** The event that `…/test` sends; nothing subscribes to it. */
export const TEST_EVENT = 'webhook.test';
/** Days for which a finished delivery is kept. */
export const KEPT_DAYS = 30;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The pauses after the first and later failed attempts. */
export const RETRY_DELAYS_MS: readonly number[] = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];

/** The outcome of one attempt. */
export interface Attempt {
  /** Null when no response arrived. */
  statusCode: number | null;
  error: string | null;
  excerpt: string;
  durationMs: number;
}

/** The state of a delivery after an attempt. */
export interface AfterAttempt {
  status: DeliveryStatus;
  /** Pause before the next attempt, null without one. */
  delayMs: number | null;
}

/** True when the target has accepted the event. */
export const isAccepted = (statusCode: number | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode <= 299;

/** The state after an attempt, given how many there were with it. */
export function afterAttempt(attempts: number, { statusCode }: Attempt): AfterAttempt {
  if (isAccepted(statusCode)) return { status: 'SUCCEEDED', delayMs: null };
  const delayMs = RETRY_DELAYS_MS[attempts - 1] ?? null;
  return { status: delayMs === null ? 'FAILED' : 'PENDING', delayMs };
}

/** Why a delivery is not sent at all, null when it is; a test is sent to a disabled webhook too. */
export function skipReason(event: string, webhook: { enabled: boolean; deleted_at: number | null }): string | null {
  if (webhook.deleted_at !== null) return 'the webhook was deleted';
  return webhook.enabled || event === TEST_EVENT ? null : 'the webhook is disabled';
}
