import type { DeliveryStatus } from '@signalbox/contracts';

/** Sent by `…/test`; nothing subscribes to it. */
export const TEST_EVENT = 'webhook.test';
export const KEPT_DAYS = 30;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** After the first and each later failed attempt. */
export const RETRY_DELAYS_MS: readonly number[] = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];

export interface Attempt {
  /** Null without a response. */
  statusCode: number | null;
  error: string | null;
  excerpt: string;
  durationMs: number;
}

export interface AfterAttempt {
  status: DeliveryStatus;
  /** Null when there is no further attempt. */
  delayMs: number | null;
}

export const isAccepted = (statusCode: number | null): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode <= 299;

/** `attempts` includes this one. */
export function afterAttempt(attempts: number, { statusCode }: Attempt): AfterAttempt {
  if (isAccepted(statusCode)) return { status: 'SUCCEEDED', delayMs: null };
  const delayMs = RETRY_DELAYS_MS[attempts - 1] ?? null;
  return { status: delayMs === null ? 'FAILED' : 'PENDING', delayMs };
}

/** Why a delivery is not sent, null when it is; tests go to disabled webhooks too. */
export function skipReason(event: string, webhook: { enabled: boolean; deleted_at: number | null }): string | null {
  if (webhook.deleted_at !== null) return 'the webhook was deleted';
  return webhook.enabled || event === TEST_EVENT ? null : 'the webhook is disabled';
}
