import { ApiError, type ErrorCode, type ErrorKind, type FailureClass } from '@signalbox/contracts';
import { EgressDenied, EgressFailed, EgressTimeout } from '@signalbox/egress';

export interface McpFailure {
  failure_class: FailureClass;
  error_code: ErrorCode | null;
  message: string;
}

/** The server answered with something invalid. */
export class McpFailedError extends Error {
  constructor(
    readonly failure_class: FailureClass,
    message: string,
  ) {
    super(message);
  }
}

/** The server would repeat these. */
const OF_ANSWER: readonly EgressFailed['reason'][] = ['too_large', 'encoding', 'headers_too_large'];
const CODES: Partial<Record<FailureClass, ErrorCode>> = { provider: 'provider_error', timeout: 'timeout' };

function classOf(error: unknown): FailureClass | null {
  if (error instanceof McpFailedError) return error.failure_class;
  if (error instanceof EgressDenied) return 'sandbox';
  if (error instanceof EgressTimeout) return 'timeout';
  if (error instanceof EgressFailed) return OF_ANSWER.includes(error.reason) ? 'adapter' : 'provider';
  return null;
}

export function failureOf(error: unknown): McpFailure | null {
  const failure_class = classOf(error);
  if (failure_class === null) return null;
  const error_code = error instanceof EgressDenied ? 'egress_denied' : (CODES[failure_class] ?? null);
  return { failure_class, error_code, message: (error as Error).message.slice(0, 4000) };
}

const KINDS: Partial<Record<FailureClass, ErrorKind>> = { sandbox: 'refused', timeout: 'timeout' };

export const refusalOf = ({ failure_class, error_code, message }: McpFailure): ApiError =>
  new ApiError(KINDS[failure_class] ?? 'bad_upstream', message, {
    failureClass: failure_class,
    details: [{ field: 'failure_class', message: failure_class }],
    ...(error_code ? { code: error_code } : {}),
  });
