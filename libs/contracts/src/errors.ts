import type { FailureClass } from './failure-classes.js';

/** One problem with one field of a request, `field` in dot form (`messages[2].role`). */
export interface Detail {
  field: string;
  message: string;
}

/** Every error kind that the platform returns, with its HTTP status (docs/api/errors.md). */
export const ERRORS = {
  invalid: 400,
  missing_company: 401,
  missing_scope: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  in_progress: 409,
  too_large: 413,
  unsupported_media: 415,
  refused: 422,
  headers_too_large: 431,
  rate_limited: 429,
  internal: 500,
  bad_upstream: 502,
  unavailable: 503,
  timeout: 504,
} as const;

export type ErrorKind = keyof typeof ERRORS;

export interface ErrorExtras {
  details?: Detail[];
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number;
  /** Response headers, such as `Allow` or `X-Service-Task-Id`. */
  headers?: Record<string, string>;
  /** The machine-readable code of an OpenAI-shaped error body. */
  code?: string;
  /** Why the work that the call started failed; recorded, and not part of a reply. */
  failureClass?: FailureClass;
  /** What the failed work behind the call has used; counted by the caller, and not part of a reply. */
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number; cost: number | null };
  /** The call took effect before it failed: a repeat with the same idempotency key returns this error again. */
  afterEffect?: true;
}

/**
 * The only error that crosses the bus or the HTTP edge; anything else becomes `internal`. Only an internal one has a
 * stack: the others are replies, often to hostile input, and collecting a stack would be the most expensive part of a
 * refusal.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly kind: ErrorKind;
  readonly extras: ErrorExtras;

  constructor(kind: ErrorKind, message: string, extras: ErrorExtras = {}) {
    const limit = Error.stackTraceLimit;
    if (kind !== 'internal') Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
    this.kind = kind;
    this.extras = extras;
    this.status = ERRORS[kind];
  }
}

/** A statement was cancelled because it took longer than a statement may: 504. */
export class StatementTimeout extends ApiError {
  constructor() {
    super('timeout', 'the database took too long');
  }
}

/** 404 with the same text for unknown ids and ids of other companies. */
export const notFound = (resource: string, extras: ErrorExtras = {}): ApiError =>
  new ApiError('not_found', `${resource} not found`, extras);

/** As `catch` of a call whose resource may be absent. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof ApiError && error.kind === 'not_found') return null;
  throw error;
}

/** 401 with the same text whatever is wrong with a key. */
export const missingCompany = (): ApiError => new ApiError('missing_company', 'company_id is missing');

/** The first problem as a sentence, and the number of further ones (docs/api/README.md). */
function summaryOf([first, ...more]: readonly Detail[]): string {
  if (!first) return 'the request is not valid';
  const sentence = `${first.field} ${first.message}`.trim();
  return more.length > 0 ? `${sentence} (and ${more.length} more)` : sentence;
}

/** 400 that names each bad field; its message is the first problem unless another is given. */
export const invalid = (details: Detail[], message = summaryOf(details)): ApiError =>
  new ApiError('invalid', message, { details });

/** 400 for a single field. */
export const invalidField = (field: string, message: string): ApiError => invalid([{ field, message }]);

/** 409: a taken name, a reference still in use or a transition the state does not allow. */
export const conflict = (message: string, details?: Detail[]): ApiError =>
  new ApiError('conflict', message, details ? { details } : {});

/** 422: well-formed but not acceptable (a script, schema or pattern). */
export const refused = (message: string, details?: Detail[]): ApiError =>
  new ApiError('refused', message, details ? { details } : {});

/** The error as it travels over the bus and, under `error`, over HTTP. */
export interface ErrorBody {
  status: number;
  message: string;
  details?: Detail[];
}

/** The body under `error` of an HTTP reply. */
export function errorBody(error: ApiError): ErrorBody {
  const { details } = error.extras;
  return { status: error.status, message: error.message, ...(details?.length ? { details } : {}) };
}

/** Converts any thrown value to an ApiError without exposing its text. */
export function toApiError(thrown: unknown): ApiError {
  return thrown instanceof ApiError ? thrown : new ApiError('internal', 'internal server error');
}
