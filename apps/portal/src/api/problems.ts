import { ApiError } from '@signalbox/sdk';

export function problemOf(error: unknown): string {
  // Errors of pages are sentences; a lost connection is a TypeError or an error of the client.
  if (error instanceof Error && error.name === 'Error') return error.message;
  // Only what was entered is parsed here: the client has its own error for a reply that is not JSON.
  if (error instanceof SyntaxError) return `What was entered is not JSON: ${error.message}.`;
  if (!(error instanceof ApiError)) return 'The platform cannot be reached. Try again in a moment.';
  if (error.status === 403) return `Your key may not do this: ${error.message}. Sign in with another key.`;
  if (error.status === 503) return `${error.message}. Try again in a moment.`;
  const details = error.details.slice(1).map(({ field, message }) => `${field} ${message}`);
  return [error.message, ...details].join('; ');
}
