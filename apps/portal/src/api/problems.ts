import { ApiError } from '@signalbox/sdk';

/** An error as a sentence that says what to do. */
export function problemOf(error: unknown): string {
  // What a page throws itself is a sentence; a lost connection is a TypeError or one of the client.
  if (error instanceof Error && error.name === 'Error') return error.message;
  if (!(error instanceof ApiError)) return 'The platform cannot be reached. Try again in a moment.';
  if (error.status === 403) return `Your key may not do this: ${error.message}. Sign in with another key.`;
  if (error.status === 503) return `${error.message}. Try again in a moment.`;
  const details = error.details.slice(1).map(({ field, message }) => `${field} ${message}`);
  return [error.message, ...details].join('; ');
}
