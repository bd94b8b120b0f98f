/** How long the former secret also signs after a rotation. */
export const ROTATION_MS = 86_400_000;
/** Deliveries that fail for good in a row before the webhook is disabled. */
export const MAX_FAILED_IN_ROW = 50;
/** Of a company: an event is compared with all of them, and delivered to each. */
export const MAX_WEBHOOKS = 100;
/** Waiting deliveries before the webhook is disabled. */
export const MAX_PENDING = 10_000;

export interface WebhookChange {
  url?: string;
  events?: string[];
  description?: string | null;
  enabled?: boolean;
}

/** Enabling resets the count of failures. */
export function updateWebhook({ url, events, description, enabled }: WebhookChange) {
  const set = {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: [...new Set(events)] }),
    ...(description === undefined ? {} : { description }),
    ...(enabled === undefined ? {} : { enabled, disabled_reason: null, failed_in_row: 0 }),
  };
  return Object.keys(set).length > 0 ? { set } : {};
}

export const disabledAfter = (failedInRow: number): string | null =>
  failedInRow >= MAX_FAILED_IN_ROW ? `the last ${MAX_FAILED_IN_ROW} deliveries failed` : null;

export const TOO_MANY_WAIT = `more than ${MAX_PENDING} deliveries were waiting`;
