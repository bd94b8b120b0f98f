import type { ApiError } from '@signalbox/contracts';
import type { Logger } from '@signalbox/platform';

interface FailedCall {
  subject: string;
  requestId?: string | undefined;
}

/**
 * Logs failures that the reply does not explain: a defect of the handler, or a dependency that is down. Refused input
 * is not logged.
 */
export function logFailure(log: Logger, error: ApiError, thrown: unknown, { subject, requestId }: FailedCall): void {
  const call = { subject, ...(requestId === undefined ? {} : { request_id: requestId }) };
  if (error.kind === 'internal') log.error({ error: thrown, ...call }, 'call failed');
  else if (error.cause !== undefined) log.warn({ error, ...call }, 'call failed');
}
