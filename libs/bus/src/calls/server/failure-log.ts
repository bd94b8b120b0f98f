import type { ApiError } from '@signalbox/contracts';
import type { Logger } from '@signalbox/platform';

/**
 * Logs why a call failed when its reply does not say so: a defect of the handler, or a dependency that is down. Refusals
 * of the caller's input are not logged.
 */
export function logFailure(log: Logger, error: ApiError, thrown: unknown, subject: string): void {
  if (error.kind === 'internal') log.error({ error: thrown, subject }, 'call failed');
  else if (error.cause !== undefined) log.warn({ error, subject }, 'call failed');
}
