/** Base class of all errors of this client. */
export class SignalboxError extends Error {
  override name = 'SignalboxError';
}

/** No reply arrived: the connection failed or ended too early. */
export class ConnectionError extends SignalboxError {
  override name = 'ConnectionError';
}

/** No reply arrived within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** `field` is in dot form. */
export interface ErrorDetail {
  field: string;
  message: string;
}

/** The fields of an error reply; `type` and `code` come with chat completions only. */
export interface ErrorBody {
  status?: number;
  message?: string;
  details?: ErrorDetail[];
  type?: string;
  code?: string;
}

/** An error reply of the platform. */
export class ApiError extends SignalboxError {
  override name = 'ApiError';
  readonly details: readonly ErrorDetail[];
  readonly type: string | undefined;
  readonly code: string | undefined;
  /** The id under which the platform logged the call. */
  readonly requestId: string | null;

  constructor(
    readonly status: number,
    body: ErrorBody,
    readonly headers: Headers,
  ) {
    super(body.message ?? `the platform returned status ${status}`);
    this.details = body.details ?? [];
    this.type = body.type;
    this.code = body.code;
    this.requestId = headers.get('x-request-id');
  }
}

/** 400: the input is not valid; `details` names the fields. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError';
}
/** 401: the key is missing, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}
/** 403: the key lacks the scope. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}
/** 404: there is no such resource in this company. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
/** 409: the state of the resource does not allow the call. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
/** 422: the input is well-formed and refused. */
export class RefusedError extends ApiError {
  override name = 'RefusedError';
}
/** 429: a rate or concurrency limit. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}
/** 500 and above: the platform or what it depends on failed. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

const BY_STATUS: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: RefusedError,
  429: RateLimitError,
};

function bodyOf(text: string): ErrorBody {
  try {
    return (JSON.parse(text) as { error?: ErrorBody }).error ?? {};
  } catch {
    return {};
  }
}

/** For a reply whose status is not 2xx. */
export function apiError(status: number, text: string, headers: Headers): ApiError {
  const kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new kind(status, bodyOf(text), headers);
}
