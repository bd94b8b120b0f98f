import { ApiError, ConnectionError } from '@signalbox/sdk';
import { FAILED, USAGE } from './exit-codes.js';
import { printable } from './tables.js';
import { UsageError } from './usage-error.js';

const BY_STATUS: Record<number, number> = { 401: 3, 403: 3, 404: 4, 409: 5, 422: 5, 429: 6, 503: 6, 504: 6 };

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return USAGE;
  if (error instanceof ApiError) return BY_STATUS[error.status] ?? FAILED;
  return error instanceof ConnectionError ? 6 : FAILED;
}

export const describeFailure = (error: unknown): string => printable(textOf(error));

function textOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) return message;
  const details = error.details.filter(({ field, message: detail }) => !message.includes(`${field} ${detail}`));
  const lines = details.map(({ field, message: detail }) => `  ${field} ${detail}`);
  return [`${message} (${error.status}, request ${error.requestId ?? 'unknown'})`, ...lines].join('\n');
}
