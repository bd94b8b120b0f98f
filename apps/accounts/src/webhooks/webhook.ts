/** How long the former secret signs too after a rotation. */
export const ROTATION_MS = 86_400_000;
/** Deliveries in a row that fail for good before a webhook is disabled. */
export const MAX_FAILED_IN_ROW = 50;
/** Deliveries of a webhook that may wait; a webhook with more is disabled. */
export const MAX_PENDING = 10_000;

/** The input of an update. */
export interface WebhookChange {
  url?: string;
  events?: string[];
  description?: string | null;
  enabled?: boolean;
}

/** The columns that an update sets; enabling forgets the failures so far. */
export function updateWebhook({ url, events, description, enabled }: WebhookChange) {
  const set = {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: [...new Set(events)] }),
    ...(description === undefined ? {} : { description }),
    ...(enabled === undefined ? {} : { enabled, disabled_reason: null, failed_in_row: 0 }),
  };
  return Object.keys(set).length > 0 ? { set } : {};
}

/** Why a webhook is disabled after its deliveries have failed, null while it stays enabled. */
export const disabledAfter = (failedInRow: number): string | null =>
  failedInRow >= MAX_FAILED_IN_ROW ? `the last ${MAX_FAILED_IN_ROW} deliveries failed` : null;

/** The reason of a webhook whose target accepts less than happens. */
export const TOO_MANY_WAIT = `more than ${MAX_PENDING} deliveries were waiting`;
