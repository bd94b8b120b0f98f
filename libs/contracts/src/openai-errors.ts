import { type ApiError, errorBody, type ErrorBody, type ErrorKind } from './errors.js';

/** An error in the OpenAI shape, under `error` in a reply (docs/api/completions.md). */
export interface OpenAiError extends ErrorBody {
  type: string;
  code: string;
  param?: string;
}

const WORDS: Record<ErrorKind, [type: string, code: string]> = {
  invalid: ['invalid_request_error', 'invalid_body'],
  missing_company: ['authentication_error', 'company_missing'],
  missing_scope: ['permission_error', 'scope_missing'],
  forbidden: ['permission_error', 'scope_missing'],
  not_found: ['not_found_error', 'model_not_found'],
  method_not_allowed: ['invalid_request_error', 'invalid_body'],
  conflict: ['invalid_request_error', 'conflict'],
  in_progress: ['invalid_request_error', 'idempotency_in_progress'],
  too_large: ['invalid_request_error', 'invalid_body'],
  unsupported_media: ['invalid_request_error', 'invalid_body'],
  refused: ['invalid_request_error', 'invalid_body'],
  headers_too_large: ['invalid_request_error', 'invalid_body'],
  rate_limited: ['rate_limit_error', 'rate_limited'],
  internal: ['server_error', 'internal'],
  bad_upstream: ['provider_error', 'provider_failed'],
  unavailable: ['server_error', 'unavailable'],
  timeout: ['timeout_error', 'provider_timeout'],
};

/** Maps an error to the OpenAI shape; OpenAI clients branch on `code`. */
export function openAiError(error: ApiError): OpenAiError {
  const [type, code] = WORDS[error.kind];
  const field = error.extras.details?.[0]?.field;
  return { ...errorBody(error), type, code: error.extras.code ?? code, ...(field ? { param: field } : {}) };
}
